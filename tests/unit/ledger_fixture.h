// SPDX-License-Identifier: GPL-2.0-or-later
/* A ledger of two queues, asked about in seconds since START. */
#ifndef GW_TESTS_LEDGER_FIXTURE_H
#define GW_TESTS_LEDGER_FIXTURE_H

#include <math.h>

#include "conf_text.h"
#include "src/core/ledger.h"
#include "unit.h"

#define WEEK  604800
#define YEAR  31536000
#define START INT64_C(1700000000)

enum { NLP, VISION };
enum { H100, A100, CPU = GW_INDEX_NONE };

static const char flavors[] = "FlavorName=h100 Gres=gpu:h100 Partition=gpu\n"
			      "FlavorName=a100 Gres=gpu:a100 Partition=old\n"
			      "PoolName=train Quota=h100=96,a100=16\n";
static const char queues[] = "QueueName=nlp Pool=train\nQueueName=vision Pool=train\n";

static inline struct gw_conf *conf_of(const char *globals, const char *queue_lines)
{
	struct gw_conf *conf = NULL;
	struct gw_str text = {0};
	struct gw_error error = {0};

	gw_str_append(&text, globals);
	gw_str_append(&text, flavors);
	gw_str_append(&text, queue_lines);
	ck_assert_msg(!conf_load_text(gw_str_text(&text), &conf, &error), "%s", error.text);
	gw_str_free(&text);
	return conf;
}

struct fixture {
	struct gw_conf *conf;
	struct gw_ledger *ledger;
};

static inline struct fixture set_up(const char *globals)
{
	struct fixture f = {.conf = conf_of(globals, queues)};

	f.ledger = gw_ledger_new(f.conf, NULL);
	return f;
}

static inline struct fixture set_up_week(void)
{
	return set_up("UsageHalfLife=7-0\n");
}

#define LINES 6

static inline size_t line_of(const struct fixture *f, int32_t queue, int32_t flavor)
{
	size_t line = gw_line(f->conf, queue, flavor);

	ck_assert(line < LINES);
	return line < LINES ? line : 0;
}

static inline void tear_down(struct fixture *f)
{
	gw_ledger_free(f->ledger);
	gw_conf_free(f->conf);
}

/* START + seconds. */
static inline double usage(const struct fixture *f, int queue, int64_t seconds)
{
	return gw_ledger_usage(f->ledger, queue, H100, START + seconds);
}

static inline void start(const struct fixture *f, int queue, uint32_t id, double rate,
			 int64_t seconds)
{
	ck_assert_int_eq(gw_ledger_start(f->ledger, queue, H100, id, rate, START + seconds, NULL),
			 0);
}

/* What a rate of 1 leaves at now of having run from begin to end, by the formula. */
static inline double ran(double half_life, double begin, double end, double now)
{
	double h = half_life / log(2);

	return h * (exp(-(now - end) / h) - exp(-(now - begin) / h));
}

static inline void near(double got, double wanted)
{
	ck_assert_msg(fabs(got - wanted) <= 1e-9 * fabs(wanted) + 1e-9, "%.17g, not %.17g", got,
		      wanted);
}

#endif
