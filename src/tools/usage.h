// SPDX-License-Identifier: GPL-2.0-or-later
/* The figures of gangway usage, from the view, the ledger file or accounting records. */
#ifndef GW_TOOLS_USAGE_H
#define GW_TOOLS_USAGE_H

#include "site.h"

/* One queue and flavor. Usage is in weighted unit-seconds, decayed. */
struct gw_usage_row {
	char *queue, *account;
	char *flavor; /* "": all flavors of the queue, "-": its jobs without GPUs */
	double usage, held;
	double gpu_seconds; /* by accounting: GPUs times time, no weight, no decay */
	double recomputed;  /* by accounting: what usage should be */
};

struct gw_usage {
	struct gw_usage_row *row;
	size_t count;
	int64_t at;        /* when these figures hold */
	bool has_history;  /* gpu_seconds and recomputed are known */
	double other_gpus; /* GPU-seconds by accounting of accounts outside all queues */
};

/* From the view. Returns 0, or -1 with error when memory is out. */
int gw_usage_of_view(const struct gw_view *view, struct gw_usage *usage, struct gw_error *error);

/* From the ledger's file, decayed to now. */
int gw_usage_of_ledger(const char *path, const struct gw_conf *conf, int64_t now,
		       struct gw_usage *usage, struct gw_error *error);

/* Adds what accounting records since then say; asks slurmdbd. */
int gw_usage_add_history(const struct gw_site *site, const struct gw_conf *conf, int64_t since,
			 struct gw_usage *usage, struct gw_error *error);

void gw_usage_free(struct gw_usage *usage);

#endif
