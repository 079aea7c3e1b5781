// SPDX-License-Identifier: GPL-2.0-or-later
/* What the files of the simulator share. */
#ifndef GW_SIM_SIM_IMPL_H
#define GW_SIM_SIM_IMPL_H

#include "../core/ledger.h"
#include "../core/mix_seen.h"
#include "../core/order.h"
#include "../core/place.h"
#include "../core/quota.h"
#include "sim.h"

#define GW_SIM_NEVER INT64_MAX

/* What one node must have for a job. */
struct sim_unit {
	uint32_t gpus, cpus;
	uint64_t memory; /* MiB */
};

/* A request, shared by all jobs that ask for the same. */
struct sim_need {
	uint32_t nodes;             /* so many of unit .. */
	uint32_t unit;              /* index into the units */
	uint32_t rest;              /* .. and one more of this unit; UINT32_MAX: no such one */
	uint32_t gpus;              /* all together */
	uint32_t lane;              /* whose nodes it may use */
	uint32_t ready, rest_ready; /* those of unit and rest there, index into ready */
	uint32_t pending;           /* jobs that wait with it */
	bool fits_empty;            /* could start if nothing else ran */
	bool may_start;             /* there are nodes for it now, reservations aside */
	uint64_t known_at;          /* the machine's version for which may_start holds */
	/* Shortest span asked for in this backfill pass, and the start found for it. */
	uint64_t pass;
	int64_t least_limit, earliest;
};

struct sim_job {
	uint32_t trace;
	uint32_t need;
	int32_t queue, flavor, job_class;
	int64_t submit, eligible, limit, duration;
	int64_t start, end; /* once it runs: when it ends */
	uint32_t *nodes;    /* once it runs */
	uint32_t node_count;
	uint32_t pending_place; /* in the list of those that wait */
	double lower_started; /* GPUs of lower classes: started before it waited; then: meanwhile */
};

/* A job's part of a node. */
struct sim_hold {
	uint32_t job;
	gw_gpus gpus;
	struct sim_unit unit;
	int64_t until; /* by its limit */
};

/* A reservation of the backfill pass that is being made: of a whole node. */
struct sim_reservation {
	int64_t start, end;
	uint32_t next; /* in order of start; UINT32_MAX: the last */
};

struct sim_node {
	gw_gpus all, free;
	uint32_t cpus_free, cpus_total;
	uint64_t memory_free, memory_total;
	struct sim_hold *hold; /* by until */
	uint32_t hold_count, hold_room;
};

/* When a unit is to be had on the nodes of a lane; see sim_ready.c. */
struct sim_ready {
	uint32_t unit, lane;
	int64_t *at;      /* by node: 0 now, GW_SIM_NEVER never */
	uint32_t *order;  /* nodes of the lane by at, then by index */
	size_t count;     /* of them */
	size_t now_count; /* that are to be had now: the first ones, so by index */
	uint64_t seen;    /* how many of the changes are in it */
	bool known;
};

/* Ends of running jobs by their limits; see sim_windows.c. */
struct sim_windows {
	int64_t *end;           /* NULL: nobody asks */
	size_t sorted, count;   /* the first ones are in order; those of this pass follow */
	int64_t ready, noticed; /* of the last answer: from that time on to this */
};

struct sim_event {
	int64_t at;
	uint32_t job;
};

/* Who waits, in the order of one pass. */
struct sim_turn {
	uint32_t job;
	bool barred;    /* may not start whatever nodes there are: takes no depth, blocks nobody */
	bool for_nodes; /* waits for nodes even where quota is used up: blocks and reserves */
	double key[3];  /* then eligible time, then the order of submits */
};

/* Integrals of one simulation; see sim_measure.c. */
struct sim_measure;
struct gw_predict;
struct gw_drain;

struct sim {
	const struct gw_trace *trace;
	const struct gw_model *model;
	const struct gw_sim_policy *policy;
	const struct gw_sim_options *options;
	struct gw_error *error;

	struct sim_job *job; /* by submit */
	size_t job_count;
	int64_t now, from, until;

	struct sim_node *node;
	size_t node_count;
	size_t largest;   /* the last node of those with the most GPUs */
	uint64_t version; /* of all nodes: every start and end */
	uint32_t total_gpus, free_gpus, node_gpus_max;
	struct sim_unit *unit;
	size_t unit_count;
	struct sim_ready *ready; /* by unit and lane, as far as needs have them */
	size_t ready_count;
	uint32_t *changed; /* the last changed_room nodes where something started or ended */
	size_t changed_room;
	uint64_t changed_count; /* of all so far */
	struct sim_need *need;
	size_t need_count;
	bool *lane_has; /* lane * node_count + node */
	size_t lane_count;

	uint32_t *pending;           /* jobs */
	struct gw_job *pending_view; /* the same, as the core sees them */
	size_t pending_count;
	struct sim_event *ends; /* a heap, the next first */
	size_t end_count;

	struct sim_turn *turn;
	size_t turn_count;
	uint32_t ordered; /* jobs below that wait are in turn, in order; 0: not known */
	bool *lane_blocked;
	uint32_t *queue_gpus;    /* that run, by queue */
	uint32_t *queue_pending; /* GPUs that wait, by queue */
	double *queue_usage;     /* as last sampled, by queue */
	int64_t sampled_at, refreshed_at;

	struct gw_ledger *ledger;
	struct gw_quota *quota;
	struct gw_order_workspace *order;
	struct gw_place *place;
	struct gw_gpuset_table **table;
	struct gw_predict *predict;
	struct gw_drain *drain;
	struct gw_mix_seen *seen;
	struct gw_mix *worth; /* to the jobs seen; NULL: not known, or it does not matter */
	int64_t worth_at;
	double *usage, *held;              /* by line */
	struct gw_order_gpus *flavor_gpus; /* by flavor, for the order */

	struct gw_node *candidate; /* node_count */
	struct gw_choice *choice;  /* node_count */
	struct gw_order_gap *gap;  /* node_count */
	int64_t *least;            /* node_count */
	uint64_t *marked;          /* a bit by node */
	uint32_t *reserved;        /* by node, its first reservation; UINT32_MAX: none */
	struct sim_reservation *reservation;
	size_t reservation_count, reservation_room;
	struct sim_windows windows;
	uint64_t pass;

	double *fragments; /* GPUs of a node with so many free that jobs can not use, by FGD */
	struct sim_measure *measure;
	struct gw_sim_result *result;
};

/* sim_load.c: nodes, lanes, working memory. */
int sim_load(struct sim *sim);
void sim_unload(struct sim *sim);
/* Zeros for one more than count; NULL with error. */
void *sim_memory(struct sim *sim, size_t count, size_t size);
size_t sim_queues_a_partition(const struct sim *sim);

/* sim_load_jobs.c */
int sim_load_jobs(struct sim *sim);
/* Weighted units a second while it runs. */
double sim_rate(const struct sim *sim, const struct sim_job *job);

/* sim_nodes.c */
bool sim_unit_fits(const struct sim *sim, const struct sim_unit *unit, gw_gpus free, uint32_t cpus,
		   uint64_t memory);
/* The time from which running jobs leave room, by their limits: 0 now, GW_SIM_NEVER never. */
int64_t sim_node_ready(const struct sim *sim, uint32_t node, uint32_t unit);
/* The node as it will be at a time, by limits of what runs now. */
void sim_node_at(const struct sim *sim, uint32_t node, int64_t at, struct gw_node *view);
int sim_hold(struct sim *sim, uint32_t job, const struct gw_choice *choice,
	     const struct sim_unit *unit, int64_t until);
void sim_release(struct sim *sim, uint32_t job, uint32_t node);

/* sim_ready.c: which nodes have changed, and what is known of when they have room. */
int sim_ready_log_new(struct sim *sim);
void sim_ready_changed(struct sim *sim, uint32_t node);
/* unit and lane are set. */
int sim_ready_new(struct sim *sim, struct sim_ready *ready);
void sim_ready_free(struct sim_ready *ready);
/* The index-th as it is now: valid until something starts or ends. */
const struct sim_ready *sim_ready(struct sim *sim, uint32_t index);

/* sim_windows.c: started and ended by limit; a pass begins; when room from ready on is noticed. */
void sim_windows_started(struct sim_windows *windows, int64_t end);
void sim_windows_ended(struct sim_windows *windows, int64_t end);
void sim_windows_begin(struct sim_windows *windows);
int64_t sim_windows_notice(struct sim_windows *windows, int64_t ready, int64_t linear);

/* sim_reserve.c: for the pass that is being made. */
void sim_reserve_begin(struct sim *sim);
bool sim_is_reserved(const struct sim *sim, uint32_t node, int64_t at, int64_t limit);
/*
 * The earliest start of a job. In one pass room only becomes less: a job of the same need and no
 * shorter limit can not start before one that was asked for earlier. Beyond bf_window it may be
 * any time beyond that is not too late.
 */
int64_t sim_earliest_start(struct sim *sim, const struct sim_job *job);
/* Nodes as they will be then, chosen by the same rule as for a start. */
int sim_reserve(struct sim *sim, const struct sim_job *job, int64_t at);

/* sim_place.c: chooses among sim->candidate for a job; 0: none. */
size_t sim_choose(struct sim *sim, const struct sim_job *job, size_t candidates);
bool sim_lane_has(const struct sim *sim, const struct sim_need *need, uint32_t node);
/* Whether some nodes would do now, reservations aside. Kept until something starts or ends. */
bool sim_may_start(struct sim *sim, uint32_t need);

/* sim_order.c: fills sim->turn with those that wait. */
int sim_order(struct sim *sim);
/* A job started in this pass: puts the turns from one on in their new order. */
void sim_order_started(struct sim *sim, const struct sim_job *job, size_t from);
/* Whether one that waits is the first of its lane of those that may start. */
int sim_order_is_first(struct sim *sim, uint32_t job, bool *first);
bool sim_quota_allows(struct sim *sim, const struct sim_job *job);

/* sim_limits.c: leaves out turns of backfill beyond bf_max_job_user and bf_max_job_part. */
int sim_limits(struct sim *sim);

/* sim.c */
void sim_wait(struct sim *sim, uint32_t job);
void sim_waits_no_more(struct sim *sim, uint32_t job);
/* Starts a job on the nodes that are chosen. */
int sim_start(struct sim *sim, uint32_t job, size_t chosen);
/* The job that ends first ends. */
int sim_end(struct sim *sim);
void sim_find_window(struct sim *sim);

/* sim_pass.c */
int sim_pass_submit(struct sim *sim, uint32_t job);
int sim_pass_main(struct sim *sim);
int sim_pass_backfill(struct sim *sim);

/* sim_predict.c: nothing at all where nodes are not chosen by the core. */
int sim_predict_new(struct sim *sim);
void sim_predict_free(struct sim *sim);
int sim_predict_started(struct sim *sim, uint32_t job);
int sim_predict_ended(struct sim *sim, uint32_t job);
/* Called before a pass: moves what is known of nodes to now, every few minutes. */
int sim_predict_refresh(struct sim *sim);
void sim_predict_ask(const struct sim *sim, const struct sim_job *job, float *stays);

/* sim_pool.c: GPUs without nodes. */
int sim_pool_backfill(struct sim *sim);

/* sim_measure.c: called before each change, with now set. */
int sim_measure_new(struct sim *sim);
void sim_measure_free(struct sim_measure *measure);
void sim_measure_to(struct sim *sim, int64_t now);
void sim_measure_node(struct sim *sim, uint32_t node, int sign);
void sim_measure_started(struct sim *sim, uint32_t job);
/* GPUs that classes below a job's have started so far. */
double sim_measure_lower(const struct sim *sim, const struct sim_job *job);
int sim_measure_end(struct sim *sim);

/* sim_waits.c */
int sim_waits(struct sim *sim);

/* The earlier of two times. */
static inline int64_t sim_earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline bool sim_is_pending(const struct sim *sim, uint32_t job)
{
	uint32_t place = sim->job[job].pending_place;

	return place < sim->pending_count && sim->pending[place] == job;
}

static inline bool sim_has_rest(const struct sim_need *need)
{
	return need->rest != UINT32_MAX;
}

static inline bool sim_is_pool(const struct sim *sim)
{
	return sim->policy->place == GW_SIM_PLACE_FUNGIBLE;
}

#endif
