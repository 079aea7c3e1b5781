// SPDX-License-Identifier: GPL-2.0-or-later
/* Asks and measures: processor time of the thread, so that what else the machine does is left out.
 */
#include "tests/bench.d/hook.h"

#include <stdlib.h>
#include <time.h>

#include "plugins/common/engine_state.h"

/* Questions before those that count: tables are made and memory has grown after them. */
#define WARM_UP 100

#define MIB_A_GPU 1024

/* FNV-1a, in steps of eight bytes. */
#define SUM_FIRST UINT64_C(14695981039346656037)
#define SUM_PRIME UINT64_C(1099511628211)

struct sample {
	uint64_t *took; /* ns, a question */
	uint32_t *candidates;
	uint32_t count;
};

uint64_t hook_thread_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* What it costs to read the clock, which is a system call. */
static uint64_t clock_cost(void)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 10000; i++) {
		uint64_t begun = hook_thread_ns();

		least = MIN(least, hook_thread_ns() - begun);
	}
	return least;
}

void hook_open(struct hook_cluster *cluster)
{
	struct gw_engine *engine = gw_engine_get();

	for (int i = 0; i < GW_SUBSYSTEM_COUNT; i++)
		atomic_store(&engine->enforces[i], true);
	engine->limits.own_ns = UINT64_MAX;
	engine->limits.errors = UINT32_MAX;
	atomic_store(&engine->hook_open[GW_HOOK_PLACEMENT], true);
	gw_domains_stale();
	gw_engine_place_memory(cluster->count)->usage = &cluster->usage;
	*gw_engine_test() = (struct gw_test){
		.active = true, .run_now = true, .preference_allowed = true, .queue = 1};
}

static void set_question(struct hook_cluster *cluster, const struct hook_kind *kind)
{
	struct gw_placement *question = &cluster->question;

	memset(&cluster->request, 0, sizeof(cluster->request));
	cluster->request.gres_per_node = kind->gpus;
	cluster->request.cpus_per_gres = HOOK_CORES_A_GPU;
	cluster->details.min_cpus = HOOK_CORES_A_GPU * kind->gpus * kind->nodes;
	cluster->details.num_tasks = kind->nodes;
	cluster->details.pn_min_memory = MIB_A_GPU * kind->gpus;
	question->min_nodes = question->max_nodes = question->req_nodes = kind->nodes;
}

/* Of the chosen nodes: which, and which GPUs and cores the job is left with. */
static uint64_t add_answer(const struct hook_cluster *cluster, uint64_t sum)
{
	const struct gw_placement *question = &cluster->question;
	bitoff_t last = bit_fls(question->node_map);

	for (bitoff_t node = bit_ffs(question->node_map); node >= 0 && node <= last; node++) {
		const sock_gres_t *gres;

		if (!bit_test(question->node_map, node))
			continue;
		sum = (sum ^ (uint64_t)node) * SUM_PRIME;
		gres = list_peek(question->avail_res[node]->sock_gres_list);
		for (int gpu = 0; gpu < HOOK_GPUS; gpu++)
			sum = (sum ^ (uint64_t)bit_test(
					     gres->bits_by_sock[gpu / HOOK_GPUS_A_SOCKET], gpu)) *
			      SUM_PRIME;
		for (bitoff_t core = 0; core < HOOK_CORES; core++)
			sum = (sum ^ (uint64_t)bit_test(question->avail_core[node], core)) *
			      SUM_PRIME;
	}
	return sum;
}

/* The nodes that were narrowed are as before. */
static void put_back(struct hook_cluster *cluster)
{
	bitstr_t *chosen = cluster->question.node_map;
	bitoff_t last = bit_fls(chosen);

	for (bitoff_t node = bit_ffs(chosen); node >= 0 && node <= last; node++)
		if (bit_test(chosen, node))
			hook_node_set(cluster, (uint32_t)node, cluster->busy[node]);
}

/* Asks once about the candidates; returns how long the hook took. */
static uint64_t ask(struct hook_cluster *cluster, struct hook_figures *figures)
{
	uint64_t begun, took, allocations;

	bit_copybits(cluster->question.node_map, cluster->candidates);
	gw_engine_test()->followed = false;
	allocations = hook_allocations();
	begun = hook_thread_ns();
	gw_placement_answer(&cluster->question);
	took = hook_thread_ns() - begun;
	figures->allocations += hook_allocations() - allocations;
	figures->followed += gw_engine_test()->followed;
	figures->questions++;
	figures->answers = add_answer(cluster, figures->answers);
	put_back(cluster);
	return took;
}

static struct sample sample_create(uint32_t count)
{
	return (struct sample){.took = xcalloc(count, sizeof(uint64_t)),
			       .candidates = xcalloc(count, sizeof(uint32_t)),
			       .count = count};
}

static int by_time(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static void sum_up(struct sample *sample, struct hook_figures *figures)
{
	uint64_t clock = clock_cost();
	uint32_t half = sample->count / 2, tail = (uint32_t)(sample->count * UINT64_C(999) / 1000);

	qsort(sample->took, sample->count, sizeof(*sample->took), by_time);
	qsort(sample->candidates, sample->count, sizeof(*sample->candidates), by_number);
	figures->median_ns = sample->took[half] - MIN(clock, sample->took[half]);
	figures->tail_ns = sample->took[tail] - MIN(clock, sample->took[tail]);
	figures->candidates = sample->candidates[half];
	xfree(sample->took);
	xfree(sample->candidates);
}

/* All nodes that have room, from the first on. */
static uint32_t set_candidates(struct hook_cluster *cluster, const struct hook_kind *kind)
{
	uint32_t count = 0, most = kind->candidates_max ? kind->candidates_max : cluster->count;

	bit_clear_all(cluster->candidates);
	for (uint32_t node = 0; node < cluster->count && count < most; node++) {
		if (HOOK_GPUS - gw_gpus_count(cluster->busy[node]) < kind->gpus)
			continue;
		bit_set(cluster->candidates, node);
		count++;
	}
	return count;
}

void hook_ask_kind(struct hook_cluster *cluster, const struct hook_kind *kind, uint32_t rounds,
		   struct hook_figures *figures)
{
	struct sample sample = sample_create(rounds);
	struct hook_figures warm_up = {0};
	uint32_t candidates;

	*figures = (struct hook_figures){.name = kind->name, .answers = SUM_FIRST};
	set_question(cluster, kind);
	candidates = set_candidates(cluster, kind);
	for (uint32_t i = 0; i < WARM_UP; i++)
		ask(cluster, &warm_up);
	for (uint32_t i = 0; i < rounds; i++) {
		sample.took[i] = ask(cluster, figures);
		sample.candidates[i] = candidates;
	}
	sum_up(&sample, figures);
}

/* Room for so many GPUs at least: all are free in one of ten, if that is not asked for anyway. */
static gw_gpus busy_with_room(struct gw_random *random, uint32_t gpus)
{
	gw_gpus busy = 0;

	if (!gw_random_below(random, 10))
		return 0;
	for (uint64_t left = gw_random_below(random, HOOK_GPUS - gpus + 1); left; left--)
		busy |= (gw_gpus)1 << gw_random_below(random, HOOK_GPUS);
	return busy;
}

/* Other nodes each time, in other states, and what select has just made of them. */
static void set_random_candidates(struct hook_cluster *cluster, const struct hook_kind *kind,
				  uint32_t count)
{
	bit_clear_all(cluster->candidates);
	while (count) {
		uint32_t node = (uint32_t)gw_random_below(&cluster->random, cluster->count);

		if (bit_test(cluster->candidates, node))
			continue;
		hook_node_set(cluster, node, busy_with_room(&cluster->random, kind->gpus));
		bit_set(cluster->candidates, node);
		count--;
	}
}

void hook_ask_busy(struct hook_cluster *cluster, uint32_t rounds, struct hook_figures *figures)
{
	struct sample sample = sample_create(rounds);
	struct hook_figures warm_up = {0};

	*figures = (struct hook_figures){.name = "busy cluster", .answers = SUM_FIRST};
	for (uint32_t i = 0; i < WARM_UP + rounds; i++) {
		uint32_t candidates, at = i < WARM_UP ? 0 : i - WARM_UP;
		const struct hook_kind *kind = hook_busy_draw(&cluster->random, &candidates);

		set_question(cluster, kind);
		set_random_candidates(cluster, kind, candidates);
		sample.took[at] = ask(cluster, i < WARM_UP ? &warm_up : figures);
		sample.candidates[at] = candidates;
	}
	sum_up(&sample, figures);
}
