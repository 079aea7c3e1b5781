// SPDX-License-Identifier: GPL-2.0-or-later
/* Between the files of the ledger: accounts of a queue and flavor, and the jobs that run. */
#ifndef GW_CORE_LEDGER_IMPL_H
#define GW_CORE_LEDGER_IMPL_H

#include "ledger.h"

/* Beyond any cluster there is: what is above is an error, not usage. */
#define GW_LEDGER_RATE_MAX  1e12
#define GW_LEDGER_USAGE_MAX 1e24

/* Usage of one queue and flavor, by name. */
struct gw_account {
	char *queue, *flavor; /* flavor "" : jobs without GPUs */
	double usage;         /* at the time in at */
	double rate;          /* of the jobs that run */
	int64_t at;
	size_t jobs; /* that run */
	size_t line; /* in the configuration, or GW_NO_INDEX */
};

struct gw_running {
	uint32_t id;
	bool seen; /* only within gw_ledger_reconcile() */
	size_t account;
	double rate, full_rate; /* full: when it is not suspended */
	int64_t start;
	int64_t last_seen; /* until when it is known to have run */
};

struct gw_ledger {
	const struct gw_conf *conf;
	int64_t half_life; /* or GW_TIME_NONE */
	int64_t charge;
	struct gw_account *account;
	size_t account_count;
	struct gw_running *job; /* by id */
	size_t job_count, job_capacity;
	size_t *account_of; /* by line, or GW_NO_INDEX */
	int64_t now;        /* the latest time told */
	int64_t floor;      /* what is before is by another clock; see gw_ledger_shift() */
	int64_t gap_from;   /* until when starts are known; GW_TIME_NONE: nothing is known yet */
	uint64_t late;
};

/* The account of these names, made if there is none; GW_NO_INDEX with error without memory. */
size_t gw_ledger_account(struct gw_ledger *ledger, const char *queue, const char *flavor,
			 struct gw_error *error);

/* The account of a line, made if there is none; GW_NO_INDEX with error. */
size_t gw_ledger_account_at(struct gw_ledger *ledger, int32_t queue, int32_t flavor,
			    struct gw_error *error);

/* Index of the job, or of where it belongs. */
size_t gw_ledger_find(const struct gw_ledger *ledger, uint32_t id, bool *found);

/* Room for so many jobs more. */
int gw_ledger_room(struct gw_ledger *ledger, size_t more, struct gw_error *error);

/* Start and end of a job at a time that may have passed; there must be room. */
void gw_ledger_open(struct gw_ledger *ledger, size_t account, const struct gw_run *run);
void gw_ledger_close(struct gw_ledger *ledger, size_t job, int64_t end);

/* A change of what runs on an account, whose count of jobs is already the new one. */
void gw_account_rate(struct gw_account *account, double by);

/* Usage at a time; when that has passed, at the account's own. */
double gw_account_usage(const struct gw_account *account, int64_t half_life, int64_t at);

/* Decays usage and adds what runs, up to a time; nothing when that has passed. */
void gw_account_advance(struct gw_account *account, int64_t half_life, int64_t to);

/* Takes in a rate that ran (above 0) or did not (below 0) for a time before the account's own. */
void gw_account_correct(struct gw_account *account, int64_t half_life, double rate, int64_t from,
			int64_t to);

/* Points the lines of a configuration to accounts by name. */
void gw_ledger_map(const struct gw_ledger *ledger, const struct gw_conf *conf, size_t *account_of);

#endif
