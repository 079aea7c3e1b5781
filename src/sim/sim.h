// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a policy would have done: one trace, one cluster, one policy, in virtual time.
 *
 * Owns: the model of Slurm around the policy: start at submit, main passes, backfill with
 * reservations of whole nodes, limits, arrays. Does not own: policy (src/core and peer*.c),
 * reading, printing. No I/O, no clock; the same input gives the same result, bit for bit.
 */
#ifndef GW_SIM_SIM_H
#define GW_SIM_SIM_H

#include "../core/conf.h"
#include "cluster_model.h"
#include "trace.h"

/* Who is next. */
enum gw_sim_order {
	GW_SIM_ORDER_FIFO,        /* eligible time */
	GW_SIM_ORDER_MULTIFACTOR, /* class, then fair share by decayed usage, then age */
	GW_SIM_ORDER_DRF,         /* class, then the least share held now over weight */
	GW_SIM_ORDER_KUEUE,       /* usage sampled, with a one-sample penalty, before class */
	GW_SIM_ORDER_GANGWAY,     /* gw_order_ranks() */
	GW_SIM_ORDER_COUNT,
};

/* Who else may start. */
enum gw_sim_backfill {
	GW_SIM_BACKFILL_NONE, /* the first that can not start stops all */
	GW_SIM_BACKFILL_ONE,  /* only the first blocked job has a reservation (EASY) */
	GW_SIM_BACKFILL_ALL,  /* every blocked job has one, as Slurm's backfill does */
	GW_SIM_BACKFILL_COUNT,
};

/* Where. */
enum gw_sim_place {
	GW_SIM_PLACE_STOCK,     /* Slurm's own: tightest run of neighbouring nodes */
	GW_SIM_PLACE_FIRST_FIT, /* lowest index */
	GW_SIM_PLACE_LLN,       /* least loaded nodes (CR_LLN) */
	GW_SIM_PLACE_BEST_FIT,  /* least GPUs left */
	GW_SIM_PLACE_FGD,       /* least growth of fragmentation */
	GW_SIM_PLACE_BUDDY,     /* aligned cells of 1, 2, 4, 8 GPUs */
	GW_SIM_PLACE_GANGWAY,   /* gw_place_nodes() */
	GW_SIM_PLACE_FUNGIBLE,  /* GPUs without nodes: the bound */
	GW_SIM_PLACE_COUNT,
};

struct gw_sim_policy {
	const char *name;
	enum gw_sim_order order;
	enum gw_sim_backfill backfill;
	enum gw_sim_place place;
	bool private_nodes; /* each queue has nodes of its own, in proportion to Weight */
	/*
	 * Queues and weights, classes, pools. Peers take queues, weights and classes from it;
	 * only Gangway's order takes all of it. Must outlive the run.
	 */
	const struct gw_conf *conf;
};

/* Policies by name: "fifo", "fifo-backfill", "stock", "lln", "best-fit", "fgd", "buddy", "drf",
 * "kueue", "pool", "gangway", ... Fills in all but conf; false: there is no such one. */
bool gw_sim_policy_named(const char *name, struct gw_sim_policy *policy);
/* The i-th of them with a line that says what it is; NULL at their end. */
const char *gw_sim_policy_list(size_t i, const char **help);

struct gw_sim_options {
	uint32_t seed;       /* 0: times as recorded */
	int64_t jitter;      /* submit times are moved by up to this, either way */
	double warmup;       /* part of the window that metrics leave out; 0.1 is usual */
	int64_t from, until; /* the window; 0: from the first, until the last submit */
	size_t samples;      /* bins of the series; 0: none */
	int64_t utc_offset;  /* what makes times of the trace the site's clock: for Peak= */
	/* Told now and then how far it is, 0 to 1; NULL: nobody wants to know. */
	void (*progress)(void *arg, double done);
	void *progress_arg;
};

#define GW_SIM_SIZES 4 /* of jobs: 1-7 GPUs, 8, 9-31, 32 and more; see gw_sim_size_name() */

/* Waits, from eligible to start, in seconds. */
struct gw_sim_waits {
	size_t count;
	double mean, p50, p95, p99, max;
};

/* As 4-testing.md's table; parts (0 to 1), hours. NaN: nothing to measure it on. */
struct gw_sim_metrics {
	double f1, f2, f3, d, d7, util;
	double p95_ge8_h, max_ge8_h, p95_lt8_h, mean_lt8_h;
	double p95_high_h, max_high_h, mean_low_h, mean_h, p99_h;
	double interventions; /* a week */
};

/* Time averages over one bin. Arrays of queues have queue_count items a bin, one after another. */
struct gw_sim_series {
	size_t bins, queue_count;
	int64_t from, width; /* seconds */
	double *pending_jobs, *pending_gpus;
	double *used, *stranded; /* GPUs */
	double *held, *entitled; /* GPUs, by queue */
};

struct gw_sim_run {
	uint32_t job; /* index into the trace */
	int64_t eligible, start, end;
};

struct gw_sim_result {
	struct gw_sim_metrics metrics;
	/* [0]: all; then by class in the configuration's order; by queue; by size. */
	struct gw_sim_waits all, *by_class, *by_queue, by_size[GW_SIM_SIZES];
	size_t class_count, queue_count;
	/* By class and size: class_count * GW_SIM_SIZES. */
	struct gw_sim_waits *by_class_size;
	struct gw_sim_series series;
	struct gw_sim_run *run; /* every job that ran, by start */
	size_t run_count;
	size_t left_out; /* jobs that fit no empty cluster, or that quota never lets start */
	size_t outside;  /* jobs of no queue: they run, and are in no queue's figures */
	uint64_t main_passes, backfill_passes;
};

/*
 * Returns 0 with a result for gw_sim_result_free(), or -1 with error. Jobs that run at the end of
 * the window run on until the last job has ended.
 */
int gw_sim_run(const struct gw_trace *trace, const struct gw_model *model,
	       const struct gw_sim_policy *policy, const struct gw_sim_options *options,
	       struct gw_sim_result *result, struct gw_error *error);
void gw_sim_result_free(struct gw_sim_result *result);

/*
 * The same figures of what really happened: starts, ends and nodes as recorded. Jobs without them
 * are left out and counted.
 */
int gw_sim_recorded(const struct gw_trace *trace, const struct gw_model *model,
		    const struct gw_sim_policy *policy, const struct gw_sim_options *options,
		    struct gw_sim_result *result, struct gw_error *error);

/* "1-7", "8", "9-31", "32+" GPUs; and which one a job is of. */
const char *gw_sim_size_name(size_t size);
size_t gw_sim_size_of(uint32_t gpus);

#endif
