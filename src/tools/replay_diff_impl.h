// SPDX-License-Identifier: GPL-2.0-or-later
/* Inside of replay_diff*.c: the comparison as values. */
#ifndef GW_TOOLS_REPLAY_DIFF_IMPL_H
#define GW_TOOLS_REPLAY_DIFF_IMPL_H

#include "../core/order.h"
#include "replay_diff.h"

/* What slurmctld says of a job beyond the view. Texts are the caller's. */
struct gw_diff_known {
	uint32_t id;
	const char *account, *qos; /* NULL: not known */
	bool waits_for_gpus;       /* pending, and asks for GPUs */
};

/* For qsort() and bsearch(). */
int gw_diff_compare_known(const void *a, const void *b);

/* One pending job, there and here. */
struct gw_diff_job {
	const struct gw_view_job *view;
	uint32_t rank; /* the new one; 0: it would be in no queue, and is not ranked */
	int32_t queue, job_class, flavor, pool; /* of the other configuration */
	enum gw_order_state state;
	struct gw_quota_answer quota;
	char why[512]; /* empty: nothing changes */
};

/* One pool and flavor. */
struct gw_diff_pool {
	const char *pool, *flavor;
	const struct gw_view_pool *view; /* NULL: there is none of these names now */
	struct gw_quota_figures figures;
	uint32_t over; /* GPUs more than it may hold, of its own and of what it may borrow */
};

struct gw_diff {
	const struct gw_conf *conf;
	struct gw_diff_job *job; /* all pending ones, by new rank, then those of no queue */
	size_t job_count, moved;
	struct gw_diff_pool *pool;
	size_t pool_count, over;
	size_t joining;      /* pending jobs that are in no queue now and would be in one */
	size_t running_lost; /* running jobs that would be in no queue */
};

/*
 * Compares. known: sorted by id, none is needed. Points into view and conf. Returns 0, or -1
 * with error when memory is out; to be freed in any case.
 */
int gw_diff_make(const struct gw_view *view, const struct gw_conf *conf,
		 const struct gw_diff_known *known, size_t known_count, struct gw_diff *diff,
		 struct gw_error *error);
void gw_diff_free(struct gw_diff *diff);

/* A job as the other configuration has it: from the view alone, or better with what is known. */
void gw_diff_belongs(const struct gw_view *view, const struct gw_conf *conf,
		     const struct gw_view_job *job, const struct gw_diff_known *known,
		     struct gw_job *to);

/* The key of a queue under conf, as gangway queues shows it. */
double gw_diff_key(const struct gw_conf *conf, int32_t queue, const double *usage,
		   const double *held);

/* Why a job's place changes, into job->why. key: of its queue. */
void gw_diff_why(const struct gw_view *view, const struct gw_conf *conf, double key,
		 struct gw_diff_job *job);

/* "starts", "borrows", "waits", "blocked": what a rank says of now. */
const char *gw_diff_state_name(enum gw_order_state state);
const char *gw_diff_view_state(const struct gw_view_job *job);

#endif
