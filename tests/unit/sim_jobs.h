// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Simulations of a few jobs written as rows. Every node is watched while they run: no GPU is
 * given twice, nobody gets more or less than it asked for, and what ended is free again.
 */
#ifndef GW_TESTS_SIM_JOBS_H
#define GW_TESTS_SIM_JOBS_H

#include "src/sim/sim.h"

#define SIM_JOBS_MAX 4096
#define SIM_WHERE    192

/* Of a job that must be left out. */
#define SIM_NEVER (-1)

/* Queues a and b, alike; classes high and normal; quota for everything. */
#define SIM_HEAD                                                                                   \
	"UsageHalfLife=7-0\nUsageWeights=gres/gpu=1\nSmallHold=NONE\nWithinQueue=fifo\n"           \
	"ClassName=high QOS=high Rank=2\nClassName=normal QOS=normal Rank=1 Default=yes\n"         \
	"FlavorName=gpu Gres=gpu Partition=main\n"
#define SIM_POOL "PoolName=all Quota=gpu=1000\n"
#define SIM_CONF SIM_HEAD SIM_POOL "QueueName=a Pool=all\nQueueName=b Pool=all\n"

struct sim_row {
	int64_t submit, duration, limit;
	uint32_t gpus;
	const char *account; /* NULL: behind the last row */
	const char *qos;
	int64_t start;     /* that must come out, or SIM_NEVER */
	const char *where; /* the same: "0:ff 1:0f", GPUs by node; NULL: anywhere */
	/* What few jobs have. */
	const char *partition, *gpu_type;
	uint32_t nodes, cpus;
	uint64_t memory;
	int64_t eligible;
};

#define SIM_ROWS 12

struct sim_case {
	const char *what, *policy, *nodes;
	struct sim_row row[SIM_ROWS];
	void (*change)(struct gw_model *model); /* NULL: as gw_model_of_text() has it */
	const char *conf;                       /* NULL: SIM_CONF */
};

struct sim_jobs {
	struct gw_conf *conf;
	struct gw_model model;
	struct gw_trace trace;
	struct gw_sim_policy policy;
	struct gw_sim_options options;
	struct gw_sim_result result;
};

/* Fails the test when anything is wrong with its texts. conf NULL: SIM_CONF. */
void sim_jobs_make(struct sim_jobs *jobs, const char *policy, const char *nodes, const char *conf);
void sim_jobs_add(struct sim_jobs *jobs, const struct sim_row *row);
void sim_jobs_add_all(struct sim_jobs *jobs, const struct sim_row *rows);
/* Runs them, fails the test when that fails. */
void sim_jobs_run(struct sim_jobs *jobs);
void sim_jobs_recorded(struct sim_jobs *jobs);
void sim_jobs_free(struct sim_jobs *jobs);

/* Of the last run: where a job was, as in sim_row; when it started, or SIM_NEVER. */
const char *sim_jobs_where(size_t job);
int64_t sim_jobs_start(const struct sim_jobs *jobs, size_t job);

/* Before a run that is not by sim_jobs_run(): watch nodes, or (NULL) do not. */
void sim_jobs_watch(const struct sim_jobs *jobs);

/* Starts and places of all rows are as they say. */
void sim_check(const struct sim_case *want);

#endif
