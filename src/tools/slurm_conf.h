// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * slurm.conf (and gres.conf, which is written alike), as far as Gangway's command needs it: which
 * line says what. Read by us and not by libslurm, which exits on a bad file, hides line numbers
 * and asks the live cluster.
 */
#ifndef GW_TOOLS_SLURM_CONF_H
#define GW_TOOLS_SLURM_CONF_H

#include <stdint.h>

#include "../util/error.h"
#include "../util/record.h"
#include "findings.h"

#define GW_SLURM_CONF_DEFAULT "/etc/slurm/slurm.conf"

/* As in plugin_version: major << 16 | minor << 8 | micro. */
#define GW_SLURM_VERSION(major, minor, micro)                                                      \
	(((uint32_t)(major) << 16) | ((uint32_t)(minor) << 8) | (uint32_t)(micro))

/* One setting of the whole cluster. */
struct gw_setting {
	char *key;
	char *value;
	const char *file;
	int line;
};

/* One line of NodeName, PartitionName or NodeSet, or of Name in gres.conf. */
struct gw_slurm_line {
	struct gw_record record;
	const char *file;
	size_t defaults; /* the nearest DEFAULT line of its kind before it, plus 1; 0: none */
};

struct gw_slurm_conf {
	struct gw_setting *setting;
	size_t setting_count;
	struct gw_slurm_line *line;
	size_t line_count;
	struct gw_strings files; /* [0]: the first one */
};

/*
 * Reads path and what it includes. Lines that can not be read become findings (NULL: are
 * skipped). Returns -1 with error when path itself can not be read. Always to be freed.
 */
int gw_slurm_conf_read(const char *path, struct gw_slurm_conf *conf, struct gw_findings *findings,
		       struct gw_error *error);

void gw_slurm_conf_free(struct gw_slurm_conf *conf);

/* The setting in force (the last one written) or NULL. */
const struct gw_setting *gw_slurm_setting(const struct gw_slurm_conf *conf, const char *key);

/* The same, as text. */
const char *gw_slurm_value(const struct gw_slurm_conf *conf, const char *key, const char *missing);

/*
 * The value of key in line number at, or else in the nearest DEFAULT line of its kind before it;
 * NULL: neither.
 */
const char *gw_slurm_line_value(const struct gw_slurm_conf *conf, size_t at, const char *key);

/* The names of all NodeName lines, sorted, in an empty list. False, and none: one can not be read.
 */
bool gw_slurm_nodes(const struct gw_slurm_conf *conf, struct gw_strings *known);

/* Whether some of names are not among those; appends how many, and the first of them. */
bool gw_slurm_missing(const struct gw_strings *known, const struct gw_strings *names,
		      struct gw_str *text);

/* Whether a list with commas between holds word, without regard to case. */
bool gw_list_has(const char *list, const char *word);

/* given, else SLURM_CONF of the environment, else the default. */
const char *gw_slurm_conf_path(const char *given);

/* given, else the file called name beside that slurm.conf; freed by the caller. */
char *gw_slurm_beside(const char *slurm_conf, const char *given, const char *name);

/* The same for gangway.conf. */
char *gw_conf_path(const char *slurm_conf, const char *given);

#endif
