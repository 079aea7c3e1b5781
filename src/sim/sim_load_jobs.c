// SPDX-License-Identifier: GPL-2.0-or-later
/* From trace and configuration to jobs, what they need, and whose they are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/route.h"
#include "../util/random.h"
#include "sim_impl.h"

/* Slurm takes a year for a job without limit. */
#define UNLIMITED (365 * 86400)

static size_t partition_of(const struct sim *sim, const struct gw_trace_job *from)
{
	size_t found = 0;

	for (size_t i = 0; i < sim->model->partition_count; i++) {
		if (!strcmp(sim->model->partition[i].name, sim->trace->names[from->partition]))
			return i;
		if (sim->model->partition[i].is_default)
			found = i;
	}
	return found;
}

static int32_t class_of(const struct gw_conf *conf, const char *qos)
{
	int32_t found = GW_INDEX_NONE;

	for (size_t i = 0; i < conf->class_count; i++) {
		if (gw_same(conf->classes[i].qos, qos))
			return (int32_t)i;
		if (conf->classes[i].is_default || found == GW_INDEX_NONE)
			found = (int32_t)i;
	}
	return found;
}

/* The kind of its GPUs: by type, then by partition, then the first there is. */
static int32_t flavor_of(const struct gw_conf *conf, const char *type, const char *partition)
{
	if (!conf->flavor_count)
		return GW_INDEX_NONE;
	for (size_t i = 0; *type && i < conf->flavor_count; i++) {
		const char *colon = strchr(conf->flavors[i].gres, ':');

		if (colon && gw_same(colon + 1, type))
			return (int32_t)i;
	}
	for (size_t i = 0; *partition && i < conf->flavor_count; i++)
		if (gw_same(conf->flavors[i].partition, partition))
			return (int32_t)i;
	return 0;
}

/* What nodes with a unit each are worth a second, GPUs aside. */
static double rate_of(const struct gw_tres *weights, const struct sim_unit *unit, uint32_t nodes)
{
	return nodes * (gw_tres_weight(weights, "node", 0) +
			unit->cpus * gw_tres_weight(weights, "cpu", 0) +
			(double)unit->memory * gw_tres_weight(weights, "mem", 0));
}

static int find_unit(struct sim *sim, const struct sim_unit *wanted, uint32_t *index)
{
	struct sim_unit *unit;

	for (size_t i = 0; i < sim->unit_count; i++) {
		const struct sim_unit *old = &sim->unit[i];

		*index = (uint32_t)i;
		if (old->gpus == wanted->gpus && old->cpus == wanted->cpus &&
		    old->memory == wanted->memory)
			return 0;
	}
	unit = realloc(sim->unit, (sim->unit_count + 1) * sizeof(*unit));
	if (!unit)
		return gw_error_memory(sim->error);
	sim->unit = unit;
	unit[sim->unit_count] = *wanted;
	*index = (uint32_t)sim->unit_count++;
	return 0;
}

static bool fits_empty(const struct sim *sim, const struct sim_need *need)
{
	uint32_t units = 0, rests = 0;

	for (uint32_t n = 0; n < sim->node_count; n++) {
		const struct sim_node *node = &sim->node[n];

		if (!sim_lane_has(sim, need, n))
			continue;
		units += sim_unit_fits(sim, &sim->unit[need->unit], node->all, node->cpus_total,
				       node->memory_total);
		rests += need->rest != UINT32_MAX &&
			 sim_unit_fits(sim, &sim->unit[need->rest], node->all, node->cpus_total,
				       node->memory_total);
	}
	return units >= need->nodes && (need->rest == UINT32_MAX || rests > need->nodes);
}

static int find_need(struct sim *sim, const struct sim_need *wanted, uint32_t *index)
{
	struct sim_need *need;

	for (size_t i = 0; i < sim->need_count; i++) {
		const struct sim_need *old = &sim->need[i];

		*index = (uint32_t)i;
		if (old->nodes == wanted->nodes && old->unit == wanted->unit &&
		    old->rest == wanted->rest && old->lane == wanted->lane)
			return 0;
	}
	need = realloc(sim->need, (sim->need_count + 1) * sizeof(*need));
	if (!need)
		return gw_error_memory(sim->error);
	sim->need = need;
	need[sim->need_count] = *wanted;
	need[sim->need_count].fits_empty = fits_empty(sim, wanted);
	*index = (uint32_t)sim->need_count++;
	return 0;
}

/* What a number of GPUs is on nodes: so many with so many each, and one with the rest. */
struct form {
	uint32_t nodes, gpus, rest;
};

/*
 * Never more GPUs than asked for: where they can not be the same on all nodes but one, the job is
 * on fewer nodes than it asked for.
 */
static struct form form_of(const struct gw_trace_job *from, uint32_t node_gpus)
{
	struct form form = {from->nodes ? from->nodes : 1, 0, 0};

	if (!from->gpus)
		return form;
	if (from->nodes)
		form.gpus = (from->gpus + from->nodes - 1) / from->nodes;
	else
		form.gpus = node_gpus && from->gpus > node_gpus ? node_gpus : from->gpus;
	form.nodes = from->gpus / form.gpus;
	form.rest = from->gpus % form.gpus;
	return form;
}

/* CPUs and memory are the job's, or go with its GPUs. */
static struct sim_unit unit_of(const struct sim *sim, const struct gw_trace_job *from,
			       const struct form *form, uint32_t gpus)
{
	const struct gw_model_node *node = &sim->model->node[sim->largest];
	uint32_t nodes = form->nodes + (form->rest > 0), share;
	struct sim_unit unit = {.gpus = gpus};

	share = node->gpus ? node->cpus / node->gpus : 1;
	if (!from->cpus)
		unit.cpus = gpus ? gpus * share : 1;
	else if (from->gpus && gpus)
		unit.cpus = (uint32_t)(((uint64_t)from->cpus * gpus + from->gpus - 1) / from->gpus);
	else
		unit.cpus = (from->cpus + nodes - 1) / nodes;
	if (from->gpus && gpus)
		unit.memory = from->memory * gpus / from->gpus;
	else
		unit.memory = from->memory / nodes;
	return unit;
}

static bool quota_ever_allows(const struct sim *sim, const struct sim_job *job, uint32_t gpus)
{
	int32_t pool;

	if (!sim->quota || job->queue == GW_INDEX_NONE || job->flavor == GW_INDEX_NONE)
		return true;
	pool = gw_quota_pool_of(sim->policy->conf, job->queue, job->flavor);
	return pool == GW_INDEX_NONE || gw_quota_largest(sim->quota, pool, job->flavor) >= gpus;
}

static int load_need(struct sim *sim, const struct gw_trace_job *from, struct sim_job *job)
{
	size_t queues = sim_queues_a_partition(sim);
	struct form form = form_of(from, sim->node_gpus_max);
	struct sim_unit unit = unit_of(sim, from, &form, form.gpus);
	struct sim_unit rest = unit_of(sim, from, &form, form.rest);
	struct sim_need need = {
		.nodes = form.nodes,
		.rest = UINT32_MAX,
		.gpus = from->gpus,
		.lane = (uint32_t)(partition_of(sim, from) * queues),
	};

	if (queues > 1)
		need.lane +=
			job->queue == GW_INDEX_NONE ? (uint32_t)queues - 1 : (uint32_t)job->queue;
	if (find_unit(sim, &unit, &need.unit) || (form.rest && find_unit(sim, &rest, &need.rest)))
		return -1;
	return find_need(sim, &need, &job->need);
}

static void load_times(const struct sim *sim, const struct gw_trace_job *from,
		       struct gw_random *random, struct sim_job *job)
{
	const struct gw_model_partition *partition =
		&sim->model->partition[partition_of(sim, from)];
	int64_t shift = 0;

	if (sim->options->seed && sim->options->jitter)
		shift = (int64_t)((2 * gw_random_uniform(random) - 1) *
				  (double)sim->options->jitter);
	job->submit = from->submit + shift;
	job->eligible = (from->eligible > from->submit ? from->eligible : from->submit) + shift;
	job->duration = from->duration;
	job->limit = from->limit;
	if (job->limit == GW_TIME_INFINITE && partition->default_time > 0)
		job->limit = partition->default_time;
	if (job->limit == GW_TIME_INFINITE && partition->max_time > 0)
		job->limit = partition->max_time;
	if (job->limit == GW_TIME_INFINITE)
		job->limit = UNLIMITED;
	if (job->limit < job->duration)
		job->limit = job->duration;
}

static int load_job(struct sim *sim, size_t index, struct gw_random *random)
{
	const struct gw_trace_job *from = &sim->trace->job[index];
	const struct gw_conf *conf = sim->policy->conf;
	char *const *names = sim->trace->names;
	struct sim_job *job = &sim->job[sim->job_count];

	*job = (struct sim_job){.trace = (uint32_t)index, .flavor = GW_INDEX_NONE};
	job->queue = gw_route_queue_of(conf, names[from->account], NULL, 0);
	job->job_class = class_of(conf, names[from->qos]);
	if (from->gpus)
		job->flavor = flavor_of(conf, names[from->gpu_type], names[from->partition]);
	load_times(sim, from, random, job);
	if (load_need(sim, from, job))
		return -1;
	if (!sim->need[job->need].fits_empty || !quota_ever_allows(sim, job, from->gpus)) {
		sim->result->left_out++;
		return 0;
	}
	sim->result->outside += job->queue == GW_INDEX_NONE;
	sim->job_count++;
	return 0;
}

static int by_submit(const void *a, const void *b)
{
	const struct sim_job *left = a, *right = b;

	if (left->eligible != right->eligible)
		return left->eligible < right->eligible ? -1 : 1;
	return left->trace < right->trace ? -1 : left->trace > right->trace;
}

/* By which parts of a node jobs ask for: what FGD calls the popularity of tasks. */
static void load_fragments(struct sim *sim)
{
	double mix[GW_GPUS_MAX + 1] = {0}, all = 0;

	for (size_t i = 0; i < sim->job_count; i++) {
		const struct sim_need *need = &sim->need[sim->job[i].need];
		uint32_t gpus = sim->unit[need->unit].gpus;

		if (gpus && gpus <= GW_GPUS_MAX) {
			mix[gpus]++;
			all++;
		}
	}
	for (size_t i = 0; all > 0 && i <= GW_GPUS_MAX; i++)
		mix[i] /= all;
	for (uint32_t free = 0; free <= GW_GPUS_MAX; free++)
		for (uint32_t asked = free + 1; asked <= GW_GPUS_MAX; asked++)
			sim->fragments[free] += mix[asked] * free;
}

int sim_load_jobs(struct sim *sim)
{
	struct gw_random random;

	gw_random_seed(&random, sim->options->seed);
	sim->job = sim_memory(sim, sim->trace->count, sizeof(*sim->job));
	sim->fragments = sim_memory(sim, GW_GPUS_MAX, sizeof(*sim->fragments));
	if (!sim->job || !sim->fragments)
		return -1;
	for (size_t i = 0; i < sim->trace->count; i++)
		if (load_job(sim, i, &random))
			return -1;
	qsort(sim->job, sim->job_count, sizeof(*sim->job), by_submit);
	load_fragments(sim);
	return 0;
}

double sim_rate(const struct sim *sim, const struct sim_job *job)
{
	const struct sim_need *need = &sim->need[job->need];
	const struct gw_conf *conf = sim->policy->conf;
	double rate = rate_of(&conf->usage_weights, &sim->unit[need->unit], need->nodes);
	char name[128] = "gres/gpu";

	if (need->rest != UINT32_MAX)
		rate += rate_of(&conf->usage_weights, &sim->unit[need->rest], 1);
	if (job->flavor != GW_INDEX_NONE)
		snprintf(name, sizeof(name), "gres/%s", conf->flavors[job->flavor].gres);
	return rate + need->gpus * gw_tres_weight(&conf->usage_weights, name, 0);
}
