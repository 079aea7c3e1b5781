// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A configuration in force with what is looked up in it often. Immutable; counted, so that
 * a hook that works with one is not disturbed by a reconfigure.
 */
#ifndef GW_POLICY_H
#define GW_POLICY_H

#include <stdint.h>

#include "plugins/common/export.h"
#include "src/core/conf.h"
#include "src/core/job.h"
#include "src/core/quota.h"

struct gw_policy;

/*
 * Takes conf over, also on failure; sum is the checksum of its text (core's decision.h). NULL if
 * memory is out. The caller holds the one reference.
 */
struct gw_policy *gw_policy_create(struct gw_conf *conf, uint64_t sum);

uint64_t gw_policy_sum(const struct gw_policy *policy);

/* One more reference, or one less; the last one frees it. put(NULL) does nothing. */
struct gw_policy *gw_policy_hold(struct gw_policy *policy);
GW_EXPORT void gw_policy_put(struct gw_policy *policy);

GW_EXPORT const struct gw_conf *gw_policy_conf(const struct gw_policy *policy);

/* Index of the queue whose account this is, or GW_INDEX_NONE. */
int32_t gw_policy_queue(const struct gw_policy *policy, const char *account);

/* Index of the class of this QOS (NULL: the default class), or GW_INDEX_NONE. */
int32_t gw_policy_class(const struct gw_policy *policy, const char *qos);

/*
 * Index of the flavor of GPUs of this type (NULL: not given) that queue may use; with no type,
 * the one whose partition this is (may be NULL); the queue's first in one that no flavor has. Or
 * GW_INDEX_NONE, also in a partition that only flavors have that are not for queue.
 */
int32_t gw_policy_flavor(const struct gw_policy *policy, int32_t queue, const char *type,
			 const char *partition);

/* True for GPUs of this type (NULL: not given), or else in this partition, that a flavor means. */
bool gw_policy_has_gpus(const struct gw_policy *policy, const char *type, const char *partition);

/* Index of the pool that serves flavor to queue, or GW_INDEX_NONE. */
int32_t gw_policy_pool(const struct gw_policy *policy, int32_t queue, int32_t flavor);

/*
 * The quota arithmetic of this configuration, for one thread at a time: lock, fill, ask, unlock.
 * What it holds between is not defined.
 */
struct gw_quota *gw_policy_quota_lock(struct gw_policy *policy);
void gw_policy_quota_unlock(struct gw_policy *policy);

/* The same without a lock, for what never changes (gw_quota_largest()). */
const struct gw_quota *gw_policy_quota_constants(const struct gw_policy *policy);

/* The GPU type of a flavor ("h100"), or NULL for one without. */
const char *gw_policy_flavor_type(const struct gw_policy *policy, int32_t flavor);

/*
 * The most GPUs of flavor that one node has, as they were counted last; 0: they were not yet. From
 * any thread.
 */
uint32_t gw_policy_node_gpus(const struct gw_policy *policy, int32_t flavor);
void gw_policy_set_node_gpus(struct gw_policy *policy, int32_t flavor, uint32_t gpus);

/* Weighted units per second of one GPU of flavor (UsageWeights). */
double gw_policy_gpu_weight(const struct gw_policy *policy, int32_t flavor);

#endif
