// SPDX-License-Identifier: GPL-2.0-or-later
/* What is legal but surely not what was meant. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "conf_impl.h"

int gw_conf_warn(struct gw_conf *conf, struct gw_where where, const char *format, ...)
{
	struct gw_warning *warnings =
		gw_array_room(conf->warnings, conf->warning_count, sizeof(*warnings));
	char text[GW_ERROR_SIZE];
	va_list args;

	if (!warnings)
		return -1;
	conf->warnings = warnings;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	warnings[conf->warning_count].where = where;
	warnings[conf->warning_count].text = gw_strdup(text);
	if (!warnings[conf->warning_count].text)
		return -1;
	conf->warning_count++;
	return 0;
}

static int warn_flavor(struct gw_conf *conf, size_t index)
{
	const struct gw_flavor *flavor = &conf->flavors[index];
	struct gw_str tres = {0};
	int result = 0;
	bool served = false;

	gw_str_appendf(&tres, "gres/%s", flavor->gres);
	if (tres.failed)
		return -1;
	for (size_t i = 0; i < conf->pool_count; i++)
		served = served || conf->pools[i].quota.gpus[index] != GW_NOT_GIVEN;
	if (!served)
		result = gw_conf_warn(conf, flavor->where, "no pool has a Quota of flavor %s",
				      flavor->name);
	if (!result && gw_tres_weight(&conf->usage_weights, gw_str_text(&tres), 0) <= 0)
		result = gw_conf_warn(conf, flavor->where,
				      "UsageWeights gives %s no weight: its GPUs count as no usage",
				      gw_str_text(&tres));
	gw_str_free(&tres);
	return result;
}

static bool pool_has_queue(const struct gw_conf *conf, size_t pool)
{
	for (size_t i = 0; i < conf->queue_count; i++)
		for (size_t j = 0; j < conf->queues[i].pools.names.count; j++)
			if (conf->queues[i].pools.index[j] == pool)
				return true;
	return false;
}

static int warn_lend(struct gw_conf *conf, const struct gw_pool *pool)
{
	for (size_t i = 0; i < conf->flavor_count; i++) {
		uint32_t quota = pool->quota.gpus[i], lend = pool->lend.gpus[i];

		if (lend != GW_NOT_GIVEN && lend > quota &&
		    gw_conf_warn(conf, pool->lend.where,
				 "LendLimit of pool %s is above its Quota of flavor %s (%u): all "
				 "of it may be lent",
				 pool->name, conf->flavors[i].name, quota))
			return -1;
	}
	return 0;
}

static int warn_pool(struct gw_conf *conf, size_t index)
{
	const struct gw_pool *pool = &conf->pools[index];
	bool limits = pool->borrow.given.count || pool->lend.given.count ||
		      pool->loan_time != GW_TIME_INFINITE;

	if (!pool_has_queue(conf, index) &&
	    gw_conf_warn(conf, pool->where, "no queue draws from pool %s", pool->name))
		return -1;
	if (!pool->cohort.name && limits &&
	    gw_conf_warn(conf, pool->where,
			 "pool %s is in no cohort: BorrowLimit, LendLimit and LoanTime have no "
			 "effect",
			 pool->name))
		return -1;
	return warn_lend(conf, pool);
}

static int warn_cohort(struct gw_conf *conf, size_t index)
{
	const struct gw_cohort *cohort = &conf->cohorts[index];
	size_t members = 0;

	for (size_t i = 0; i < conf->pool_count; i++)
		members += conf->pools[i].cohort.index == index;
	for (size_t i = 0; i < conf->cohort_count; i++)
		members += conf->cohorts[i].parent.index == index;
	if (members)
		return 0;
	return gw_conf_warn(conf, cohort->where, "cohort %s has no pools", cohort->name);
}

/* GPUs are weighed by the Gres of their flavor: a type that none has weighs nothing. */
static int warn_weight(struct gw_conf *conf, const char *name)
{
	struct gw_str known = {0};
	int result;

	if (!gw_same_n(name, "gres/gpu:", 9))
		return 0;
	for (size_t i = 0; i < conf->flavor_count; i++) {
		if (gw_same(name + 5, conf->flavors[i].gres)) {
			gw_str_free(&known);
			return 0;
		}
		gw_str_appendf(&known, "%s%s", i ? ", " : "", conf->flavors[i].gres);
	}
	result = gw_conf_warn(conf, conf->usage_weights_where,
			      "UsageWeights: %.64s has no effect: no FlavorName has Gres=%.64s; "
			      "there is %.250s",
			      name, name + 5, conf->flavor_count ? gw_str_text(&known) : "none");
	gw_str_free(&known);
	return result;
}

int gw_conf_warnings(struct gw_conf *conf, struct gw_error *error)
{
	struct gw_where top = {.file = conf->files.item[0], .line = 1};
	int failed = 0;

	for (size_t i = 0; !failed && i < conf->flavor_count; i++)
		failed = warn_flavor(conf, i);
	for (size_t i = 0; !failed && i < conf->cohort_count; i++)
		failed = warn_cohort(conf, i);
	for (size_t i = 0; !failed && i < conf->pool_count; i++)
		failed = warn_pool(conf, i);
	for (size_t i = 0; !failed && i < conf->usage_weights.count; i++)
		failed = warn_weight(conf, conf->usage_weights.entry[i].name);
	if (!failed && conf->small_batch && !conf->small_hold)
		failed = gw_conf_warn(conf, top, "SmallBatch has no effect without SmallHold");
	if (!failed && !conf->queue_count)
		failed = gw_conf_warn(conf, top, "no QueueName: every job is outside");
	return failed ? gw_error_memory(error) : 0;
}
