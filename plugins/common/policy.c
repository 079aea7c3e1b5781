// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/policy.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/util/str.h"

struct account {
	const char *name; /* the configuration's */
	int32_t queue;
};

struct gw_policy {
	atomic_uint references;
	struct gw_conf *conf;
	uint64_t sum;            /* of the configuration's text */
	struct account *account; /* sorted by name; conf->queue_count of them */
	double *gpu_weight;      /* of each flavor */
	pthread_mutex_t quota_lock;
	struct gw_quota *quota;
};

static int compare_accounts(const void *a, const void *b)
{
	return strcmp(((const struct account *)a)->name, ((const struct account *)b)->name);
}

static double weight_of(const struct gw_conf *conf, const struct gw_flavor *flavor)
{
	char name[256];

	snprintf(name, sizeof(name), "gres/%s", flavor->gres);
	return gw_tres_weight(&conf->usage_weights, name, 1.0);
}

static int fill(struct gw_policy *policy)
{
	const struct gw_conf *conf = policy->conf;
	struct gw_error why = {{0}};

	policy->quota = gw_quota_new(conf, &why);
	policy->account = calloc(conf->queue_count + 1, sizeof(*policy->account));
	policy->gpu_weight = calloc(conf->flavor_count + 1, sizeof(*policy->gpu_weight));
	if (!policy->quota || !policy->account || !policy->gpu_weight)
		return -1;
	for (size_t i = 0; i < conf->queue_count; i++)
		policy->account[i] = (struct account){conf->queues[i].account, (int32_t)i};
	qsort(policy->account, conf->queue_count, sizeof(*policy->account), compare_accounts);
	for (size_t i = 0; i < conf->flavor_count; i++)
		policy->gpu_weight[i] = weight_of(conf, &conf->flavors[i]);
	return 0;
}

static void policy_free(struct gw_policy *policy)
{
	gw_quota_free(policy->quota);
	pthread_mutex_destroy(&policy->quota_lock);
	gw_conf_free(policy->conf);
	free(policy->account);
	free(policy->gpu_weight);
	free(policy);
}

struct gw_policy *gw_policy_create(struct gw_conf *conf, uint64_t sum)
{
	struct gw_policy *policy = calloc(1, sizeof(*policy));

	if (!policy) {
		gw_conf_free(conf);
		return NULL;
	}
	policy->conf = conf;
	policy->sum = sum;
	pthread_mutex_init(&policy->quota_lock, NULL);
	atomic_init(&policy->references, 1);
	if (fill(policy)) {
		policy_free(policy);
		return NULL;
	}
	return policy;
}

struct gw_policy *gw_policy_hold(struct gw_policy *policy)
{
	if (policy)
		atomic_fetch_add(&policy->references, 1);
	return policy;
}

void gw_policy_put(struct gw_policy *policy)
{
	if (policy && atomic_fetch_sub(&policy->references, 1) == 1)
		policy_free(policy);
}

uint64_t gw_policy_sum(const struct gw_policy *policy)
{
	return policy->sum;
}

const struct gw_conf *gw_policy_conf(const struct gw_policy *policy)
{
	return policy->conf;
}

int32_t gw_policy_queue(const struct gw_policy *policy, const char *account)
{
	const struct account key = {account, 0}, *found;

	if (!account)
		return GW_INDEX_NONE;
	found = bsearch(&key, policy->account, policy->conf->queue_count, sizeof(key),
			compare_accounts);
	return found ? found->queue : GW_INDEX_NONE;
}

int32_t gw_policy_class(const struct gw_policy *policy, const char *qos)
{
	const struct gw_conf *conf = policy->conf;

	for (size_t i = 0; i < conf->class_count; i++)
		if (qos ? gw_same(conf->classes[i].qos, qos) : conf->classes[i].is_default)
			return (int32_t)i;
	return GW_INDEX_NONE;
}

const char *gw_policy_flavor_type(const struct gw_policy *policy, int32_t flavor)
{
	const char *colon = strchr(policy->conf->flavors[flavor].gres, ':');

	return colon ? colon + 1 : NULL;
}

int32_t gw_policy_flavor(const struct gw_policy *policy, int32_t queue, const char *type,
			 const char *partition)
{
	const struct gw_conf *conf = policy->conf;
	const struct gw_queue *q = &conf->queues[queue];
	int32_t first = GW_INDEX_NONE;

	for (size_t i = 0; i < q->flavors.names.count; i++) {
		size_t flavor = q->flavors.index[i];
		const char *own = gw_policy_flavor_type(policy, (int32_t)flavor);

		if (type && (!own || !gw_same(own, type)))
			continue;
		if (partition && conf->flavors[flavor].partition &&
		    !strcmp(conf->flavors[flavor].partition, partition))
			return (int32_t)flavor;
		if (first == GW_INDEX_NONE)
			first = (int32_t)flavor;
	}
	return first;
}

int32_t gw_policy_pool(const struct gw_policy *policy, int32_t queue, int32_t flavor)
{
	return gw_quota_pool_of(policy->conf, queue, flavor);
}

struct gw_quota *gw_policy_quota_lock(struct gw_policy *policy)
{
	pthread_mutex_lock(&policy->quota_lock);
	return policy->quota;
}

void gw_policy_quota_unlock(struct gw_policy *policy)
{
	pthread_mutex_unlock(&policy->quota_lock);
}

const struct gw_quota *gw_policy_quota_constants(const struct gw_policy *policy)
{
	return policy->quota;
}

double gw_policy_gpu_weight(const struct gw_policy *policy, int32_t flavor)
{
	return policy->gpu_weight[flavor];
}
