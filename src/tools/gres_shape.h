// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What gres.conf says of the GPUs of a node, and the shape that follows from it. gres.conf is read
 * by gw_slurm_conf_read(), as slurm.conf is.
 */
#ifndef GW_TOOLS_GRES_SHAPE_H
#define GW_TOOLS_GRES_SHAPE_H

#include <stdint.h>

#include "../core/cluster.h"
#include "slurm_conf.h"

/* Cores of a node as slurm.conf says them; they make the numbers of Cores=. */
struct gw_gres_cores {
	uint32_t sockets, per_socket, threads; /* all at least 1 */
};

/* One GPU. Texts are those of the gw_slurm_conf, which must outlive it. */
struct gw_gres_gpu {
	const char *type;                 /* NULL: untyped */
	const char *cores, *links;        /* as written; NULL: not given */
	char *device;                     /* its file of File=; NULL: not given */
	const struct gw_slurm_line *line; /* that says so */
	bool slice;                       /* of a GPU (MultipleFiles=): MIG */
};

struct gw_gres_gpus {
	struct gw_gres_gpu *item; /* in order of Slurm's index, but see gw_gres_shape() */
	size_t count;
	bool detected; /* AutoDetect is on: slurmd adds what is not written */
};

/*
 * The first Slurm whose slurmd detects GPUs by this AutoDetect=, as in plugin_version: it need only
 * hold the word. 0: none does, which is how Slurm takes words it does not know too.
 */
uint32_t gw_gres_detects_since(const char *detect);

/* Appends the words of AutoDetect= by which that Slurm detects GPUs: "nvml, rsmi". */
void gw_gres_detectors(uint32_t slurm_version, struct gw_str *words);

/* Of line number at of slurm.conf, a NodeName line; what it leaves out is 1. */
struct gw_gres_cores gw_gres_cores_of_line(const struct gw_slurm_conf *slurm, size_t at);

/*
 * The GPUs of a node (of Name=gpu), none of which is no error. Returns 0, or -1 with error: a list
 * of names or files that can not be read, a bad Count, no memory. With refused (NULL: not) such
 * lines are left out and become its errors. Freed in any case.
 */
int gw_gres_gpus_of_node(const struct gw_slurm_conf *gres, const char *node,
			 struct gw_findings *refused, struct gw_gres_gpus *gpus,
			 struct gw_error *error);
void gw_gres_gpus_free(struct gw_gres_gpus *gpus);

/*
 * The shape of Links= and Cores=. With AutoDetect GPUs are first put in the order that the -1 in
 * Links= give, as slurmd does. Returns 0; 1 when neither is written, there are no GPUs, more than
 * GW_SHAPE_GPUS_MAX, or there are slices among them; -1 with an error that begins with file and
 * line. Cores= must be those of a node with these cores.
 */
int gw_gres_shape(struct gw_gres_gpus *gpus, const struct gw_gres_cores *cores,
		  struct gw_shape_info *shape, struct gw_error *error);

/* All in one: as gw_gres_shape(), by name. */
int gw_gres_shape_of_node(const struct gw_slurm_conf *gres, const char *node,
			  const struct gw_gres_cores *cores, struct gw_shape_info *shape,
			  struct gw_error *error);

#endif
