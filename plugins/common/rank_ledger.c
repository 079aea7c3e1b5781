// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/rank_ledger.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "plugins/common/engine.h"
#include "src/util/file.h"

/* The most that kill -9 may cost; what ran in that time is found again in Slurm's job records. */
#define GW_LEDGER_SECONDS 2

/* The clock is taken to have been set where it is off by so many seconds at once. */
#define GW_CLOCK_SLACK 600

/* A damaged or newer file is put aside, so that nothing is lost, and the ledger begins anew. */
static void put_aside(const char *path, const struct gw_error *why)
{
	char aside[PATH_MAX];

	error("gangway: ledger: %s", why->text);
	if (snprintf(aside, sizeof(aside), "%s.bad", path) < (int)sizeof(aside) &&
	    !rename(path, aside))
		error("gangway: ledger: kept aside as %s; usage begins anew", aside);
}

static void load(struct gw_ledger *ledger)
{
	struct gw_error why = {{0}};
	char path[PATH_MAX], *text = NULL;

	if (gw_engine_state_path("ledger", path))
		return;
	if (gw_file_read(path, &text, &why)) {
		if (errno != ENOENT)
			put_aside(path, &why);
	} else if (gw_ledger_load(ledger, text, &why)) {
		put_aside(path, &why);
	}
	free(text);
}

/* Seconds that no setting of the clock moves; a machine that slept has them too. */
static int64_t up_seconds(void)
{
	struct timespec up;

	clock_gettime(CLOCK_BOOTTIME, &up);
	return up.tv_sec;
}

/* By how much the clock was set since the last time asked, or since the ledger was written. */
static int64_t clock_step(struct gw_rank *rank, time_t now)
{
	int64_t up = up_seconds(), step = 0;

	if (rank->clock_up)
		step = (now - rank->clock_now) - (up - rank->clock_up);
	rank->clock_now = now;
	rank->clock_up = up;
	if (step > -GW_CLOCK_SLACK && step < GW_CLOCK_SLACK)
		step = MIN(now - gw_ledger_now(rank->ledger), 0);
	return step > -GW_CLOCK_SLACK && step < GW_CLOCK_SLACK ? 0 : step;
}

void gw_rank_ledger_clock(struct gw_rank *rank)
{
	int64_t step;

	if (!rank->ledger)
		return;
	step = clock_step(rank, time(NULL));
	if (!step)
		return;
	info("gangway: ledger: the clock was set %s by %" PRId64
	     " seconds: no usage is added or forgotten for it",
	     step < 0 ? "back" : "ahead", step < 0 ? -step : step);
	gw_ledger_shift(rank->ledger, step);
	rank->last_pass = MAX(rank->last_pass + step, 0);
}

int gw_rank_ledger_adopt(struct gw_rank *rank, const struct gw_conf *conf, struct gw_error *why)
{
	if (rank->ledger)
		return gw_ledger_set_conf(rank->ledger, conf, time(NULL), why);
	rank->ledger = gw_ledger_new(conf, why);
	if (!rank->ledger)
		return -1;
	load(rank->ledger);
	gw_rank_ledger_clock(rank);
	return 0;
}

void gw_rank_ledger_publish(struct gw_rank *rank)
{
	struct gw_error why = {{0}};
	char *text;

	if (rank->copy.now - rank->ledger_published < GW_LEDGER_SECONDS &&
	    rank->copy.now >= rank->ledger_published)
		return;
	rank->ledger_published = rank->copy.now;
	text = gw_ledger_text(rank->ledger, rank->copy.now, &why);
	if (text)
		gw_engine_keep_file("ledger", 0600, text);
	else
		error("gangway: ledger: %s", why.text);
}
