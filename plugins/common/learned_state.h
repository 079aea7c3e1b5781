// SPDX-License-Identifier: GPL-2.0-or-later
/* Inside of what is learned: shared by learned*.c and by nothing else. */
#ifndef GW_LEARNED_STATE_H
#define GW_LEARNED_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "plugins/common/learned.h"
#include "plugins/common/policy.h"
#include "src/core/mix_seen.h"

/* A start or an end. */
struct gw_learned_event {
	struct gw_learned_event *next;
	uint32_t job;
	bool began;
	bool ran;   /* an end: as the job would have it, not by the hand of Slurm */
	int64_t at; /* an end: when */
	struct gw_predict_running running;
	struct gw_mix_kind holds; /* on each node */
	size_t node_count;
	uint32_t *node;
};

/* Events in the order they came. */
struct gw_learned_events {
	struct gw_learned_event *first, **end; /* end NULL: none yet */
};

struct gw_learned_run {
	struct gw_predict_kind kind;
	int64_t duration, end;
};

struct gw_learned {
	/* Position of gres/gpu among the TRES, or -1. */
	atomic_int gpu;

	pthread_mutex_t inbox_lock; /* held for a few assignments */
	struct gw_learned_events inbox;

	/* Under lock, which hooks only try. */
	pthread_mutex_t lock;
	struct gw_predict *predict; /* changed by the thread alone */
	struct gw_drain *drain;
	struct gw_mix_seen *seen;
	struct gw_mix *mix; /* changed by the thread alone; NULL: not known, or of no matter */
	bool seen_changed;  /* since it was kept */
	struct gw_learned_run *run; /* not told to predict yet */
	size_t run_count, run_room;
	bool copying; /* the thread makes another drain: applied events are kept for it */
	struct gw_learned_events recent;

	/* The thread's own. */
	int64_t refreshed, kept, mix_at;
	bool changed; /* since it was kept */
};

/* The one of the process. */
struct gw_learned *gw_learned_get(void);

/* What a job's run time is judged by; the job lock and the association read lock are held. */
struct gw_predict_kind gw_learned_kind(const struct gw_policy *policy, const job_record_t *job,
				       int gpu_position);

/* What it holds of each of its nodes, gpus being those of all; GPUs 0: not known. */
struct gw_mix_kind gw_learned_holds(const job_record_t *job, uint32_t gpus);

/* The nodes with GPUs; the node read lock is held. */
void gw_learned_nodes_of_cluster(struct gw_mix_nodes *nodes);

/* Makes the mix anew when it is due; the lock is held. */
void gw_learned_mix_renew(struct gw_learned *learned, const struct gw_mix_nodes *nodes,
			  int64_t now);

/* Applies what is in the inbox; the lock is held. */
void gw_learned_apply(struct gw_learned *learned);

/* Applies what came while another drain was made to that one, which takes the old one's place. */
void gw_learned_replace(struct gw_learned *learned, struct gw_drain *fresh);

/* Node indexes of a job that holds nodes; NULL with *count 0: none. Freed by free(). */
uint32_t *gw_learned_nodes(const job_record_t *job, size_t *count);

void gw_learned_events_free(struct gw_learned_events *events);

#endif
