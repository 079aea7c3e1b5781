// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The inflation test of FGD ("Beware of Fragmentation", ATC'23) on its own trace: pods arrive one
 * by one in random order until they ask for 130 % of the GPUs there are; a pod that does not fit is
 * lost, none ends. Measured is what is left of the GPUs and can not be used by the pods that come.
 *
 * Units are the trace's: a thousandth of a CPU, MiB, a thousandth of a GPU.
 */
#ifndef OPENB_H
#define OPENB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define OPENB_GPUS  8    /* the most a node may have */
#define OPENB_WHOLE 1000 /* a GPU */

struct openb_pod {
	uint32_t cpu, memory;
	uint32_t gpus, part; /* part of each of its GPUs; less than a whole one: gpus is 1 */
	uint32_t models;     /* bits of the GPU models it accepts; 0: any */
};

struct openb_node {
	uint32_t cpu, cpu_all;
	uint32_t memory, memory_all;
	uint32_t gpus, model; /* model: one bit */
	uint32_t left[OPENB_GPUS];
	double frag;   /* openb_frag() of what is left */
	uint32_t rank; /* equal scores: lowest first */
};

struct openb_cluster {
	struct openb_node *node;
	size_t count;
	uint64_t gpus; /* thousandths */
};

/* Growing array; free(pod). */
struct openb_pods {
	struct openb_pod *pod;
	size_t count, room;
};

/* GPU model names as they are met; bit i is name i. */
struct openb_models {
	char name[32][16];
	uint32_t count;
};

/* openb_read.c: false after a line on standard error. */
bool openb_read_nodes(const char *path, struct openb_models *models, struct openb_cluster *cluster);
bool openb_read_pods(const char *path, struct openb_models *models, struct openb_pods *pods);
bool openb_pods_add(struct openb_pods *pods, const struct openb_pod *pod);

/* A kind of pod and its part of all pods. */
struct openb_shape {
	struct openb_pod pod;
	double popularity;
};

struct openb_mix {
	struct openb_shape *shape;
	size_t count;
};

/* openb_mix.c: the most common kinds that make up 95 % of the pods. */
bool openb_mix_make(const struct openb_pods *pods, struct openb_mix *mix);

/* Whether a pod has room there, by CPUs, memory, model and GPUs. */
bool openb_fits(const struct openb_node *node, const struct openb_pod *pod);

/*
 * Thousandths of GPU left on a node that a pod of the mix can not use, on average: all of them for
 * a pod without GPUs, of another model, or that lacks CPUs or GPUs there; else those of GPUs with
 * less left than it takes of one.
 */
double openb_frag(const struct openb_node *node, const struct openb_mix *mix);

/* openb_arrive.c: the pods in the order of a seed, as many as ask for `ratio` of the GPUs. */
bool openb_arrive(const struct openb_pods *pods, const struct openb_cluster *cluster, double ratio,
		  uint64_t seed, struct openb_pods *arriving);
/* Ranks of the nodes at random. */
void openb_shuffle_nodes(struct openb_cluster *cluster, uint64_t seed);

/* A node and, for each of its GPUs, whether the pod is on it. */
struct openb_place {
	struct openb_node *node; /* NULL: no room */
	uint32_t set;
};

struct openb_policy {
	const char *name;
	/* state: as made by start, or NULL. */
	struct openb_place (*place)(void *state, const struct openb_cluster *cluster,
				    const struct openb_mix *mix, const struct openb_pod *pod);
	void *(*start)(const struct openb_cluster *cluster, const struct openb_mix *mix);
	void (*end)(void *state);
};

/* openb_peers.c */
extern const struct openb_policy openb_best_fit, openb_fgd;
/* openb_ours.c */
extern const struct openb_policy openb_gangway, openb_gangway_learning, openb_gangway_unknown;

/* Percent of all GPUs, once all have arrived. */
struct openb_result {
	double frag; /* left and of no use to the mix */
	double used;
	double lost; /* of what was asked for */
};

/* openb_run.c */
void openb_take(const struct openb_place *place, const struct openb_pod *pod,
		const struct openb_mix *mix);
bool openb_run(const struct openb_policy *policy, const struct openb_cluster *cluster,
	       const struct openb_pods *pods, const struct openb_mix *mix, double ratio,
	       uint64_t seed, struct openb_result *result);

#endif
