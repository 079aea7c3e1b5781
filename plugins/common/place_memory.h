// SPDX-License-Identifier: GPL-2.0-or-later
/* What the placement hook works in, kept between questions so that none is allocated in one. */
#ifndef GW_PLACE_MEMORY_H
#define GW_PLACE_MEMORY_H

#include "plugins/common/domains.h"
#include "plugins/common/shapes.h"
#include "plugins/common/snapshot.h"
#include "src/core/place.h"

/* Cores to use on one chosen node. */
struct gw_core_choice {
	bool some; /* false: any */
	struct gw_cores cores;
};

struct gw_place_memory {
	struct gw_shapes *shapes;
	struct gw_domains domains;
	node_use_record_t **usage; /* stock's, by node index; NULL: not found */
	part_res_record_t **parts; /* stock's, in which jobs have cores; NULL: not found */
	struct gw_place *place;
	struct gw_node *node;         /* size of them */
	struct gw_choice *choice;     /* size of them */
	size_t size;                  /* nodes */
	bitstr_t *chosen;             /* of the nodes in choice */
	struct gw_core_choice *cores; /* cores_size of them */
	size_t cores_size;
	/* The question before an answer inside the preference, before all answers, and Slurm's
	 * answer. */
	struct gw_snapshot *before, *before_all, *stock;
	bitstr_t *tested; /* the nodes of a test of a job, before it */
	/* Of the question. */
	time_t now;
	bool run_now;
	bool words;          /* gw_bits_are_words() */
	bool may_share;      /* GPUs of some node may also be shared GRES (mps, shard) */
	size_t unregistered; /* nodes that are left out as GPUs of theirs have not registered */
};

/* Makes memory (all zero at first) big enough for so many nodes. False: memory is out. */
bool gw_place_memory_fit(struct gw_place_memory *memory, size_t nodes);

/* Makes room for the cores of so many chosen nodes. NULL: memory is out. */
struct gw_core_choice *gw_place_memory_cores(struct gw_place_memory *memory, size_t count);

void gw_place_memory_free(struct gw_place_memory *memory);

/* The engine's; used under Slurm's job write lock, so by one thread at a time. NULL: memory is out.
 */
struct gw_place_memory *gw_engine_place_memory(size_t nodes);

#endif
