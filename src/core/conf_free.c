// SPDX-License-Identifier: GPL-2.0-or-later
#include "conf.h"

#include <stdlib.h>

static void limits_free(struct gw_limits *limits)
{
	gw_tres_free(&limits->given);
	free(limits->gpus);
}

static void refs_free(struct gw_refs *refs)
{
	gw_strings_free(&refs->names);
	free(refs->index);
}

static void kinds_free(const struct gw_conf *conf)
{
	for (size_t i = 0; i < conf->class_count; i++) {
		free(conf->classes[i].name);
		free(conf->classes[i].qos);
	}
	for (size_t i = 0; i < conf->flavor_count; i++) {
		free(conf->flavors[i].name);
		free(conf->flavors[i].gres);
		free(conf->flavors[i].partition);
	}
	for (size_t i = 0; i < conf->grant_count; i++) {
		free(conf->grants[i].who);
		free(conf->grants[i].class_ref.name);
		free(conf->grants[i].by);
		free(conf->grants[i].reason);
	}
	for (size_t i = 0; i < conf->shape_count; i++) {
		free(conf->shapes[i].name);
		free(conf->shapes[i].nodes);
		gw_strings_free(&conf->shapes[i].node);
		free(conf->shapes[i].hwloc);
	}
}

static void pools_free(const struct gw_conf *conf)
{
	for (size_t i = 0; i < conf->cohort_count; i++) {
		free(conf->cohorts[i].name);
		free(conf->cohorts[i].parent.name);
		limits_free(&conf->cohorts[i].quota);
		limits_free(&conf->cohorts[i].borrow);
		limits_free(&conf->cohorts[i].lend);
	}
	for (size_t i = 0; i < conf->pool_count; i++) {
		free(conf->pools[i].name);
		free(conf->pools[i].cohort.name);
		limits_free(&conf->pools[i].quota);
		limits_free(&conf->pools[i].borrow);
		limits_free(&conf->pools[i].lend);
	}
	for (size_t i = 0; i < conf->peak_count; i++) {
		free(conf->peaks[i].pool.name);
		limits_free(&conf->peaks[i].quota);
		limits_free(&conf->peaks[i].borrow);
		limits_free(&conf->peaks[i].lend);
	}
}

static void queues_free(const struct gw_conf *conf)
{
	for (size_t i = 0; i < conf->queue_count; i++) {
		free(conf->queues[i].name);
		free(conf->queues[i].account);
		refs_free(&conf->queues[i].pools);
		refs_free(&conf->queues[i].flavors);
		free(conf->queues[i].default_class.name);
	}
}

void gw_conf_free(struct gw_conf *conf)
{
	if (!conf)
		return;
	kinds_free(conf);
	pools_free(conf);
	queues_free(conf);
	free(conf->classes);
	free(conf->flavors);
	free(conf->cohorts);
	free(conf->pools);
	free(conf->peaks);
	free(conf->queues);
	free(conf->grants);
	free(conf->shapes);
	free(conf->publish_dir);
	gw_tres_free(&conf->usage_weights);
	free(conf->unmatched_queue.name);
	for (size_t i = 0; i < conf->warning_count; i++)
		free(conf->warnings[i].text);
	free(conf->warnings);
	gw_strings_free(&conf->files);
	free(conf);
}
