// SPDX-License-Identifier: GPL-2.0-or-later
#include "belong.h"

#include <stdio.h>
#include <string.h>

#include "job.h"

int32_t gw_belong_class(const struct gw_conf *conf, const char *qos)
{
	for (size_t i = 0; i < conf->class_count; i++)
		if (qos ? gw_same(conf->classes[i].qos, qos) : conf->classes[i].is_default)
			return (int32_t)i;
	return GW_INDEX_NONE;
}

const char *gw_belong_flavor_type(const struct gw_conf *conf, int32_t flavor)
{
	const char *colon = strchr(conf->flavors[flavor].gres, ':');

	return colon ? colon + 1 : NULL;
}

static bool has_partition(const struct gw_flavor *flavor, const char *partition)
{
	return partition && flavor->partition && !strcmp(flavor->partition, partition);
}

/* Whether GPUs of this type (NULL: not given), in this partition, may be those of a flavor. */
static bool may_be(const struct gw_conf *conf, int32_t flavor, const char *type,
		   const char *partition)
{
	const char *own = gw_belong_flavor_type(conf, flavor);

	if (!type)
		return true;
	return own ? gw_same(own, type) : has_partition(&conf->flavors[flavor], partition);
}

int32_t gw_belong_flavor(const struct gw_conf *conf, int32_t queue, const char *type,
			 const char *partition)
{
	const struct gw_queue *q = &conf->queues[queue];
	int32_t first = GW_INDEX_NONE;

	for (size_t i = 0; i < q->flavors.names.count; i++) {
		int32_t flavor = (int32_t)q->flavors.index[i];

		if (!may_be(conf, flavor, type, partition))
			continue;
		if (has_partition(&conf->flavors[flavor], partition))
			return flavor;
		if (first == GW_INDEX_NONE)
			first = flavor;
	}
	return !type && gw_belong_to_flavor(conf, NULL, partition) ? GW_INDEX_NONE : first;
}

bool gw_belong_to_flavor(const struct gw_conf *conf, const char *type, const char *partition)
{
	for (size_t i = 0; i < conf->flavor_count; i++)
		if (type ? may_be(conf, (int32_t)i, type, partition)
			 : has_partition(&conf->flavors[i], partition))
			return true;
	return false;
}

double gw_belong_gpu_weight(const struct gw_conf *conf, int32_t flavor)
{
	char name[256];

	snprintf(name, sizeof(name), "gres/%s", conf->flavors[flavor].gres);
	return gw_tres_weight(&conf->usage_weights, name, 0);
}
