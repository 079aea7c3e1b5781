// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Routing of a submitted job: from what the user gave to queue, flavor, partition and class,
 * or to one line that says why not and the way out.
 *
 * Owns: what is filled in, what is refused, and every word said about it. Does not own:
 * reading Slurm's request or changing it (the caller writes answer.set[] where it stands),
 * and whether the job may start now (quota).
 *
 * What the user gave is never changed, only added to, and text says what was added.
 */
#ifndef GW_CORE_ROUTE_H
#define GW_CORE_ROUTE_H

#include "conf.h"
#include "quota.h"
#include "route_gpus.h"

/* What routing may fill in. The first four are those of enum gw_gpus_per. */
enum gw_route_field {
	GW_ROUTE_TRES_PER_JOB,
	GW_ROUTE_TRES_PER_NODE,
	GW_ROUTE_TRES_PER_SOCKET,
	GW_ROUTE_TRES_PER_TASK,
	GW_ROUTE_PARTITION,
	GW_ROUTE_QOS,
	GW_ROUTE_FIELD_COUNT,
};

/* Ids of refusals, GW001 on: they never change their meaning. */
enum gw_refusal {
	GW_REFUSAL_NONE,
	GW_REFUSAL_NO_QUEUE,
	GW_REFUSAL_NO_ASSOCIATION,
	GW_REFUSAL_UNKNOWN_CLASS,
	GW_REFUSAL_CLASS_NOT_ALLOWED,
	GW_REFUSAL_CLASS_NEEDS_GRANT,
	GW_REFUSAL_FLAVOR_NOT_IN_QUEUE,
	GW_REFUSAL_NEVER_FITS,
	GW_REFUSAL_ABOVE_QUOTA,
	GW_REFUSAL_TIME_LIMIT,
	GW_REFUSAL_JOB_TYPE,
	GW_REFUSAL_BAD_REQUEST,
	GW_REFUSAL_COUNT,
};

enum gw_route_verdict {
	GW_ROUTE_OUTSIDE, /* leave it alone */
	GW_ROUTE_QUEUED,
	GW_ROUTE_REFUSED,
};

/* A job as it is submitted. Any string may be NULL: not given. */
struct gw_route_job {
	const char *partition; /* names with commas between */
	const char *qos;
	struct gw_gpus_request gpus;
	bool exclusive; /* all of its nodes are its own, and so are their GPUs */

	const char *user, *account;   /* the account it will run under */
	const char *const *ancestors; /* of the account, nearest first */
	size_t ancestor_count;
	bool associated;               /* the user has an association with the account */
	const char *qos_allowed;       /* by the association, commas between; NULL: not known */
	const char *default_partition; /* where it goes when it gives none */
	/* Where the user is associated, commas between, if not everywhere by one association: only
	 * one of these is filled in. NULL: everywhere. */
	const char *partitions_open;

	bool interactive;      /* salloc, srun: no batch script */
	bool moves;            /* a change: to another account */
	int64_t limit;         /* seconds, GW_TIME_INFINITE, or GW_TIME_NONE: not given */
	int64_t limit_default; /* that it gets then; GW_TIME_NONE: not known */
};

/* The hardware behind a flavor. All 0: not known, nothing is refused for it. */
struct gw_route_hardware {
	uint32_t nodes;     /* that have these GPUs */
	uint32_t node_gpus; /* most on one node */
};

struct gw_route_site {
	const struct gw_conf *conf;
	const struct gw_quota *quota;             /* NULL: quota refuses nothing */
	const struct gw_route_hardware *hardware; /* one a flavor, or NULL */
	int64_t now;                              /* as gw_parse_date(), for grants */
};

#define GW_ROUTE_FLAVORS_MAX 16

struct gw_route_answer {
	enum gw_route_verdict verdict;
	enum gw_refusal refusal;
	struct gw_gpus gpus; /* the request, read */
	bool whole_nodes;

	int32_t queue, job_class;              /* GW_INDEX_NONE: none */
	int32_t flavor;                        /* the first of: */
	int32_t flavors[GW_ROUTE_FLAVORS_MAX]; /* in order of trial */
	uint32_t flavor_count;

	char *set[GW_ROUTE_FIELD_COUNT]; /* to be written over the field; NULL: as it is */
	int64_t limit;                   /* time limit to fill in, or GW_TIME_NONE */

	/* Refused: the one line, with its id. Queued: what was filled in; empty: nothing. */
	char text[512];
};

/*
 * Routes one job. Returns 0 with an answer that gw_route_answer_free() frees; -1 with error
 * when memory is out, with nothing to free. Safe in several threads at once.
 */
int gw_route(const struct gw_route_site *site, const struct gw_route_job *job,
	     struct gw_route_answer *answer, struct gw_error *error);

/*
 * Asks about a change of a job with GPUs that is there: its account is that it will have; what it
 * gives of qos and limit is checked as at submit, and its type if it moves; an empty qos is filled
 * in. All else of it is not looked at, and an account of no queue is outside. Returns as
 * gw_route().
 */
int gw_route_change(const struct gw_route_site *site, const struct gw_route_job *job,
		    struct gw_route_answer *answer, struct gw_error *error);

/*
 * Makes a refusal of a queued answer: no nodes of its flavors fit the job. lack says what is
 * lacking, way which options would fit (gw_place_fit_lack(), gw_place_fit_way()); way may be "".
 */
void gw_route_never_fits(struct gw_route_answer *answer, const char *lack, const char *way);

void gw_route_answer_free(struct gw_route_answer *answer);

/* The queue that owns an account: its own, else that of the nearest ancestor; or none. */
int32_t gw_route_queue_of(const struct gw_conf *conf, const char *account,
			  const char *const *ancestors, size_t ancestor_count);

/* Whether a grant of this class is in force for a user or any of the accounts. */
bool gw_route_granted(const struct gw_conf *conf, int32_t job_class, const struct gw_route_job *job,
		      int64_t now);

/* What a refusal means, in words that hold for all of its kind; "GW007" is its id. */
const char *gw_refusal_meaning(enum gw_refusal refusal);
const char *gw_refusal_id(enum gw_refusal refusal);

#endif
