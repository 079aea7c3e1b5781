// SPDX-License-Identifier: GPL-2.0-or-later
/* Inside of the ranks: shared by rank*.c and by nothing else. */
#ifndef GW_RANK_STATE_H
#define GW_RANK_STATE_H

#include <pthread.h>

#include "plugins/common/policy.h"
#include "plugins/common/rank.h"
#include "plugins/common/rank_copy.h"
#include "plugins/common/standing.h"
#include "src/core/numbers.h"
#include "src/core/order.h"

/*
 * Above this many pending jobs a new one is put behind those that may start, until the next pass;
 * so it is in a burst of submits, once finding exact places took its share of the budget.
 */
#define GW_RANK_PLACE_MAX 2000

/* The input of the last pass, in which new jobs are placed until the next. */
struct gw_rank_board {
	struct gw_policy *policy; /* NULL: nothing is ranked */
	struct gw_job *job;
	uint32_t *number; /* beside job; 0: not ranked */
	size_t count, room;
	double *usage, *held; /* by line */
	struct gw_quota *quota;
	struct gw_order_gpus *gpus; /* by flavor */
	struct gw_order_gap *gaps;
	size_t gap_count;
	uint32_t last_startable; /* the lowest number of a job that may start; 0: none */
};

/* What a job's site factor was before ours, so that it can be put back. */
struct gw_touched {
	uint32_t job, before;
};

/* The same, as it is noted; array_job: whose task it is, or 0; order: of being noted. */
struct gw_noted {
	uint32_t job, array_job, before, order;
};

struct gw_rank {
	gw_stock_priority *stock;
	pthread_t thread;

	/* Under lock. */
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool running, stop, poked;
	bool turned_away;  /* a test ended with a turn that was over: another pass of the
			      scheduler is due once the ranks are new */
	time_t het_tested; /* a component of a het job was found to start now */
	struct gw_rank_board board;
	struct gw_order_workspace *board_work;
	uint64_t place_begun, place_ns; /* the minute, and what exact places took in it */
	struct gw_standing standing;
	struct gw_noted *fresh; /* by the hooks */
	size_t fresh_count, fresh_room;

	/* The thread's own. */
	struct gw_policy *policy;
	struct gw_quota *quota;
	struct gw_ledger *ledger;
	struct gw_order_workspace *work;
	struct gw_numbers_workspace *numbers;
	struct gw_rank_copy copy;
	double *usage, *held;
	uint32_t *number; /* beside copy.pending: the pass's numbers */
	size_t number_room;
	struct gw_touched *touched; /* jobs with a site factor of ours, sorted by job */
	size_t touched_count, touched_room;
	struct gw_noted *noted; /* not among touched yet */
	size_t noted_count, noted_room;
	bool touched_loaded, touched_changed; /* changed: since it was handed on */
	struct gw_policy *gate_policy;        /* whose limits tests may have set; NULL: none */
	time_t last_pass, ledger_published, view_published;
	int64_t view_ns;       /* of a CPU, that the last view took */
	int64_t locks_rest_ns; /* for which slurmctld's locks are left alone after a pass */
	time_t clock_now;      /* the last pass by the clock, */
	int64_t clock_up;      /* and by one that nobody sets; 0: none yet */
};

/* The one of the process. */
struct gw_rank *gw_rank_get(void);

/* What the calling thread used of a CPU: waiting for slurmctld's locks is not among it. */
int64_t gw_rank_cpu_ns(void);

/* One pass. rank.c calls it; false: nothing is to be ranked now. */
bool gw_rank_pass(struct gw_rank *rank);

/* Ends what the ranks do to slurmctld: site factors and limits are what they were. */
void gw_rank_leave(struct gw_rank *rank);

/* Takes our limits off the accounts that quota no longer acts on. */
void gw_rank_shut_gate(struct gw_rank *rank);

/* Frees all but the lock; the thread has ended. */
void gw_rank_free(struct gw_rank *rank);

#endif
