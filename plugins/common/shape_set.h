// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The shapes that ShapeName= names, read from their hwloc files, and which node has which.
 *
 * Owns: files and tables. A set is immutable but for its count of holders, and may be used by
 * several threads. Does not own: whether a node is what its shape says: gw_named_shape_fits()
 * is asked with what slurmctld knows of it.
 */
#ifndef GW_SHAPE_SET_H
#define GW_SHAPE_SET_H

#include "plugins/common/shape_reader.h"
#include "src/core/conf.h"
#include "src/core/gpuset.h"
#include "src/util/error.h"

enum gw_shape_state {
	GW_SHAPE_WAITS, /* not read yet */
	GW_SHAPE_READ,
	GW_SHAPE_KEPT, /* the file is bad: the one read before is in use */
	GW_SHAPE_BAD,  /* gres.conf is used instead */
};

struct gw_named_shape {
	enum gw_shape_state state;
	struct gw_shape_info info;     /* with its name */
	uint32_t cores;                /* of the machine in the file */
	uint8_t *near;                 /* [gpu * cores + core]: not 0 where that core is near */
	struct gw_gpuset_table *table; /* NULL where the state is GW_SHAPE_WAITS or _BAD */
	char *file, *nodes;            /* nodes: as the configuration has them */
};

struct gw_shape_set;

/* "waits", "read", "kept", "bad": for the status file. */
const char *gw_shape_state_name(enum gw_shape_state state);

/* With every shape still to be read; NULL: memory is out. */
struct gw_shape_set *gw_shape_set_waiting(const struct gw_conf *conf);

/* How files are read, and who is told in one line what is wrong with one. */
struct gw_shape_files {
	gw_shape_reader_function read;
	const char *kept;        /* a directory for copies of good files */
	const atomic_bool *stop; /* NULL: never; once it is true, what is left is not read */
	void (*say)(const char *text);
};

/*
 * Reads the files and makes the tables: a quarter of a second for 16 GPUs. Of a bad file its
 * last good copy is used, where there is one. What stop keeps from being read stays GW_SHAPE_WAITS.
 * NULL: memory is out.
 */
struct gw_shape_set *gw_shape_set_read(const struct gw_conf *conf,
				       const struct gw_shape_files *files);

/* One more holder, or one less; the last one frees it. put(NULL) does nothing. */
struct gw_shape_set *gw_shape_set_hold(struct gw_shape_set *set);
void gw_shape_set_put(struct gw_shape_set *set);

/* By index, to *count. */
const struct gw_named_shape *gw_shape_set_shapes(const struct gw_shape_set *set, size_t *count);

/* The shape that is given to the node of this name, or NULL. A search among the names. */
const struct gw_named_shape *gw_shape_set_of_node(const struct gw_shape_set *set, const char *node);

/* What slurmctld knows of a node. */
struct gw_shape_claim {
	const char *node;
	uint32_t gpus, cores;
	/* Whether gres.conf has the core among the GPU's; true where it names none. */
	bool (*near)(const void *arg, uint32_t gpu, uint32_t core);
	const void *arg;
};

/*
 * Whether the node is what the shape says: as many GPUs and cores, and no GPU whose Cores= are
 * all far from where the file has it (the order of gres.conf is not that of PCI addresses then).
 * False with why.
 */
bool gw_named_shape_fits(const struct gw_named_shape *shape, const struct gw_shape_claim *claim,
			 struct gw_error *why);

#endif
