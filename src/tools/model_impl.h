// SPDX-License-Identifier: GPL-2.0-or-later
/* Inside of model_*.c: one reading of a site's files. */
#ifndef GW_TOOLS_MODEL_IMPL_H
#define GW_TOOLS_MODEL_IMPL_H

#include "../core/conf.h"
#include "model_file.h"
#include "slurm_conf.h"

#define GW_MODEL_NODES_MAX 65536

/* Memory of a node where memory is not shared out: more than any job asks for. MiB. */
#define GW_MODEL_MEMORY_ANY (UINT64_C(1) << 40)

struct gw_model_reading {
	struct gw_slurm_conf slurm;
	struct gw_model *model;
	struct gw_findings *notes; /* NULL: nobody wants to know */
	struct gw_error *error;
	struct gw_findings *refused; /* NULL: what is refused ends the reading; else added here */
	bool names_known;            /* what is refused is collected, all NodeName= can be read */
	struct gw_strings known;     /* then: their names, sorted */
	size_t *line;                /* by node: its line of slurm.conf */
	size_t *by_name;             /* nodes, sorted by name */
};

/* A place in a file. */
struct gw_model_at {
	const char *file;
	int line;
};

struct gw_model_at gw_model_at_line(const struct gw_slurm_conf *conf, size_t at);
struct gw_model_at gw_model_at_setting(const struct gw_setting *setting);

/*
 * "file:line: text" as the error. Returns -1; or 0, for the caller to go on without, where what is
 * refused is collected.
 */
int gw_model_fail(const struct gw_model_reading *reading, struct gw_model_at at, const char *format,
		  ...) __attribute__((format(printf, 3, 4)));
void gw_model_note(const struct gw_model_reading *reading, struct gw_model_at at,
		   const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A file beside slurm.conf. Returns 1 read, 0 not there, -1 with error. To be freed in any case. */
int gw_model_read_beside(const struct gw_model_reading *reading, const char *name,
			 struct gw_slurm_conf *conf);

/* Of a line; missing when the line does not have it. -1 with error: no number, or above most. */
int gw_model_number(const struct gw_model_reading *reading, size_t at, const char *key,
		    uint64_t missing, uint64_t most, uint64_t *number);

/* The node with that name, or GW_NO_INDEX. */
size_t gw_model_node_named(const struct gw_model_reading *reading, const char *name);

/* Names of nodes and of NodeSets, or ALL: has[] is set for each. Error: at, key. */
int gw_model_mark(const struct gw_model_reading *reading, const struct gw_slurm_conf *conf,
		  size_t at, const char *key, bool *has);

/* The parts of the model. Each returns 0, or -1 with error. */
int gw_model_read_nodes(struct gw_model_reading *reading);
int gw_model_read_partitions(struct gw_model_reading *reading);
int gw_model_read_sched(struct gw_model_reading *reading);
int gw_model_read_domains(struct gw_model_reading *reading);
int gw_model_read_shapes(struct gw_model_reading *reading);

#endif
