// SPDX-License-Identifier: GPL-2.0-or-later
/* Between the files of the ledger: accounts of a queue and flavor, and the jobs that run. */
#ifndef GW_CORE_LEDGER_IMPL_H
#define GW_CORE_LEDGER_IMPL_H

#include "ledger.h"

/* Usage of one queue and flavor, by name. */
struct gw_account {
	char *queue, *flavor; /* flavor "" : jobs without GPUs */
	double usage;         /* at the time in at */
	double rate;          /* of the jobs that run */
	int64_t at;
	size_t jobs; /* that run */
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
	size_t job_count;
	size_t *account_of; /* by line, or GW_NO_INDEX */
	int64_t now;        /* the latest time told */
	int64_t gap_from;   /* until when a loaded text knew of starts; GW_TIME_NONE: no gap */
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

/* Room for one job more at any place. */
int gw_ledger_room(struct gw_ledger *ledger, struct gw_error *error);

/* Starts and ends of jobs at a time that may have passed; room must have been made. */
void gw_ledger_open(struct gw_ledger *ledger, size_t account, uint32_t id, double rate,
		    int64_t start);
void gw_ledger_close(struct gw_ledger *ledger, size_t job, int64_t end);

/* Takes in a rate that ran, or did not, in a time that may have passed. */
void gw_ledger_correct(const struct gw_ledger *ledger, struct gw_account *account, double rate,
		       int64_t from, int64_t to);

void gw_ledger_set_rate(struct gw_ledger *ledger, size_t job, double rate, int64_t now);

/* The latest time known, once now is told. */
int64_t gw_ledger_at(struct gw_ledger *ledger, int64_t now);

/* Points lines to accounts by name; account_of must have room for the lines. */
void gw_ledger_map(const struct gw_ledger *ledger, const struct gw_conf *conf, size_t *account_of);

#endif
