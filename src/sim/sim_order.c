// SPDX-License-Identifier: GPL-2.0-or-later
/* Who is next: peers by keys, Gangway by the core's ranks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_impl.h"

/* PriorityCalcPeriod of Slurm and usageSamplingInterval of Kueue: both 5 minutes. */
#define SAMPLE_SECONDS 300

#define MINUTES_A_WEEK (7 * 24 * 60)
/* The epoch was a Thursday; weeks begin on Sunday. */
#define EPOCH_MINUTE (4 * 24 * 60)

static int compare(const void *a, const void *b, void *arg)
{
	const struct sim_turn *left = a, *right = b;
	const struct sim *sim = arg;

	for (size_t i = 0; i < sizeof(left->key) / sizeof(left->key[0]); i++)
		if (left->key[i] != right->key[i])
			return left->key[i] < right->key[i] ? -1 : 1;
	if (sim->job[left->job].eligible != sim->job[right->job].eligible)
		return sim->job[left->job].eligible < sim->job[right->job].eligible ? -1 : 1;
	return left->job < right->job ? -1 : left->job > right->job;
}

static double weight_of(const struct sim *sim, const struct sim_job *job)
{
	return job->queue == GW_INDEX_NONE ? 1 : sim->policy->conf->queues[job->queue].weight;
}

static double class_key(const struct sim *sim, const struct sim_job *job)
{
	return job->job_class == GW_INDEX_NONE
		       ? 0
		       : -(double)sim->policy->conf->classes[job->job_class].rank;
}

static double usage_key(const struct sim *sim, const struct sim_job *job)
{
	if (job->queue == GW_INDEX_NONE)
		return INFINITY;
	return sim->queue_usage[job->queue] / weight_of(sim, job);
}

static double held_key(const struct sim *sim, const struct sim_job *job)
{
	if (job->queue == GW_INDEX_NONE)
		return INFINITY;
	return sim->queue_gpus[job->queue] / weight_of(sim, job);
}

/* Where there is one partition it decides nothing, and costs most of an order. */
static double tier_key(const struct sim *sim, const struct sim_job *job)
{
	size_t partitions = sim->model->partition_count, queues;

	if (partitions == 1)
		return 0;
	queues = sim->lane_count / partitions;
	return -(double)sim->model->partition[sim->need[job->need].lane / queues].tier;
}

static void set_keys(const struct sim *sim, struct sim_turn *turn)
{
	const struct sim_job *job = &sim->job[turn->job];

	turn->key[0] = tier_key(sim, job);
	turn->key[1] = turn->key[2] = 0;
	switch (sim->policy->order) {
	case GW_SIM_ORDER_MULTIFACTOR:
		turn->key[1] = class_key(sim, job);
		turn->key[2] = usage_key(sim, job);
		break;
	case GW_SIM_ORDER_DRF:
		turn->key[1] = class_key(sim, job);
		turn->key[2] = held_key(sim, job);
		break;
	case GW_SIM_ORDER_KUEUE:
		turn->key[1] = usage_key(sim, job);
		turn->key[2] = class_key(sim, job);
		break;
	default:
		break;
	}
}

/* Usage of queues as the last sample has it. Returns whether there is a new one. */
static bool sample(struct sim *sim)
{
	const struct gw_conf *conf = sim->policy->conf;
	size_t columns = conf->flavor_count + 1;

	if (sim->sampled_at && sim->now < sim->sampled_at + SAMPLE_SECONDS)
		return false;
	gw_ledger_lines(sim->ledger, sim->now, sim->usage, sim->held);
	for (size_t q = 0; q < conf->queue_count; q++) {
		sim->queue_usage[q] = 0;
		for (size_t i = 0; i < columns; i++)
			sim->queue_usage[q] += sim->usage[q * columns + i];
	}
	sim->sampled_at = sim->now;
	return true;
}

static struct sim_turn turn_of(const struct sim *sim, uint32_t job)
{
	struct sim_turn turn = {.job = job};

	set_keys(sim, &turn);
	return turn;
}

/* Whether the order of two jobs stays between samples of usage. */
static bool keys_stay(const struct sim *sim)
{
	return sim->policy->order == GW_SIM_ORDER_FIFO ||
	       sim->policy->order == GW_SIM_ORDER_MULTIFACTOR;
}

static void insert(struct sim *sim, struct sim_turn turn)
{
	size_t low = 0, high = sim->turn_count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (compare(&sim->turn[middle], &turn, sim) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	memmove(&sim->turn[low + 1], &sim->turn[low],
		(sim->turn_count++ - low) * sizeof(*sim->turn));
	sim->turn[low] = turn;
}

/* The last order without those that started since, and with those that came: the later ones. */
static void renew_order(struct sim *sim)
{
	size_t kept = 0;

	for (size_t i = 0; i < sim->turn_count; i++)
		if (sim_is_pending(sim, sim->turn[i].job))
			sim->turn[kept++] = sim->turn[i];
	sim->turn_count = kept;
	for (size_t i = 0; i < sim->pending_count && sim->turn_count < sim->pending_count; i++)
		if (sim->pending[i] >= sim->ordered)
			insert(sim, turn_of(sim, sim->pending[i]));
}

static void order_by_keys(struct sim *sim)
{
	if (!sample(sim) && sim->ordered && keys_stay(sim)) {
		renew_order(sim);
	} else {
		sim->turn_count = sim->pending_count;
		for (size_t i = 0; i < sim->pending_count; i++)
			sim->turn[i] = turn_of(sim, sim->pending[i]);
		qsort_r(sim->turn, sim->turn_count, sizeof(*sim->turn), compare, sim);
	}
	sim->ordered = 0;
	for (size_t i = 0; i < sim->pending_count; i++)
		if (sim->pending[i] >= sim->ordered)
			sim->ordered = sim->pending[i] + 1;
}

static void add_turn(struct sim *sim, uint32_t place, bool barred, double group)
{
	uint32_t job = sim->pending[place];

	sim->turn[sim->turn_count] = (struct sim_turn){
		.job = job,
		.barred = barred,
		.key = {tier_key(sim, &sim->job[job]), group, (double)sim->turn_count}};
	sim->turn_count++;
}

static void add_rank(struct sim *sim, const struct gw_order_rank *rank)
{
	bool startable = gw_order_startable(rank);

	add_turn(sim, rank->job, rank->state == GW_ORDER_BLOCKED, startable ? 0 : 2);
	sim->turn[sim->turn_count - 1].for_nodes = startable;
}

/* Jobs of no queue stand between those that may start and those that may not, by age. */
static void add_outside(struct sim *sim)
{
	for (size_t i = 0; i < sim->pending_count; i++)
		if (sim->pending_view[i].queue == GW_INDEX_NONE) {
			add_turn(sim, (uint32_t)i, false, 1);
			sim->turn[sim->turn_count - 1].key[2] = 0;
		}
}

/* Whether jobs of a flavor can be on a node. */
static bool serves(const struct sim *sim, const struct gw_flavor *flavor, size_t node)
{
	const char *type = strchr(flavor->gres, ':');
	const char *own = sim->model->node[node].gpu_type;

	if (type && own && !gw_same(type + 1, own))
		return false;
	for (size_t i = 0; flavor->partition && i < sim->model->partition_count; i++)
		if (gw_same(sim->model->partition[i].name, flavor->partition))
			return sim->model->partition[i].has[node];
	return true;
}

/* By flavor, as slurmctld's node records have it; GPUs without nodes are of any. */
static void count_gpus(struct sim *sim)
{
	const struct gw_conf *conf = sim->policy->conf;
	struct gw_order_gpus *gpus = sim->flavor_gpus;

	for (size_t i = 0; i < conf->flavor_count; i++) {
		gpus[i] = (struct gw_order_gpus){sim->total_gpus, sim->free_gpus};
		if (conf->flavor_count == 1 || sim_is_pool(sim))
			continue;
		gpus[i] = (struct gw_order_gpus){0};
		for (size_t node = 0; node < sim->node_count; node++) {
			if (!serves(sim, &conf->flavors[i], node))
				continue;
			gpus[i].all += gw_gpus_count(sim->node[node].all);
			gpus[i].free += gw_gpus_count(sim->node[node].free);
		}
	}
}

/* The first flavor whose jobs can be on a node. */
static int32_t flavor_of(const struct sim *sim, size_t node)
{
	const struct gw_conf *conf = sim->policy->conf;

	for (size_t i = 0; i < conf->flavor_count; i++)
		if (conf->flavor_count == 1 || serves(sim, &conf->flavors[i], node))
			return (int32_t)i;
	return GW_INDEX_NONE;
}

/* GPUs left on broken nodes. */
static size_t find_gaps(const struct sim *sim, struct gw_order_gap *gaps)
{
	bool wanted = sim->policy->conf->gap_match > 0 && !sim_is_pool(sim);
	size_t count = 0;

	for (size_t i = 0; wanted && i < sim->node_count; i++) {
		const struct sim_node *node = &sim->node[i];

		if (node->free && node->free != node->all && node->hold_count)
			gaps[count++] =
				(struct gw_order_gap){flavor_of(sim, i), gw_gpus_count(node->free),
						      node->hold[node->hold_count - 1].until};
	}
	return count;
}

static int order_by_core(struct sim *sim)
{
	struct gw_order_input input = {
		.conf = sim->policy->conf,
		.jobs = sim->pending_view,
		.job_count = sim->pending_count,
		.usage = sim->usage,
		.held = sim->held,
		.quota = sim->quota,
		.gpus = sim->flavor_gpus,
		.gaps = sim->gap,
		.gap_count = find_gaps(sim, sim->gap),
		.now = sim->now,
	};
	int64_t minute = (sim->now + sim->options->utc_offset) / 60 + EPOCH_MINUTE;
	const struct gw_order_rank *ranks;
	size_t count;

	count_gpus(sim);
	gw_quota_at(sim->quota, (unsigned int)(minute % MINUTES_A_WEEK));
	gw_ledger_lines(sim->ledger, sim->now, sim->usage, sim->held);
	if (gw_order_ranks(sim->order, &input, &ranks, &count, sim->error))
		return -1;
	sim->turn_count = 0;
	for (size_t i = 0; i < count; i++)
		add_rank(sim, &ranks[i]);
	if (count < sim->pending_count)
		add_outside(sim);
	if (count < sim->pending_count || sim->model->partition_count > 1)
		qsort_r(sim->turn, sim->turn_count, sizeof(*sim->turn), compare, sim);
	return 0;
}

int sim_order(struct sim *sim)
{
	if (sim->policy->order == GW_SIM_ORDER_GANGWAY)
		return order_by_core(sim);
	order_by_keys(sim);
	return 0;
}

/* Whether another one of its lane stands before a job that waits, and may start. */
static bool has_before(struct sim *sim, uint32_t index)
{
	const struct sim_turn own = turn_of(sim, index);
	uint32_t lane = sim->need[sim->job[index].need].lane;

	for (size_t i = sim->pending_count; i-- > 0;) {
		const uint32_t other = sim->pending[i];
		struct sim_turn turn;

		if (other == index || sim->need[sim->job[other].need].lane != lane)
			continue;
		turn = turn_of(sim, other);
		if (compare(&turn, &own, sim) < 0)
			return true;
	}
	return false;
}

int sim_order_is_first(struct sim *sim, uint32_t index, bool *first)
{
	uint32_t lane = sim->need[sim->job[index].need].lane;
	size_t i = 0;

	if (sim->policy->order != GW_SIM_ORDER_GANGWAY) {
		if (sample(sim))
			sim->ordered = 0;
		*first = !has_before(sim, index);
		return 0;
	}
	if (order_by_core(sim))
		return -1;
	while (i < sim->turn_count && sim->turn[i].job != index &&
	       (sim->turn[i].barred || sim->need[sim->job[sim->turn[i].job].need].lane != lane))
		i++;
	*first = i == sim->turn_count || (sim->turn[i].job == index && !sim->turn[i].barred);
	return 0;
}

void sim_order_started(struct sim *sim, const struct sim_job *job, size_t from)
{
	enum gw_sim_order order = sim->policy->order;

	if (job->queue == GW_INDEX_NONE ||
	    (order != GW_SIM_ORDER_DRF && order != GW_SIM_ORDER_KUEUE))
		return;
	/* Kueue's entry penalty: a start counts as one sample of use at once. */
	sim->queue_usage[job->queue] += sim_rate(sim, job) * SAMPLE_SECONDS;
	for (size_t i = from; i < sim->turn_count; i++)
		set_keys(sim, &sim->turn[i]);
	qsort_r(&sim->turn[from], sim->turn_count - from, sizeof(*sim->turn), compare, sim);
}

bool sim_quota_allows(struct sim *sim, const struct sim_job *job)
{
	struct gw_quota_ask ask = {
		.flavor = job->flavor,
		.gpus = sim->need[job->need].gpus,
		.limit = job->limit,
	};

	if (!sim->quota || job->queue == GW_INDEX_NONE || job->flavor == GW_INDEX_NONE)
		return true;
	ask.pool = gw_quota_pool_of(sim->policy->conf, job->queue, job->flavor);
	return ask.pool == GW_INDEX_NONE || gw_quota_ask(sim->quota, &ask).why == GW_QUOTA_ALLOWED;
}
