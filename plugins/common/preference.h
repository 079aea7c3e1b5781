// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What core would have of a placement question: which nodes, and which GPUs of each. Applied by
 * narrowing the question before stock is asked; stock's answer inside that is the answer, and
 * when it has none the question is put back and asked again as it was.
 */
#ifndef GW_PREFERENCE_H
#define GW_PREFERENCE_H

#include "plugins/common/place_memory.h"
#include "plugins/common/placement.h"

struct gw_preference {
	bitstr_t *nodes;                /* the chosen ones; NULL: no preference */
	const struct gw_choice *choice; /* one a chosen node */
	size_t count;
	bool by_socket;                     /* GPUs, and of no use without the cores */
	bool narrows_gpus;                  /* some node has more free GPUs than are to be used */
	const struct gw_core_choice *cores; /* to use, one a chosen node; NULL: any */
	bool wide;           /* not in one smallest domain, or on more nodes than the fewest */
	bool range;          /* no preference: how many nodes it gets is Slurm's to say */
	const char *reason;  /* no preference: why, static text */
	bool all_registered; /* all nodes were looked at, and none must wait: gpus_registered.h */
	struct gw_place_memory *memory; /* where it is; not NULL if there are nodes */
};

/*
 * Asks core. Never changes the question. What the preference points to is the engine's, and stands
 * until the next question. nodes: so many of a range of nodes; 0: as the question says.
 * Questions it leaves to stock: other GRES than GPUs of one kind, shared GRES, contiguous or
 * spread jobs, --segment, partitions that ask for least-loaded nodes. Where the user names all
 * nodes it chooses GPUs of just these; where some, these and others near them.
 */
void gw_preference_make(const struct gw_placement *question, uint32_t nodes,
			struct gw_preference *preference);

/* Whether a question that was not answered yet is about GPUs as they are now, not at a later time.
 */
bool gw_preference_is_of_now(const struct gw_placement *question);

/* Where placement is only observed: says what it would have been, at debug level. */
void gw_preference_log(const struct gw_placement *question, const struct gw_preference *preference);

/* How much of a preference the question is narrowed to. */
enum gw_narrow {
	GW_NARROW_NODES,
	GW_NARROW_GPUS,  /* and to the GPUs of each */
	GW_NARROW_CORES, /* and to cores that go with these */
};

/* Whether narrowing so far says more than the step before. */
bool gw_preference_narrows(const struct gw_preference *preference, enum gw_narrow narrow);

void gw_preference_apply(const struct gw_preference *preference, struct gw_placement *question,
			 enum gw_narrow narrow);

#endif
