// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Why a job waits, and the smallest change that would start it.
 *
 * Owns: the order of reasons, which kind of problem each is, and the words. Does not own the
 * facts: the caller gathers them, and every part it does not know stays 0 or NULL. Only the
 * first reason in the order of enum gw_explain_tier is told as the reason; the figures of the
 * others are given as far as they are known.
 */
#ifndef GW_CORE_EXPLAIN_H
#define GW_CORE_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "quota.h"

/* From the most to the least fundamental. */
enum gw_explain_tier {
	GW_TIER_MISCONFIGURED,
	GW_TIER_NEVER_FITS,
	GW_TIER_HELD,
	GW_TIER_OVER_QUOTA,
	GW_TIER_TOPOLOGY,
	GW_TIER_BEHIND,
	GW_TIER_NONE, /* nothing stands in its way */
	GW_TIER_COUNT,
};

enum gw_problem {
	GW_PROBLEM_INVISIBLE,    /* the GPU exists, Slurm does not offer it */
	GW_PROBLEM_UNAVAILABLE,  /* it is busy, fragmented or excluded */
	GW_PROBLEM_UNCONTROLLED, /* quota, class or fairness decides */
	GW_PROBLEM_NONE,
	GW_PROBLEM_COUNT,
};

enum gw_explain_hold {
	GW_HOLD_NONE,
	GW_HOLD_USER,
	GW_HOLD_ADMIN,
	GW_HOLD_DEPENDENCY,
	GW_HOLD_BEGIN_TIME,
	GW_HOLD_RESERVATION,
	GW_HOLD_QUEUE, /* gangway hold or drain */
	GW_HOLD_OTHER,
	GW_HOLD_COUNT,
};

/* A running job of the same flavor. */
struct gw_explain_end {
	uint32_t job, gpus;
	int64_t in; /* seconds from now, by its limit */
};

/* Another flavor the queue may use. */
struct gw_explain_flavor {
	const char *name, *partition;
	uint32_t free; /* GPUs idle on nodes that this job could use */
	uint32_t room; /* that the pool may still take of it */
};

struct gw_explain_facts {
	uint32_t job, gpus;
	uint32_t gpus_per_node; /* fewest on one node; 0: any spread will do */
	uint32_t nodes;         /* fewest nodes */
	int64_t limit;
	const char *queue, *pool, *cohort, *flavor; /* cohort: of the answer of quota */
	bool may_name_others; /* the reader may see jobs and queues of others (PrivateData) */

	const char *misconfigured;   /* what is wrong, in a few words */
	uint32_t unregistered_nodes; /* GPUs not registered since slurmctld started */
	const char *fitting_shape;   /* it never fits; options of the nearest shape that does */
	enum gw_explain_hold hold;
	const char *hold_on; /* a dependency, a reservation, a reason; may be NULL */
	int64_t hold_left;   /* GW_HOLD_BEGIN_TIME: seconds */

	const struct gw_quota_answer *quota;    /* NULL: not under quota */
	const struct gw_quota_figures *figures; /* NULL: not known */
	int64_t loan_time, until_peak;          /* seconds; of GW_QUOTA_LOAN_TIME, PEAK_STRICT */

	bool placement_known;
	bool fits_now;           /* there are nodes for it this moment */
	uint32_t free;           /* GPUs of its flavor that are idle */
	uint32_t free_on_a_node; /* most of them on one node */
	uint32_t free_nodes;     /* nodes with gpus_per_node of them */
	int64_t small_hold_left; /* seconds it still steps back for a whole-node job; 0: no */
	uint32_t small_batch;    /* or until so many GPUs step back; 0: no matter */

	uint32_t rank;     /* 1 goes first; 0: not ranked */
	bool gap;          /* its rank is what it is for a gap (GapMatch) */
	uint32_t next_job; /* right before it */
	const char *next_queue;
	double key, least_key; /* weighted GPUs in use and used: its queue, the least queue */
	const char *least_queue;

	const struct gw_explain_end *ends; /* soonest first */
	size_t end_count;
	const struct gw_explain_flavor *flavors; /* in the queue's order, without its own */
	size_t flavor_count;
	int64_t start_in, start_error; /* estimate and its usual error, seconds; 0, 0: none */
};

/* From the smallest for the user. */
enum gw_change_kind {
	GW_CHANGE_RELEASE,
	GW_CHANGE_SHAPE,
	GW_CHANGE_LIMIT,
	GW_CHANGE_GPUS,
	GW_CHANGE_FLAVOR,
	GW_CHANGE_JOB_END, /* nothing to do but wait for it */
	GW_CHANGE_KIND_COUNT,
};

struct gw_change {
	enum gw_change_kind kind;
	int64_t value; /* GPUs, seconds, a job id, or a position in facts.flavors */
	char text[160];
};

#define GW_CHANGES_MAX 4

struct gw_explanation {
	enum gw_explain_tier tier;
	enum gw_problem problem;
	char line[201]; /* for squeue: one sentence */

	/* For `gangway why`: each is empty where nothing is known. */
	char rank[160], gap[120], share[200], quota[256], placement[200], start[120];
	struct gw_change change[GW_CHANGES_MAX]; /* smallest first */
	size_t change_count;
};

/* Explains one pending job. Allocates nothing and can not fail. */
void gw_explain(const struct gw_explain_facts *facts, struct gw_explanation *explanation);

/* "misconfigured", "never-fits", ...; "invisible", ...; "limit", "gpus", ...: for JSON. */
const char *gw_explain_tier_name(enum gw_explain_tier tier);
const char *gw_problem_name(enum gw_problem problem);
const char *gw_change_kind_name(enum gw_change_kind kind);

#endif
