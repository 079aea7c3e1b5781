// SPDX-License-Identifier: GPL-2.0-or-later
/* The files the engine in slurmctld keeps, seen from the command. */
#ifndef GW_TOOLS_STATE_H
#define GW_TOOLS_STATE_H

#include <stdint.h>

#include "../core/conf.h"
#include "../util/error.h"
#include "../util/record.h"
#include "slurm_conf.h"

/* The engine writes its status every few seconds; older than this it does not run well. */
#define GW_STATUS_STALE_SECONDS 60

/* Where they are. All freed by gw_places_free(). */
struct gw_places {
	const char *slurm_conf;
	char *conf;   /* gangway.conf */
	char *state;  /* StateSaveLocation */
	char *own;    /* StateSaveLocation/gangway */
	char *status; /* the status file: in PublishDir, else in own */
	char *view;   /* beside it: pools, queues and jobs as they are now */
	char *ledger; /* in own; SlurmUser's alone */
	char *off;    /* the marker */
	char *site_factors;
};

/* From slurm.conf, already read, and gangway.conf if it can be. -1 with error: out of memory. */
int gw_places_find(const char *slurm_conf_path, const struct gw_slurm_conf *slurm,
		   const char *conf_path, struct gw_places *places, struct gw_error *error);
void gw_places_free(struct gw_places *places);

/* The configuration that the engine goes by, or NULL with error. Freed by gw_conf_free(). */
struct gw_conf *gw_places_conf(const struct gw_places *places, struct gw_error *error);

/* The status file as records: the first says of what and when the rest is. */
struct gw_status {
	struct gw_record *record;
	size_t count;
	int64_t pid;
	int64_t written;
	bool alive; /* a process with that pid runs here */
	bool fresh; /* written within GW_STATUS_STALE_SECONDS of now */
	bool off;
};

/* Returns 0, or -1 with error: absent, not readable, or not a status file. */
int gw_status_read(const char *path, int64_t now, struct gw_status *status, struct gw_error *error);
void gw_status_free(struct gw_status *status);

#endif
