// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Nodes for a job by the rules of peers, among candidates that are all good enough. Candidates
 * are in order of index; each rule is a cost, and Slurm's own is a rule on runs of neighbours.
 */
#include <math.h>

#include "../core/grid.h"
#include "sim_impl.h"

bool sim_lane_has(const struct sim *sim, const struct sim_need *need, uint32_t node)
{
	return sim->lane_has[(size_t)need->lane * sim->node_count + node];
}

static bool may_start(struct sim *sim, const struct sim_need *need)
{
	if (need->gpus > sim->free_gpus)
		return false;
	if (sim_is_pool(sim))
		return true;
	if (sim_ready(sim, need->ready)->now_count < need->nodes)
		return false;
	return !sim_has_rest(need) || sim_ready(sim, need->rest_ready)->now_count > need->nodes;
}

bool sim_may_start(struct sim *sim, uint32_t index)
{
	struct sim_need *need = &sim->need[index];

	if (need->known_at != sim->version) {
		need->may_start = may_start(sim, need);
		need->known_at = sim->version;
	}
	return need->may_start;
}

/* The smallest aligned free cell that holds the GPUs; 0: there is none. */
static gw_gpus buddy_cell(gw_gpus free, uint32_t gpus, uint32_t *parent)
{
	uint32_t size = 1, best_at = 0;

	*parent = UINT32_MAX;
	while (size < gpus)
		size *= 2;
	for (uint32_t at = 0; at + size <= GW_GPUS_MAX; at += size) {
		gw_gpus cell = gw_gpus_first(size) << at;
		uint32_t around = size;

		if ((free & cell) != cell)
			continue;
		for (uint32_t wide = size * 2; wide <= GW_GPUS_MAX; wide *= 2) {
			uint32_t from = at / wide * wide;
			gw_gpus larger = gw_gpus_first(wide) << from;

			if ((free & larger) != larger)
				break;
			around = wide;
		}
		if (around < *parent) {
			*parent = around;
			best_at = at;
		}
	}
	return *parent == UINT32_MAX ? 0 : gw_gpus_first(gpus) << best_at;
}

/* Where Slurm chooses, a partition may say LLN=yes. */
static enum gw_sim_place rule_of(const struct sim *sim, const struct sim_job *job)
{
	size_t queues = sim->lane_count / sim->model->partition_count;
	bool lln = sim->model->partition[sim->need[job->need].lane / queues].lln;

	switch (sim->policy->place) {
	case GW_SIM_PLACE_STOCK:
	case GW_SIM_PLACE_GANGWAY:
		return lln ? GW_SIM_PLACE_LLN : sim->policy->place;
	default:
		return sim->policy->place;
	}
}

/* Lower is better; ties to the lower index. */
static double cost(const struct sim *sim, enum gw_sim_place rule, const struct gw_node *node,
		   uint32_t gpus)
{
	uint32_t free = gw_gpus_count(node->free), parent;

	switch (rule) {
	case GW_SIM_PLACE_LLN:
		return -(double)node->cpus_free / (node->cpus_total ? node->cpus_total : 1);
	case GW_SIM_PLACE_BEST_FIT:
		return free - gpus;
	case GW_SIM_PLACE_FGD:
		return sim->fragments[free - gpus] - sim->fragments[free];
	case GW_SIM_PLACE_BUDDY:
		buddy_cell(node->free, gpus, &parent);
		return parent;
	default:
		return 0;
	}
}

static gw_gpus gpus_of(const struct sim *sim, const struct gw_node *node, uint32_t gpus)
{
	uint32_t parent;

	if (sim->policy->place == GW_SIM_PLACE_BUDDY && gpus)
		return buddy_cell(node->free, gpus, &parent);
	return gw_gpuset_choose(node->shape >= 0 ? sim->table[node->shape] : NULL, node->free,
				gpus);
}

static bool view_fits(const struct sim *sim, const struct gw_node *node, uint32_t unit)
{
	return sim_unit_fits(sim, &sim->unit[unit], node->free, node->cpus_free, node->memory_free);
}

static bool is_taken(const struct sim *sim, size_t chosen, uint32_t index)
{
	for (size_t i = 0; i < chosen; i++)
		if (sim->choice[i].index == index)
			return true;
	return false;
}

/*
 * One more node by cost; of equal ones the last, or the first. Returns whether there was one.
 */
static bool take_cheapest(struct sim *sim, enum gw_sim_place rule, size_t candidates, uint32_t unit,
			  size_t chosen, bool last)
{
	const struct gw_node *best = NULL;
	uint32_t gpus = sim->unit[unit].gpus;
	double least = INFINITY;

	for (size_t i = 0; i < candidates; i++) {
		const struct gw_node *node = &sim->candidate[i];
		double now;

		if (!view_fits(sim, node, unit) || is_taken(sim, chosen, node->index))
			continue;
		now = cost(sim, rule, node, gpus);
		if (best && node->weight >= best->weight &&
		    (node->weight > best->weight || now > least || (now == least && !last)))
			continue;
		best = node;
		least = now;
	}
	if (best)
		sim->choice[chosen] = (struct gw_choice){best->index, gpus_of(sim, best, gpus)};
	return best != NULL;
}

struct run {
	size_t first, last;
	uint64_t cpus;
	uint32_t nodes, weight;
};

/* The next run of neighbours of one weight, from a candidate on. */
static struct run next_run(const struct sim *sim, size_t candidates, uint32_t unit, size_t chosen,
			   size_t from)
{
	struct run run = {.first = from, .last = from};
	const struct gw_node *before = NULL;

	for (size_t i = from; i < candidates; i++) {
		const struct gw_node *node = &sim->candidate[i];
		bool fits = view_fits(sim, node, unit) && !is_taken(sim, chosen, node->index);

		if (before &&
		    (!fits || node->index != before->index + 1 || node->weight != before->weight))
			break;
		run.last = i + 1;
		if (!fits)
			continue;
		if (!before)
			run.first = i;
		before = node;
		run.weight = node->weight;
		run.cpus += node->cpus_free;
		run.nodes++;
	}
	return run;
}

/* Lighter nodes; then one that holds all; then the tightest of those, or else the largest. */
static bool is_better_run(const struct run *run, const struct run *best, uint32_t wanted)
{
	bool holds = run->nodes >= wanted, best_holds = best->nodes >= wanted;

	if (!run->nodes || !best->nodes)
		return run->nodes > 0;
	if (run->weight != best->weight)
		return run->weight < best->weight;
	if (holds != best_holds)
		return holds;
	return holds ? run->cpus < best->cpus : run->cpus > best->cpus;
}

/* As _eval_nodes() of Slurm's select plugins: the best run, and on with what is lacking. */
static size_t take_runs(struct sim *sim, size_t candidates, uint32_t unit, uint32_t wanted,
			size_t chosen)
{
	while (wanted) {
		struct run best = {0};

		for (size_t from = 0; from < candidates;) {
			struct run run = next_run(sim, candidates, unit, chosen, from);

			if (is_better_run(&run, &best, wanted))
				best = run;
			from = run.last;
		}
		if (!best.nodes)
			return 0;
		for (size_t i = best.first; i < best.last && wanted; i++) {
			const struct gw_node *node = &sim->candidate[i];

			sim->choice[chosen++] = (struct gw_choice){
				node->index, gpus_of(sim, node, sim->unit[unit].gpus)};
			wanted--;
		}
	}
	return chosen;
}

static size_t take(struct sim *sim, enum gw_sim_place rule, size_t candidates, uint32_t unit,
		   uint32_t wanted, size_t chosen)
{
	bool far;

	if (rule == GW_SIM_PLACE_STOCK || rule == GW_SIM_PLACE_GANGWAY)
		return take_runs(sim, candidates, unit, wanted, chosen);
	/* Best fit has jobs of several nodes at the far end, away from small ones. */
	far = rule == GW_SIM_PLACE_BEST_FIT && wanted > 1;
	for (; wanted; wanted--)
		if (!take_cheapest(sim, rule, candidates, unit, chosen++, far))
			return 0;
	return chosen;
}

/* The core's answer, as the plugin has it; 0: no preference. */
static size_t ask_core(struct sim *sim, const struct sim_job *job, size_t candidates)
{
	const struct sim_need *need = &sim->need[job->need];
	const struct sim_unit *unit = &sim->unit[need->unit];
	bool has_rest = need->rest != UINT32_MAX;
	struct gw_ask ask = {
		.min_nodes = need->nodes + has_rest,
		.max_nodes = need->nodes + has_rest,
		.gpus_per_node = has_rest ? 0 : unit->gpus,
		.gpus = has_rest ? need->gpus : 0,
		.cpus_per_node = has_rest ? 0 : unit->cpus,
		.memory_per_node = has_rest ? 0 : unit->memory,
		.limit = job->limit == GW_TIME_INFINITE ? 0 : job->limit,
	};
	float stays[GW_GRID_POINTS];
	const char *reason;

	sim_predict_ask(sim, job, stays);
	ask.stays = stays;
	ask.mix = sim->worth;
	if (has_rest && unit->gpus)
		ask.cpus_per_gpu = unit->cpus / unit->gpus;
	return gw_place_nodes(sim->place, &ask, sim->candidate, candidates, sim->choice,
			      sim->node_count, &reason);
}

size_t sim_choose(struct sim *sim, const struct sim_job *job, size_t candidates)
{
	const struct sim_need *need = &sim->need[job->need];
	enum gw_sim_place rule = rule_of(sim, job);
	size_t chosen = 0;

	if (rule == GW_SIM_PLACE_GANGWAY)
		chosen = ask_core(sim, job, candidates);
	if (chosen)
		return chosen;
	chosen = take(sim, rule, candidates, need->unit, need->nodes, 0);
	if (chosen && need->rest != UINT32_MAX)
		chosen = take(sim, rule, candidates, need->rest, 1, chosen);
	return chosen;
}
