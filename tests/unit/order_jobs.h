// SPDX-License-Identifier: GPL-2.0-or-later
/* Jobs of three queues that wait, and the order they get. */
#ifndef GW_TESTS_ORDER_JOBS_H
#define GW_TESTS_ORDER_JOBS_H

#include "src/core/order.h"

#define NOW  INT64_C(1700000000)
#define HOUR 3600
#define DAY  86400
#define WEEK (7 * DAY)

enum { A, B, C };
enum { HIGH, STANDARD };
enum { H100, A100 };

#define WEEKLY      "UsageHalfLife=7-0\n"
#define TWO_CLASSES "ClassName=high Rank=3\nClassName=standard Rank=2 Default=yes\n"
#define FLAVORS                                                                                    \
	"FlavorName=h100 Gres=gpu:h100 Partition=gpu\nFlavorName=a100 Gres=gpu:a100 "              \
	"Partition=old\n"
#define ONE_POOL "PoolName=all Quota=h100=1000,a100=1000\n"
#define QUEUES   "QueueName=a Pool=all\nQueueName=b Pool=all\nQueueName=c Pool=all\n"
#define PLAIN    WEEKLY TWO_CLASSES FLAVORS ONE_POOL QUEUES

#define LINES_MAX 64
#define JOBS_MAX  4096

struct fixture {
	struct gw_conf *conf;
	struct gw_quota *quota;
	struct gw_order_workspace *work;
	struct gw_order_input in;
	double usage[LINES_MAX], held[LINES_MAX];
	struct gw_job job[JOBS_MAX];
	const struct gw_order_rank *rank;
	size_t count;
	char text[1024];
};

/* With no jobs, usage or anything held. */
struct fixture *set_up(const char *conf_text);
/* PLAIN with these lines before it. */
struct fixture *set_up_with(const char *globals);
void tear_down(struct fixture *f);

/* Of usage and held. */
size_t line_of(const struct fixture *f, int32_t queue, int32_t flavor);

/* A standard job of one h100 for an hour, an hour old; tests change what they are about. */
struct gw_job *add(struct fixture *f, int queue);
void resize(struct gw_job *job, uint32_t gpus);
/* All 8 GPUs of a node. */
void take_whole_node(struct gw_job *job);

/* One gap; it must outlive the fixture. */
void set_gap(struct fixture *f, const struct gw_order_gap *gap);

/* u = rate of so many GPUs for ever would have: the key of what is held and used compare. */
double usage_of(double gpus);

/* Fails the test when it can not be done. */
void rank(struct fixture *f);

/* Job ids in order; "|" before the first that waits its turn and "!" before the first blocked. */
const char *order(struct fixture *f);

#endif
