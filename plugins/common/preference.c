// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/preference.h"

#include <string.h>

#include "plugins/common/learned.h"
#include "plugins/common/preference_impl.h"
#include "plugins/common/recorder.h"
#include "plugins/common/weak.h"

/* One question on its way: what is asked, and the answer so far. */
struct work {
	const struct gw_placement *question;
	const struct gw_ask *ask;
	struct gw_place_memory *memory;
	size_t nodes;  /* in memory->node */
	size_t chosen; /* in memory->choice */
};

static void record(const struct work *work)
{
	struct gw_policy *policy = gw_engine_policy();
	struct gw_place_memory *memory = work->memory;
	struct gw_decision decision = {
		.kind = GW_DECISION_PLACEMENT,
		.job = work->question->job->job_id,
		.placement =
			{
				.ask = *work->ask,
				.nodes = memory->node,
				.node_count = work->nodes,
				.choices = memory->choice,
				.choice_count = work->chosen,
			},
	};

	if (work->ask->mix) {
		decision.placement.mix = *gw_mix_source(work->ask->mix);
		decision.placement.stays = gw_place_stay_seconds(work->ask);
	}
	decision.placement.shapes = gw_shapes_info(memory->shapes, &decision.placement.shape_count);
	if (policy)
		gw_recorder_add(policy, &decision);
	gw_policy_put(policy);
}

static bool ask_core(struct work *work, const char **reason)
{
	struct gw_place_memory *memory = work->memory;

	work->chosen = gw_place_nodes(memory->place, work->ask, memory->node, work->nodes,
				      memory->choice, memory->size, reason);
	return work->chosen > 0;
}

static bool in_one_domain(const struct work *work, int level)
{
	const struct gw_domains *domains = &work->memory->domains;
	const struct gw_choice *choice = work->memory->choice;
	uint32_t first = gw_domains_of(domains, level, choice[0].index);

	for (size_t i = 1; i < work->chosen; i++)
		if (gw_domains_of(domains, level, choice[i].index) != first)
			return false;
	return true;
}

static void set_level(struct work *work, int level)
{
	for (size_t i = 0; i < work->nodes; i++) {
		struct gw_node *node = &work->memory->node[i];

		node->domain = gw_domains_of(&work->memory->domains, level, node->index);
		node->wider = gw_domains_wider(&work->memory->domains, level, node->index);
	}
}

/* Brings the nodes of the domain of one to the front; returns their number. */
static size_t to_front(struct work *work, int level, uint32_t index)
{
	const struct gw_domains *domains = &work->memory->domains;
	uint32_t domain = gw_domains_of(domains, level, index);
	struct gw_node *node = work->memory->node;
	size_t front = 0;

	for (size_t i = 0; i < work->nodes; i++) {
		struct gw_node one = node[i];

		if (gw_domains_of(domains, level, one.index) != domain)
			continue;
		node[i] = node[front];
		node[front++] = one;
	}
	return front;
}

/*
 * Core knows domains of one level. An answer that no smallest domain holds is looked for level
 * by level, and in the first one of which a domain holds it asked for again, so that it is not
 * spread over the network where stock would have kept it together.
 */
static void gather(struct work *work, const char **reason)
{
	const struct gw_domains *domains = &work->memory->domains;
	bool held = work->chosen < 2 || in_one_domain(work, 0);
	int level = 1;

	if (held || domains->levels < 2)
		return;
	for (; !held && level < domains->levels; level++) {
		set_level(work, level);
		if (!ask_core(work, reason))
			return;
		held = in_one_domain(work, level);
	}
	if (held)
		work->nodes = to_front(work, level - 1, work->memory->choice[0].index);
	set_level(work, 0);
	ask_core(work, reason);
}

static bool has_all(const struct work *work, bitstr_t *wanted)
{
	bitoff_t left = bit_set_count(wanted);

	for (size_t i = 0; i < work->chosen; i++)
		left -= bit_test(wanted, work->memory->choice[i].index) ? 1 : 0;
	return left == 0;
}

/* Whether the nodes that the user names are all that the job may have. */
static bool are_all(const struct work *work, bitstr_t *named)
{
	uint32_t most = work->ask->gpus ? work->ask->max_nodes : work->ask->min_nodes;

	return (uint32_t)bit_set_count(named) >= most;
}

/* Named nodes are the only ones, or the first to be taken. */
static void prefer_named(struct work *work, bitstr_t *named, bool only)
{
	struct gw_node *node = work->memory->node;
	size_t kept = 0;

	for (size_t i = 0; i < work->nodes; i++) {
		bool is = bit_test(named, node[i].index);

		if (only && !is)
			continue;
		node[kept] = node[i];
		node[kept].weight = is ? 0 : MAX(node[i].weight, 1);
		kept++;
	}
	work->nodes = kept;
}

/* Where others go with them, in the smallest domain of a named node that gives all of them. */
static bool ask_for_named(struct work *work, bitstr_t *named, const char **reason)
{
	bool only = are_all(work, named);
	size_t count;

	prefer_named(work, named, only);
	count = work->nodes;
	for (int level = 0; !only && level < work->memory->domains.levels; level++) {
		work->nodes = to_front(work, level, (uint32_t)bit_ffs(named));
		if (ask_core(work, reason) && has_all(work, named))
			return true;
		work->nodes = count;
	}
	return ask_core(work, reason);
}

/* The bitmap of chosen nodes, all clear. */
static bitstr_t *no_nodes(struct gw_place_memory *memory, bitoff_t size)
{
	if (memory->chosen && bit_size(memory->chosen) == size) {
		bit_clear_all(memory->chosen);
	} else {
		FREE_NULL_BITMAP(memory->chosen);
		memory->chosen = bit_alloc(size);
	}
	return memory->chosen;
}

static void set_answer(const struct work *work, const gres_job_state_t *request,
		       struct gw_preference *preference)
{
	const struct gw_placement *question = work->question;

	preference->nodes = no_nodes(work->memory, bit_size(question->node_map));
	preference->choice = work->memory->choice;
	preference->memory = work->memory;
	preference->count = work->chosen;
	preference->wide = work->chosen > MAX(question->min_nodes, 1) || !in_one_domain(work, 0);
	for (size_t i = 0; i < work->chosen; i++) {
		const struct gw_choice *choice = &preference->choice[i];
		const sock_gres_t *gres = gw_preference_gpus(question->avail_res[choice->index]);
		gw_gpus free;

		bit_set(preference->nodes, choice->index);
		if (gres && choice->gpus && gw_preference_free_gpus(gres, &free) &&
		    free != choice->gpus)
			preference->narrows_gpus = true;
	}
	preference->by_socket = work->ask->sockets > 0;
	preference->cores =
		gw_preference_cores(question, request, work->ask, work->memory, work->chosen);
	if (preference->by_socket && !preference->cores) {
		preference->nodes = NULL;
		preference->reason = "no cores to go with GPUs by socket";
	}
}

static void choose(struct work *work, const gres_job_state_t *request,
		   struct gw_preference *preference)
{
	bitstr_t *named = work->question->job->details->req_node_bitmap;

	work->nodes = gw_preference_nodes(work->question, request, work->ask, work->memory);
	preference->all_registered = !work->memory->unregistered;
	if (named ? ask_for_named(work, named, &preference->reason)
		  : ask_core(work, &preference->reason))
		gather(work, &preference->reason);
	if (gw_recorder_wants(GW_DECISION_PLACEMENT))
		record(work);
	if (work->chosen && named && !has_all(work, named)) {
		preference->reason = "the user names other nodes";
		work->chosen = 0;
	}
	if (work->chosen)
		set_answer(work, request, preference);
}

/* Without what is learned where its thread has it just now. */
static bool take_learned(const struct gw_placement *question, struct gw_ask *ask,
			 float stays[GW_GRID_POINTS])
{
	if (!gw_learned_take())
		return false;
	gw_learned_ask(question->job, gw_engine_test()->queue, stays);
	ask->stays = stays;
	ask->mix = gw_learned_mix();
	return true;
}

void gw_preference_make(const struct gw_placement *question, uint32_t nodes,
			struct gw_preference *preference)
{
	struct gw_ask ask;
	struct work work = {.question = question, .ask = &ask};
	const gres_job_state_t *request;
	float stays[GW_GRID_POINTS];
	bool many, learned;

	memset(preference, 0, sizeof(*preference));
	request = gw_preference_request(question->job, &many);
	preference->reason =
		many ? "not GPUs of one kind alone"
		     : gw_preference_ask(question, request, nodes, &ask, &preference->range);
	if (preference->reason)
		return;
	work.memory = gw_engine_place_memory((size_t)bit_size(question->node_map));
	if (!work.memory) {
		preference->reason = "no memory";
		return;
	}
	learned = take_learned(question, &ask, stays);
	choose(&work, request, preference);
	if (learned)
		gw_learned_give_back();
}

void gw_preference_log(const struct gw_placement *question, const struct gw_preference *preference)
{
	const struct gw_choice *first = preference->choice;

	debug("gangway: observe: %pJ: would have %zu nodes, the first %s with GPUs 0x%" PRIx64,
	      question->job, preference->count, node_record_table_ptr[first->index]->name,
	      first->gpus);
}

/* Clears what is not in mask; returns what is left. */
static uint64_t narrow(bitstr_t *bits, gw_gpus mask)
{
	bitoff_t size = bits ? bit_size(bits) : 0;
	uint64_t left = 0;

	for (bitoff_t i = 0; i < size; i++) {
		if (!(mask & ((gw_gpus)1 << i)))
			bit_clear(bits, i);
		left += bit_test(bits, i) ? 1 : 0;
	}
	return left;
}

/* The counts of stock's record follow its bitmaps: they are what its arithmetic uses. */
static void narrow_gres(sock_gres_t *gres, gw_gpus mask)
{
	gres->total_cnt = 0;
	if (gres->bits_any_sock) {
		gres->cnt_any_sock = narrow(gres->bits_any_sock, mask);
		gres->total_cnt += gres->cnt_any_sock;
	}
	for (int s = 0; gres->bits_by_sock && s < gres->sock_cnt; s++) {
		if (!gres->bits_by_sock[s])
			continue;
		gres->cnt_by_sock[s] = narrow(gres->bits_by_sock[s], mask);
		gres->total_cnt += gres->cnt_by_sock[s];
	}
}

bool gw_preference_narrows(const struct gw_preference *preference, enum gw_narrow narrow)
{
	if (narrow == GW_NARROW_CORES)
		return preference->cores != NULL;
	if (preference->by_socket)
		return false;
	return narrow == GW_NARROW_NODES || preference->narrows_gpus;
}

void gw_preference_apply(const struct gw_preference *preference, struct gw_placement *question,
			 enum gw_narrow narrow)
{
	bit_and(question->node_map, preference->nodes);
	for (size_t i = 0; narrow >= GW_NARROW_GPUS && i < preference->count; i++)
		narrow_gres(gw_preference_gpus(question->avail_res[preference->choice[i].index]),
			    preference->choice[i].gpus);
	for (size_t i = 0; narrow == GW_NARROW_CORES && i < preference->count; i++)
		if (preference->cores[i].some)
			gw_preference_narrow_cores(question, preference->choice[i].index,
						   &preference->cores[i].cores);
}
