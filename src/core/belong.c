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

int32_t gw_belong_flavor(const struct gw_conf *conf, int32_t queue, const char *type,
			 const char *partition)
{
	const struct gw_queue *q = &conf->queues[queue];
	int32_t first = GW_INDEX_NONE;

	for (size_t i = 0; i < q->flavors.names.count; i++) {
		int32_t flavor = (int32_t)q->flavors.index[i];
		const char *own = gw_belong_flavor_type(conf, flavor);

		if (type && (!own || !gw_same(own, type)))
			continue;
		if (partition && conf->flavors[flavor].partition &&
		    !strcmp(conf->flavors[flavor].partition, partition))
			return flavor;
		if (first == GW_INDEX_NONE)
			first = flavor;
	}
	return first;
}

double gw_belong_gpu_weight(const struct gw_conf *conf, int32_t flavor)
{
	char name[256];

	snprintf(name, sizeof(name), "gres/%s", conf->flavors[flavor].gres);
	return gw_tres_weight(&conf->usage_weights, name, 0);
}
