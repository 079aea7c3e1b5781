// SPDX-License-Identifier: GPL-2.0-or-later
/* Between the files of quota: the tree of pools and cohorts as numbers. */
#ifndef GW_CORE_QUOTA_IMPL_H
#define GW_CORE_QUOTA_IMPL_H

#include "job.h"
#include "quota.h"

#define GW_QUOTA_NO_LIMIT INT64_MAX

/* One pool or cohort and one flavor. Pools come first, cohorts after them. */
struct gw_quota_cell {
	int64_t quota;  /* what it and all below it have between them */
	int64_t keeps;  /* part of quota that others never get */
	int64_t borrow; /* above quota, or GW_QUOTA_NO_LIMIT */
	int64_t held;   /* of a cohort: what its members hold above what they keep */
	bool served;
};

struct gw_quota {
	const struct gw_conf *conf;
	size_t flavors, nodes;
	uint32_t *largest;  /* pools by flavors */
	uint32_t *peak_cap; /* peaks by flavors: the most the pool can hold in that peak */
	unsigned int minute;
	struct gw_quota_cell *cell; /* nodes by flavors */
};

/* The three limits of a pool or cohort in force at a minute. */
struct gw_quota_limits {
	uint32_t quota, borrow, lend; /* or GW_NOT_GIVEN */
};

/* The node above, or GW_NO_INDEX. */
size_t gw_quota_parent(const struct gw_conf *conf, size_t node);

struct gw_quota_cell *gw_quota_cell(const struct gw_quota *quota, size_t node, size_t flavor);

/* Whether the indexes are in range and the pool serves the flavor. */
bool gw_quota_serves(const struct gw_quota *quota, int32_t pool, int32_t flavor);

struct gw_quota_limits gw_quota_limits(const struct gw_conf *conf, size_t node, size_t flavor,
				       unsigned int minute);

/* What a node may take more now: of what it keeps, then of what its parent has. */
int64_t gw_quota_room(const struct gw_quota *quota, size_t node, size_t flavor);

/* The most a node could hold now with all others idle. */
int64_t gw_quota_potential(const struct gw_quota *quota, size_t node, size_t flavor);

/* The index of the cohort that a node is, or GW_INDEX_NONE for a pool. */
static inline int32_t gw_quota_cohort(const struct gw_conf *conf, size_t node)
{
	return node < conf->pool_count ? GW_INDEX_NONE : (int32_t)(node - conf->pool_count);
}

static inline int64_t gw_least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t gw_most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* As a count of GPUs: never below 0, never GW_NOT_GIVEN. */
static inline uint32_t gw_quota_count(int64_t gpus)
{
	return (uint32_t)gw_most(0, gw_least(gpus, UINT32_MAX - 1));
}

#endif
