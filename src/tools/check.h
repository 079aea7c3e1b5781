// SPDX-License-Identifier: GPL-2.0-or-later
/* The parts of gangway check. Each adds what it finds. */
#ifndef GW_TOOLS_CHECK_H
#define GW_TOOLS_CHECK_H

#include <stdint.h>

#include "../core/conf.h"
#include "findings.h"
#include "slurm_conf.h"

#define GW_SLURM_VERSION_TEXT 16

/* What is checked. */
struct gw_check {
	const struct gw_conf *conf; /* NULL: gangway.conf is bad */
	const char *conf_path;
	const struct gw_slurm_conf *slurm;
	bool has_slurm;         /* it could be read */
	uint32_t slurm_version; /* of the slurmctld that would load the plugins */
	char *plugin_dir;       /* Gangway's own, of those in PluginDir; NULL: none */
	struct gw_findings *findings;
};

/* One file in Gangway's plugin directory. */
struct gw_plugin_file {
	char *name;       /* "select_cons_tres.so" */
	uint32_t version; /* that it was built for; 0: it can not be opened */
	bool loads;
};

struct gw_plugin_files {
	struct gw_plugin_file *item;
	size_t count;
};

/* "22.05.8" to a number; 0 when it is not a version. */
uint32_t gw_slurm_version_parse(const char *text);
const char *gw_slurm_version_text(uint32_t version, char text[GW_SLURM_VERSION_TEXT]);

/* The entry of PluginDir that is Gangway's, freed by the caller; NULL: none. */
char *gw_gangway_plugin_dir(const struct gw_slurm_conf *slurm);

/* gangway.conf against this host: directories that must be there, grants that are over. */
void gw_check_conf(const struct gw_check *check);

/* What slurm.conf says against what Gangway needs. */
void gw_check_slurm(const struct gw_check *check);

/* SchedulerParameters, against the longest time limit. */
void gw_check_backfill(const struct gw_check *check);

/* gangway.conf's flavors and quotas against partitions, nodes and TRES of slurm.conf. */
void gw_check_gpus(const struct gw_check *check);

#define GW_GRES_ITEM_SIZE 128

/* The next item of a Gres= without what is in parentheses: "gpu:h100:8"; false: none is left. */
bool gw_gres_next(const char **at, char item[GW_GRES_ITEM_SIZE]);

/* GPUs in a Gres= of slurm.conf that belong to flavor: gpu:h100, or gpu for all. */
uint64_t gw_gres_count(const char *gres, const char *flavor);

/*
 * gres.conf (given NULL: beside slurm.conf, if it is there) against slurm.conf and hwloc; and
 * slurm.conf against hwloc, where there is no gres.conf too.
 */
void gw_check_gres(const struct gw_check *check, const char *given);

/*
 * Says of a list of nodes in gangway.conf or gres.conf that some of them are not known; what is
 * the list, "ShapeName=x". Nothing where slurm.conf has no nodes that can be read.
 */
void gw_check_names(const struct gw_check *check, const struct gw_strings *known,
		    const struct gw_strings *names, const char *file, int line, const char *what);

/* A shape of gangway.conf and what is in its file; 0 where that can not be read. */
struct gw_checked_shape {
	const struct gw_shape *shape;
	uint32_t gpus, cores;
};

struct gw_checked_shapes {
	struct gw_checked_shape *item; /* freed by the caller */
	size_t count;
};

/* Reads the hwloc files that gangway.conf names, and looks for their nodes in slurm.conf. */
void gw_check_shapes(const struct gw_check *check, struct gw_checked_shapes *shapes);

/* Opens every plugin in plugin_dir. Fills files, which gw_plugin_files_free() frees. */
void gw_check_plugins(const struct gw_check *check, struct gw_plugin_files *files);
void gw_plugin_files_free(struct gw_plugin_files *files);

/* The shadow of TopologyPlugin, among these files. */
void gw_check_topology(const struct gw_check *check, const struct gw_plugin_files *files);

#endif
