// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/rank_ledger.h"

#include <errno.h>
#include <stdlib.h>

#include "plugins/common/engine.h"
#include "src/util/file.h"

/* The most that kill -9 may cost; what ran in that time is found again in Slurm's job records. */
#define GW_LEDGER_SECONDS 2

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

int gw_rank_ledger_adopt(struct gw_rank *rank, const struct gw_conf *conf, struct gw_error *why)
{
	if (rank->ledger)
		return gw_ledger_set_conf(rank->ledger, conf, time(NULL), why);
	rank->ledger = gw_ledger_new(conf, why);
	if (!rank->ledger)
		return -1;
	load(rank->ledger);
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
