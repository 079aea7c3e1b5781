// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A decision with all that it was made from, as text, so that it can be made again elsewhere.
 *
 * Owns: the format, and the comparison. Does not own: where the text goes.
 *
 * The format is Gangway's records, one a line: "Decision=KIND Version=1 ...", then its inputs
 * and its answer, one line an item, then "End=KIND Sum=...", a checksum of the lines before.
 * Writing what was read gives the same bytes. Indexes are those of the configuration whose
 * checksum is in Conf.
 */
#ifndef GW_CORE_DECISION_H
#define GW_CORE_DECISION_H

#include "../util/record.h"
#include "cluster.h"
#include "job.h"
#include "mix.h"
#include "order.h"
#include "quota.h"

enum gw_decision_kind {
	GW_DECISION_PLACEMENT,
	GW_DECISION_QUOTA,
	GW_DECISION_ORDER,
	GW_DECISION_KIND_COUNT,
};

/* For how long a job alone would keep a node from becoming whole: what two grids come to. */
struct gw_decision_broken {
	uint32_t node;    /* position in nodes */
	uint32_t seconds; /* gw_place_broken_seconds(); UINT32_MAX: not known */
};

/*
 * Which nodes: gw_place_nodes(). The shape of nodes[i] is an index into shapes. Grids are not
 * recorded, but what they come to: written from broken when there are some, else from the grids
 * of ask and nodes. What was read has broken, and no grids; and mix, but no ask.mix.
 */
struct gw_decision_placement {
	struct gw_ask ask;
	struct gw_shape_info *shapes;
	size_t shape_count;
	struct gw_node *nodes;
	size_t node_count;
	struct gw_choice *choices; /* the answer; none: no preference */
	size_t choice_count;
	struct gw_decision_broken *broken;
	size_t broken_count;
	struct gw_mix_source mix; /* what ask.mix was made of; no kinds: it was NULL */
	uint32_t stays;           /* with it: gw_place_stay_seconds() */
};

/* What one pool holds of one flavor, in GPUs. */
struct gw_decision_held {
	int32_t pool, flavor;
	uint32_t gpus;
};

/* May it start: gw_quota_ask(). */
struct gw_decision_quota {
	struct gw_quota_ask ask;
	uint32_t minute; /* of the week */
	struct gw_decision_held *held;
	size_t held_count;
	struct gw_quota_answer answer;
};

/* A position in the jobs of an order. */
struct gw_decision_barred {
	uint32_t job;
};

/* Who is next: gw_order_ranks(). Names and meanings as in struct gw_order_input. */
struct gw_decision_order {
	int64_t now;
	bool has_quota;  /* false: nothing is held back by quota; held is empty then */
	uint32_t minute; /* of the week */
	struct gw_job *jobs;
	size_t job_count;
	struct gw_decision_barred *barred;
	size_t barred_count;
	double *usage, *rates; /* by line; rates: held now */
	size_t usage_count, rate_count;
	struct gw_decision_held *held;
	size_t held_count;
	struct gw_order_gpus *gpus; /* by flavor; none: it was not known */
	size_t gpus_count;
	struct gw_order_gap *gaps;
	size_t gap_count;
	struct gw_order_rank *ranks; /* the answer */
	size_t rank_count;
};

struct gw_decision {
	enum gw_decision_kind kind;
	uint32_t job;
	int64_t at;    /* seconds since the epoch */
	uint64_t conf; /* gw_decision_checksum() of the configuration's text */
	struct gw_decision_placement placement; /* that of kind; the others are all 0 */
	struct gw_decision_quota quota;
	struct gw_decision_order order;
};

/* FNV-1a, 64 bits. Start with 0; give the result to go on with the next file. */
uint64_t gw_decision_checksum(uint64_t sum, const char *text);

/*
 * Appends a decision. The arrays stay the caller's. Returns 0; -1 with error when memory is
 * out, or when an index or number can not be read back (str may then hold a part of it).
 */
int gw_decision_write(const struct gw_decision *decision, struct gw_str *str,
		      struct gw_error *error);

/*
 * Reads the next decision. Returns 1 with one that gw_decision_free() frees, 0 at the end, -1
 * with error, which names the line, and nothing to free; a caller may go on behind it.
 */
int gw_decision_read(struct gw_record_reader *reader, struct gw_decision *decision,
		     struct gw_error *error);

/* Frees what gw_decision_read() gave. */
void gw_decision_free(struct gw_decision *decision);

/*
 * Decides again from the inputs. Returns 0 when the answer is the same; 1 when it is not, with
 * what differs in difference; -1 with error when it can not be said: another configuration, or
 * memory is out. Placement needs no configuration: conf may be NULL.
 */
int gw_decision_repeat(const struct gw_decision *decision, const struct gw_conf *conf,
		       uint64_t conf_sum, struct gw_error *difference, struct gw_error *error);

/* "placement", "quota", "order". */
const char *gw_decision_kind_name(enum gw_decision_kind kind);

#endif
