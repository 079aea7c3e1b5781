// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where a job that is there already belongs by a configuration: its class, its flavor, the weight
 * of its GPUs. The queue is gw_route_queue_of()'s, the pool gw_quota_pool_of()'s.
 *
 * Does not own: what a job still to be submitted is given (route).
 */
#ifndef GW_CORE_BELONG_H
#define GW_CORE_BELONG_H

#include "conf.h"

/* Index of the class of this QOS (NULL: the default class), or GW_INDEX_NONE. */
int32_t gw_belong_class(const struct gw_conf *conf, const char *qos);

/*
 * Index of the flavor of GPUs of this type (NULL: not given) that queue may use; with no type,
 * the one whose partition this is (may be NULL); the queue's first in one that no flavor has. Or
 * GW_INDEX_NONE, also in a partition that only flavors have that are not for queue.
 */
int32_t gw_belong_flavor(const struct gw_conf *conf, int32_t queue, const char *type,
			 const char *partition);

/*
 * True for GPUs that a flavor means, whoever may use it: by their type, or with none (NULL) by
 * their partition.
 */
bool gw_belong_to_flavor(const struct gw_conf *conf, const char *type, const char *partition);

/* The GPU type of a flavor ("h100"), or NULL for one without. */
const char *gw_belong_flavor_type(const struct gw_conf *conf, int32_t flavor);

/* Weighted units per second of one GPU of flavor (UsageWeights). */
double gw_belong_gpu_weight(const struct gw_conf *conf, int32_t flavor);

#endif
