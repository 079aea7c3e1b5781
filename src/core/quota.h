// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Quota: how many GPUs of a flavor a pool may hold now, of its own and of what its cohort lends.
 *
 * Owns: the arithmetic of nested cohorts, borrow and lend limits, peak hours and term loans.
 * Does not own: which jobs hold what (the caller tells, by gw_quota_hold()), the order of
 * jobs, and Slurm's limits.
 *
 * The arithmetic is Kueue's (its resource_node.go): a node of the tree keeps quota - LendLimit
 * for itself and puts the rest into its parent; what it holds counts in the parent only above
 * what it keeps. One departure: where a lowered quota leaves a cohort holding more than it
 * has, a pool can still use what it keeps for itself.
 *
 * A question costs the depth of the tree and allocates nothing. One thread at a time may
 * change a struct gw_quota; gw_quota_largest() reads only what never changes. Indexes are
 * those of the configuration, which must outlive it; one that is out of range is a flavor
 * without quota. Counts are GPUs.
 */
#ifndef GW_CORE_QUOTA_H
#define GW_CORE_QUOTA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "conf.h"

struct gw_quota;

enum gw_quota_why {
	GW_QUOTA_ALLOWED,
	GW_QUOTA_NO_QUOTA,     /* the pool does not serve this flavor */
	GW_QUOTA_NEVER,        /* more than the pool could hold at any time of the week */
	GW_QUOTA_OVER_POOL,    /* above the pool's own quota, and it can not borrow */
	GW_QUOTA_BORROW_LIMIT, /* above quota + BorrowLimit, of the pool or of a cohort above it */
	GW_QUOTA_COHORT_EMPTY, /* the others of the cohort hold what is missing */
	GW_QUOTA_LOAN_TIME,    /* it would borrow, for longer than LoanTime */
	GW_QUOTA_PEAK_STRICT,  /* it would run into a peak in which it does not fit */
	GW_QUOTA_WHY_COUNT,
};

struct gw_quota_ask {
	int32_t pool, flavor;
	uint32_t gpus;
	int64_t limit; /* time limit in seconds, or GW_TIME_INFINITE */
};

struct gw_quota_answer {
	enum gw_quota_why why;
	uint32_t borrow;  /* of the GPUs asked for, those that are or would be borrowed */
	uint32_t missing; /* fewest GPUs too many now; 0 for what time decides */
	int32_t cohort;   /* borrowing: the nearest cohort that has them. Limits: whose they
			     are; GW_INDEX_NONE: the pool's own */
	int32_t peak;     /* GW_QUOTA_PEAK_STRICT: the one it does not fit in */
};

/* What there is to say of one pool and flavor. */
struct gw_quota_figures {
	uint32_t quota;        /* in force now */
	uint32_t borrow_limit; /* GW_NOT_GIVEN: none of its own */
	uint32_t lend_limit;   /* GW_NOT_GIVEN: all of it */
	uint32_t held;
	uint32_t borrowed; /* held above quota */
	uint32_t lent;     /* of its own quota, what it could not have now: others hold it */
	uint32_t reach;    /* the most it may hold now */
	uint32_t alone;    /* the most it could hold now, all else idle */
	uint32_t largest;  /* the most it could hold at any time of the week */
	uint32_t cohort_quota, cohort_held; /* of its cohort and all below; 0 without one */
	uint32_t cohort_free;               /* what the cohort has left to lend to it now */
};

/* Who could lend: a pool, or a cohort of its own quota (pool is GW_INDEX_NONE then). */
struct gw_quota_lender {
	int32_t pool, cohort;
	uint32_t gpus; /* that it does not use and may lend */
};

/*
 * Nothing held, at Sunday 00:00. Freed by gw_quota_free(). NULL with error when memory is
 * out. A copy, which is for trying starts, holds the same.
 */
struct gw_quota *gw_quota_new(const struct gw_conf *conf, struct gw_error *error);
struct gw_quota *gw_quota_copy(const struct gw_quota *quota, struct gw_error *error);
void gw_quota_free(struct gw_quota *quota);

/* Now, in minutes since Sunday 00:00: which peaks are in force. Cheap while none changes. */
void gw_quota_at(struct gw_quota *quota, unsigned int minute);

/* Nothing is held any more. */
void gw_quota_clear(struct gw_quota *quota);

/* A job of this pool starts (above 0) or ends (below 0). What is held never falls below 0. */
void gw_quota_hold(struct gw_quota *quota, int32_t pool, int32_t flavor, int64_t gpus);

uint32_t gw_quota_held(const struct gw_quota *quota, int32_t pool, int32_t flavor);

/* May this job start now? Two jobs of one pass: hold the first one's GPUs, then ask again. */
struct gw_quota_answer gw_quota_ask(const struct gw_quota *quota, const struct gw_quota_ask *ask);

/* The most GPUs the pool may hold now: what it holds, when it may start nothing. */
uint32_t gw_quota_reach(const struct gw_quota *quota, int32_t pool, int32_t flavor);

/* The most a job of the pool could ever have, at any time of the week and all else idle. */
uint32_t gw_quota_largest(const struct gw_quota *quota, int32_t pool, int32_t flavor);

struct gw_quota_figures gw_quota_figures(const struct gw_quota *quota, int32_t pool,
					 int32_t flavor);

/*
 * Who has unused GPUs that the pool could borrow, nearest cohort first, then in file order.
 * Writes at most size of them and returns how many. Costs all pools times the depth.
 */
size_t gw_quota_lenders(const struct gw_quota *quota, int32_t pool, int32_t flavor,
			struct gw_quota_lender *lenders, size_t size);

/* The pool from which a queue draws a flavor, or GW_INDEX_NONE. */
int32_t gw_quota_pool_of(const struct gw_conf *conf, int32_t queue, int32_t flavor);

/* "allowed", "no-quota", "never", "over-pool", ... for records and JSON. */
const char *gw_quota_why_name(enum gw_quota_why why);

#endif
