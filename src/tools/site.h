// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What most subcommands stand on: the files of one cluster, its view, and what the one who
 * asks may see of it.
 */
#ifndef GW_TOOLS_SITE_H
#define GW_TOOLS_SITE_H

#include "output.h"
#include "state.h"
#include "view.h"

/* A view older than this says nothing of now. */
#define GW_VIEW_STALE_SECONDS 60

/* As given by options; NULL: not given. */
struct gw_site_paths {
	const char *conf, *slurm_conf, *view;
};

/* Rows of an option table. */
#define GW_CONF_OPTIONS(paths)                                                                     \
	{.name = "conf",                                                                           \
	 .value_name = "FILE",                                                                     \
	 .value = &(paths).conf,                                                                   \
	 .help = "gangway.conf (default: beside slurm.conf)"},                                     \
	{                                                                                          \
		.name = "slurm-conf", .value_name = "FILE", .value = &(paths).slurm_conf,          \
		.help = "slurm.conf (default: SLURM_CONF, else " GW_SLURM_CONF_DEFAULT ")"         \
	}

/* The same, and where a view is read. */
#define GW_SITE_OPTIONS(paths)                                                                     \
	GW_CONF_OPTIONS(paths),                                                                    \
	{                                                                                          \
		.name = "view", .value_name = "FILE", .value = &(paths).view,                      \
		.help = "a view kept earlier, of any age; slurmctld is not asked"                  \
	}

#define GW_FORMAT_OPTION(output)                                                                   \
	{                                                                                          \
		.name = "format", .letter = 'o', .value_name = "COLUMNS",                          \
		.value = &(output).format, .help = "columns to print, commas between"              \
	}

struct gw_site {
	struct gw_slurm_conf slurm;
	struct gw_places places; /* all NULL when there is no slurm.conf, only a view */
	struct gw_view view;
	int64_t now;
	bool live;         /* not a view kept earlier: slurmctld may be asked */
	bool sees_jobs;    /* of others */
	bool names_others; /* PrivateData lets jobs and users of others be named */
};

/*
 * The files, without the view. Says what is wrong. Returns an exit code; the site is always to
 * be closed.
 */
int gw_site_find(const struct gw_command *command, const struct gw_site_paths *paths,
		 struct gw_site *site);

/* The same, and the view. */
int gw_site_open(const struct gw_command *command, const struct gw_site_paths *paths,
		 struct gw_site *site);
void gw_site_close(struct gw_site *site);

/* Whether the view has all these queues. Says which one it has not. Returns an exit code. */
int gw_site_queues_known(const struct gw_command *command, const struct gw_site *site,
			 const struct gw_strings *names);

/* "cluster c, 3 s ago". Freed by the caller; NULL when memory is out. */
char *gw_site_age(const struct gw_site *site);

/* Wall clock, "2026-01-31T09:00:00"; "-" for 0. Returns text. */
#define GW_DATE_SIZE 32
const char *gw_date_text(char text[GW_DATE_SIZE], int64_t when);

#endif
