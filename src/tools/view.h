// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The view: pools, queues and jobs as the engine in slurmctld publishes them every few
 * seconds, one record a line.
 *
 * Owns: reading the text. Does not own: where it is and who may see what (site.h).
 */
#ifndef GW_TOOLS_VIEW_H
#define GW_TOOLS_VIEW_H

#include <stdint.h>

#include "../core/order.h"
#include "../core/quota.h"
#include "../util/error.h"
#include "../util/record.h"

struct gw_view_flavor {
	const char *name, *gres, *partition;
	double weight;             /* of one of its GPUs in UsageWeights; 0: an older engine */
	struct gw_order_gpus gpus; /* all 0: none, or an older engine */
};

struct gw_view_class {
	const char *name, *qos;
	uint32_t rank;
};

/* One pool and one flavor it serves. */
struct gw_view_pool {
	const char *name, *flavor;
	const char *cohort; /* "": none */
	struct gw_quota_figures figures;
};

/* One queue, as far as it draws from one pool. */
struct gw_view_queue {
	const char *name, *account, *pool;
	double weight;
	double usage; /* decayed weighted unit-seconds */
	double held;  /* weighted units */
	double key;
	uint32_t running, running_gpus, pending, pending_gpus;
	uint32_t blocked; /* pending jobs that quota, loan or hold forbids now */
};

/* Usage of one queue by flavor. Flavor "": its jobs without GPUs. */
struct gw_view_line {
	const char *queue, *flavor;
	double usage, held;
};

struct gw_view_job {
	uint32_t id, array; /* array: job id of its array, or 0 */
	const char *queue, *job_class, *flavor;
	uint32_t user;
	uint32_t gpus, nodes, tasks;
	bool running;
	uint32_t rank;   /* 1 goes first; 0: not ranked */
	uint32_t number; /* the priority it was given */
	uint32_t turn;   /* its tasks that start before the next queue has its turn */
	bool startable, borrowing;
	bool gap;  /* that gives it its rank; an older engine does not tell */
	bool back; /* SmallHold puts it back; not told by an older engine either */
	enum gw_quota_why why;
	uint32_t missing, borrow; /* as in gw_quota_answer */
	int64_t eligible, submit, start;
	int64_t limit; /* seconds, or GW_TIME_INFINITE */
	double rate;   /* weighted units; 0: an older engine */
	int32_t nice;
	bool whole_nodes;
	const char *sentence;
};

/* All names live as long as the view. */
struct gw_view {
	int64_t written;
	const char *cluster;
	uint32_t minute;    /* of the week */
	uint32_t truncated; /* pending jobs left out */
	struct gw_view_flavor *flavor;
	size_t flavor_count;
	struct gw_view_class *job_class;
	size_t class_count;
	struct gw_view_pool *pool;
	size_t pool_count;
	struct gw_view_queue *queue;
	size_t queue_count;
	struct gw_view_line *line;
	size_t line_count;
	struct gw_view_job *job;
	size_t job_count;
	struct gw_record *record; /* that the names are in */
	size_t record_count;
};

/*
 * Reads text; path is for the error. Records and keys it does not know are skipped: a newer
 * engine may say more. Returns 0, or -1 with error and an empty view.
 */
int gw_view_read(const char *path, const char *text, struct gw_view *view, struct gw_error *error);
void gw_view_free(struct gw_view *view);

/* NULL: there is none. Of a queue with several pools, the first of its records. */
const struct gw_view_job *gw_view_job(const struct gw_view *view, uint32_t id);
const struct gw_view_queue *gw_view_queue(const struct gw_view *view, const char *name);
const struct gw_view_flavor *gw_view_flavor(const struct gw_view *view, const char *name);

/* The pool from which a queue draws a flavor, or NULL. */
const struct gw_view_pool *gw_view_pool_of(const struct gw_view *view, const char *queue,
					   const char *flavor);

#endif
