// SPDX-License-Identifier: GPL-2.0-or-later
/* What the files of place share. */
#ifndef GW_CORE_PLACE_IMPL_H
#define GW_CORE_PLACE_IMPL_H

#include "place.h"

/* Something to be had in order: lowest major, then minor, then index first. */
struct gw_rank {
	uint64_t major, minor;
	uint32_t index;
	uint32_t position; /* in the array of nodes, or of slots */
	uint32_t slot;     /* of its domain */
};

/* A domain in this question; valid when stamp is the question's. */
struct gw_domain {
	uint32_t id, stamp;
	uint32_t wider; /* what it is part of */
	uint32_t count; /* nodes that could serve */
	uint32_t take;  /* nodes wanted of it */
};

struct gw_place {
	const struct gw_gpuset_table *const *tables;
	size_t table_count, nodes_max;
	struct gw_rank *ranks;   /* nodes_max */
	struct gw_rank *order;   /* nodes_max: domains in use, by some order */
	struct gw_domain *slots; /* slot_mask + 1, found by hash */
	struct gw_domain *wide;  /* the same for what domains are parts of */
	uint32_t *used;          /* nodes_max: slots in use */
	uint32_t slot_mask, used_count, stamp;
};

/* What is asked of each node. */
struct gw_need {
	uint32_t gpus, cpus;
	uint64_t memory; /* MiB */
	bool whole;
	int64_t limit; /* seconds; 0: not known */
	const float *stays;
	const struct gw_mix *mix;
	uint32_t
		span; /* with both of them: seconds it will run, by what is expected and by limit */
};

/* The request as numbers of nodes. */
struct gw_form {
	uint32_t nodes, gpus; /* so many nodes with so many GPUs each .. */
	uint32_t more;        /* .. of which so many have one more */
	uint32_t rest;        /* GPUs on one more node, or 0 */
};

/* A question and its answer so far. */
struct gw_question {
	struct gw_place *place;
	const struct gw_node *nodes;
	size_t count;
	struct gw_choice *choices;
	size_t chosen;
	bool gang; /* of several nodes */
};

/* place_cost.c */
bool gw_node_fits(const struct gw_node *node, const struct gw_need *need);

/* Higher than any cost. */
#define GW_COST_NONE UINT64_MAX

/*
 * Lower is better, of nodes that fit; above: a cost that is known. Of a node that costs more
 * GW_COST_NONE may be the answer.
 */
uint64_t gw_node_cost(const struct gw_node *node, const struct gw_need *need,
		      const struct gw_gpuset_table *table, uint64_t above);

static inline const struct gw_gpuset_table *gw_place_table(const struct gw_place *place,
							   const struct gw_node *node)
{
	return node->shape >= 0 && (size_t)node->shape < place->table_count
		       ? place->tables[node->shape]
		       : NULL;
}

/* The GPUs the job may have there. */
static inline gw_gpus gw_place_offered(const struct gw_node *node)
{
	return node->offered ? node->offered : node->free;
}

/* Costs that differ in nothing but the time when jobs end are equal above this shift. */
#define GW_COST_TIME_BITS 14

/* place_drain.c: broken time as a number of so many bits, in order of time. */
#define GW_DRAIN_CODE_BITS 15
#define GW_DRAIN_CODE_MAX  ((UINT32_C(1) << GW_DRAIN_CODE_BITS) - 1)

/* Above GW_DRAIN_CODE_MAX: it is more than most. */
uint32_t gw_drain_code(const struct gw_node *node, const struct gw_need *need, uint32_t most);

/* What the job costs a node in worth now, and would cost it once all its jobs have ended. */
struct gw_worth_lost {
	uint32_t now, whole; /* in 1/GW_MIX_GPU of a GPU */
};

/* Worth lost while it runs, as such a number; GW_DRAIN_CODE_MAX: not known. */
uint32_t gw_drain_worth_code(const struct gw_node *node, const struct gw_need *need,
			     const struct gw_worth_lost *lost);

/* place_domain.c */
void gw_domains_begin(struct gw_place *place);
/* Counts a node in its domain, added when it is new; returns its slot. */
uint32_t gw_domains_add(struct gw_place *place, const struct gw_node *node);
/* Sets take of each domain so that they sum to nodes; all counts together must suffice. */
void gw_domains_share(struct gw_place *place, uint32_t nodes);

/* place_heap.c: an array becomes a heap, then gives its items in order. */
void gw_heap_make(struct gw_rank *ranks, size_t count);
/* Returns the first, which is put behind the others at ranks[count - 1]. */
struct gw_rank gw_heap_pop(struct gw_rank *ranks, size_t count);

/* place_one.c and place_gang.c: append to the answer; false when the nodes do not hold it. */
bool gw_place_one(struct gw_question *question, const struct gw_need *need, bool near_chosen);
bool gw_place_gang(struct gw_question *question, const struct gw_need *need,
		   const struct gw_form *form);

/* Appends a node with its best GPUs. */
void gw_place_take(struct gw_question *question, const struct gw_node *node, uint32_t gpus);

#endif
