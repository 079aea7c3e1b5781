// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gangway.conf: text records in, a validated immutable configuration out.
 *
 * Owns the vocabulary of the file and every check that needs nothing but the
 * file. Does not own: reading files (the caller's gw_conf_source does), what
 * slurm.conf or the live cluster say (gangway check does), and any policy.
 *
 * A loaded configuration is never changed, so any number of threads may read one.
 */
#ifndef GW_CORE_CONF_H
#define GW_CORE_CONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../util/error.h"
#include "../util/parse.h"
#include "../util/str.h"
#include "../util/tres.h"

/* The parts of Gangway that can be enforced, observed and tripped apart. */
enum gw_subsystem {
	GW_ORDER,
	GW_QUOTA,
	GW_PLACEMENT,
	GW_ROUTING,
	GW_SUBSYSTEM_COUNT,
};

enum gw_mode {
	GW_MODE_INHERIT, /* not given here; never the answer of gw_conf_mode() */
	GW_MODE_OBSERVE, /* decide and log, change nothing */
	GW_MODE_ENFORCE,
};

/* Mode= and Mode<Subsystem>= as written in one place. */
struct gw_modes {
	enum gw_mode all;
	enum gw_mode each[GW_SUBSYSTEM_COUNT];
};

enum gw_order_within_class {
	GW_ORDER_USAGE,
	GW_ORDER_AGE,
	GW_ORDER_USAGE_BEFORE_CLASS,
};

enum gw_within_queue {
	GW_WITHIN_INHERIT, /* in a queue: as the global key says */
	GW_WITHIN_FIFO,
	GW_WITHIN_SHORTEST_LIMIT,
};

enum gw_unmatched {
	GW_UNMATCHED_OUTSIDE,
	GW_UNMATCHED_REJECT,
	GW_UNMATCHED_QUEUE,
};

enum gw_capacity {
	GW_CAPACITY_RESERVED,
	GW_CAPACITY_SPOT,
};

enum gw_job_type {
	GW_JOB_ANY,
	GW_JOB_BATCH,
	GW_JOB_INTERACTIVE,
};

enum gw_node_sharing {
	GW_SHARE_ANY,
	GW_SHARE_QUEUE,
	GW_SHARE_POOL,
};

enum gw_idle_action {
	GW_IDLE_LIST, /* show them, do nothing */
	GW_IDLE_NOTIFY,
	GW_IDLE_SHORTEN,
	GW_IDLE_CANCEL,
};

enum gw_grant_to {
	GW_GRANT_ANY, /* a user or an account of this name */
	GW_GRANT_USER,
	GW_GRANT_ACCOUNT,
};

/* Where something was written. file is never NULL in a loaded configuration. */
struct gw_where {
	const char *file;
	int line;
};

#define GW_NO_INDEX SIZE_MAX

/* One name that refers to another record. */
struct gw_ref {
	char *name;   /* NULL: not given */
	size_t index; /* into the array of what it refers to; GW_NO_INDEX: not given */
	struct gw_where where;
};

/* Several such names, in the order written. */
struct gw_refs {
	struct gw_strings names;
	size_t *index; /* names.count of them */
	struct gw_where where;
};

/* In gw_limits: nothing was said of this flavor. */
#define GW_NOT_GIVEN UINT32_MAX

/* GPUs per flavor. */
struct gw_limits {
	struct gw_tres given; /* as written */
	uint32_t *gpus;       /* flavor_count of them: GPUs, or GW_NOT_GIVEN */
	struct gw_where where;
};

struct gw_class {
	char *name;
	char *qos;
	uint32_t rank; /* higher goes first */
	bool is_default;
	bool needs_grant; /* usable only with a ClassGrant that has not expired */
	struct gw_where where;
};

struct gw_flavor {
	char *name;
	char *gres; /* "gpu" or "gpu:TYPE" */
	char *partition;
	enum gw_capacity capacity;
	struct gw_where where;
};

struct gw_cohort {
	char *name;
	struct gw_ref parent;    /* cohorts */
	struct gw_limits quota;  /* of its own, beside its members' */
	struct gw_limits borrow; /* GW_NOT_GIVEN: no limit of its own */
	struct gw_limits lend;   /* GW_NOT_GIVEN: all of it */
	struct gw_where where;
};

/* Limits for hours of the week. Of a flavor not named here the pool's own hold. */
struct gw_peak {
	struct gw_ref pool; /* pools */
	struct gw_week_window window;
	struct gw_limits quota, borrow, lend;
	struct gw_where where;
};

struct gw_pool {
	char *name;
	struct gw_ref cohort;   /* cohorts */
	struct gw_limits quota; /* GW_NOT_GIVEN: the pool does not serve this flavor */
	struct gw_limits borrow, lend;
	int64_t loan_time; /* seconds a borrowing job may ask for; GW_TIME_INFINITE: any */
	bool peak_strict;  /* a job's time limit must fit under every peak it would meet */
	struct gw_modes modes;
	struct gw_where where;
};

struct gw_queue {
	char *name;
	char *account;
	struct gw_refs pools;   /* at least one; each flavor comes from one pool */
	struct gw_refs flavors; /* in order of trial; when not given, its pools' in file order */
	double weight;          /* above 0 */
	struct gw_ref default_class; /* classes */
	int64_t max_time;            /* seconds, or GW_TIME_INFINITE */
	enum gw_job_type job_type;
	int64_t idle_after; /* seconds, or GW_TIME_NONE: idle jobs are not looked for */
	enum gw_idle_action idle_action;
	enum gw_node_sharing node_sharing;
	enum gw_within_queue within; /* resolved: never GW_WITHIN_INHERIT once loaded */
	int64_t max_wait;            /* seconds, resolved; GW_TIME_NONE: no guard */
	struct gw_where where;
};

struct gw_grant {
	char *who;
	enum gw_grant_to to;
	struct gw_ref class_ref; /* classes */
	int64_t until;           /* gw_parse_date(): wall clock of the site */
	char *by;
	char *reason;
	struct gw_where where;
};

struct gw_shape {
	char *name;
	char *nodes; /* as written */
	struct gw_strings node;
	char *hwloc; /* path of the XML file, beside the file that names it if relative */
	struct gw_where where;
};

struct gw_warning {
	struct gw_where where;
	char *text;
};

struct gw_conf {
	struct gw_modes modes; /* read it through gw_conf_mode() */

	/* Breaker: what one hook may cost in a minute before it goes stock. */
	uint32_t hook_time_budget;  /* milliseconds of Gangway's own time */
	uint32_t hook_error_budget; /* internal errors; one more trips */
	bool verify;                /* placement: answer twice and compare */
	uint32_t record_decisions;  /* so many of each kind are recorded; 0: none */
	char *publish_dir;          /* absolute; NULL: StateSaveLocation/gangway */
	struct gw_where publish_dir_where;

	/* Fair sharing. */
	int64_t usage_half_life;             /* seconds above 0, or GW_TIME_NONE: no decay */
	struct gw_tres usage_weights;        /* of mem and bb/NAME for each MiB */
	struct gw_where usage_weights_where; /* file is NULL when they are not given */
	double share_term;                   /* at least 0 */
	int64_t charge;                      /* seconds charged at a start at once */
	enum gw_order_within_class order;
	int64_t small_hold;   /* seconds; 0: off */
	uint32_t small_batch; /* GPUs; 0: SmallHold lets nobody go before */
	double gap_match;     /* part of a job's limit, 0 to 1; 0: gaps change no order */
	enum gw_within_queue within;
	int64_t queue_max_wait; /* seconds, or GW_TIME_NONE */
	enum gw_unmatched unmatched;
	struct gw_ref unmatched_queue; /* queues; for GW_UNMATCHED_QUEUE */

	struct gw_class *classes;
	size_t class_count;
	struct gw_flavor *flavors;
	size_t flavor_count;
	struct gw_cohort *cohorts;
	size_t cohort_count;
	struct gw_pool *pools;
	size_t pool_count;
	struct gw_peak *peaks;
	size_t peak_count;
	struct gw_queue *queues;
	size_t queue_count;
	struct gw_grant *grants;
	size_t grant_count;
	struct gw_shape *shapes;
	size_t shape_count;

	/* Legal but surely wrong, in the order found. */
	struct gw_warning *warnings;
	size_t warning_count;

	struct gw_strings files; /* every file read; [0] is the first one */
};

/*
 * Where text comes from. read() gives the whole of one file as a NUL-terminated
 * text from malloc(), which the reader of the configuration frees; 0, or -1
 * with error. It must refuse a file that holds NUL bytes.
 */
struct gw_conf_source {
	int (*read)(void *arg, const char *path, char **text, struct gw_error *error);
	void *arg;
};

/*
 * Reads path and what it includes. Returns 0 with a configuration in *conf, which
 * gw_conf_free() frees. Returns -1 with the first error, as file:line: Key=Value:
 * what is allowed; *conf is then left as it was.
 */
int gw_conf_load(const struct gw_conf_source *source, const char *path, struct gw_conf **conf,
		 struct gw_error *error);

void gw_conf_free(struct gw_conf *conf);

/* GW_MODE_OBSERVE or GW_MODE_ENFORCE; enforce when the file does not say. */
enum gw_mode gw_conf_mode(const struct gw_conf *conf, enum gw_subsystem subsystem);

/* The same for one pool, which may say otherwise than the rest. */
enum gw_mode gw_conf_pool_mode(const struct gw_conf *conf, const struct gw_pool *pool,
			       enum gw_subsystem subsystem);

/* "order", "quota", "placement", "routing". */
const char *gw_subsystem_name(enum gw_subsystem subsystem);

/* "enforce", "observe". */
const char *gw_mode_name(enum gw_mode mode);

#endif
