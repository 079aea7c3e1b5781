// SPDX-License-Identifier: GPL-2.0-or-later
/* The ledger's life with the ranks: loaded at the first pass, handed to the engine to be kept. */
#ifndef GW_RANK_LEDGER_H
#define GW_RANK_LEDGER_H

#include "plugins/common/rank_state.h"

/* Gives the ledger another configuration; makes and loads it the first time. */
int gw_rank_ledger_adopt(struct gw_rank *rank, const struct gw_conf *conf, struct gw_error *why);

/* Before each pass: where the clock was set, the ledger goes along. */
void gw_rank_ledger_clock(struct gw_rank *rank);

/* Hands the ledger's text to the engine's thread, every few seconds. */
void gw_rank_ledger_publish(struct gw_rank *rank);

#endif
