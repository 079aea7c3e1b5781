// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/policy.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <strings.h>

#include "src/core/belong.h"

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
	atomic_uint *node_gpus;  /* the same: the most on one node */
	pthread_mutex_t quota_lock;
	struct gw_quota *quota;
};

/* Slurm keeps accounts in lower case and compares them without regard to it. */
static int compare_accounts(const void *a, const void *b)
{
	return strcasecmp(((const struct account *)a)->name, ((const struct account *)b)->name);
}

static int fill(struct gw_policy *policy)
{
	const struct gw_conf *conf = policy->conf;
	struct gw_error why = {{0}};

	policy->quota = gw_quota_new(conf, &why);
	policy->account = calloc(conf->queue_count + 1, sizeof(*policy->account));
	policy->gpu_weight = calloc(conf->flavor_count + 1, sizeof(*policy->gpu_weight));
	policy->node_gpus = calloc(conf->flavor_count + 1, sizeof(*policy->node_gpus));
	if (!policy->quota || !policy->account || !policy->gpu_weight || !policy->node_gpus)
		return -1;
	for (size_t i = 0; i < conf->queue_count; i++)
		policy->account[i] = (struct account){conf->queues[i].account, (int32_t)i};
	qsort(policy->account, conf->queue_count, sizeof(*policy->account), compare_accounts);
	for (size_t i = 0; i < conf->flavor_count; i++)
		policy->gpu_weight[i] = gw_belong_gpu_weight(conf, (int32_t)i);
	return 0;
}

static void policy_free(struct gw_policy *policy)
{
	gw_quota_free(policy->quota);
	pthread_mutex_destroy(&policy->quota_lock);
	gw_conf_free(policy->conf);
	free(policy->account);
	free(policy->gpu_weight);
	free(policy->node_gpus);
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
	return gw_belong_class(policy->conf, qos);
}

const char *gw_policy_flavor_type(const struct gw_policy *policy, int32_t flavor)
{
	return gw_belong_flavor_type(policy->conf, flavor);
}

int32_t gw_policy_flavor(const struct gw_policy *policy, int32_t queue, const char *type,
			 const char *partition)
{
	return gw_belong_flavor(policy->conf, queue, type, partition);
}

bool gw_policy_has_gpus(const struct gw_policy *policy, const char *type, const char *partition)
{
	return gw_belong_to_flavor(policy->conf, type, partition);
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

uint32_t gw_policy_node_gpus(const struct gw_policy *policy, int32_t flavor)
{
	return atomic_load_explicit(&policy->node_gpus[flavor], memory_order_relaxed);
}

void gw_policy_set_node_gpus(struct gw_policy *policy, int32_t flavor, uint32_t gpus)
{
	atomic_store_explicit(&policy->node_gpus[flavor], gpus, memory_order_relaxed);
}

double gw_policy_gpu_weight(const struct gw_policy *policy, int32_t flavor)
{
	return policy->gpu_weight[flavor];
}
