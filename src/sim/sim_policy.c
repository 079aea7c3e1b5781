// SPDX-License-Identifier: GPL-2.0-or-later
/* The policies that can be asked for by name. */
#include <stddef.h>

#include "../util/str.h"
#include "sim.h"

#define ROW(name, order, backfill, place, is_private, help)                                        \
	{                                                                                          \
		{name,                                                                             \
		 GW_SIM_ORDER_##order,                                                             \
		 GW_SIM_BACKFILL_##backfill,                                                       \
		 GW_SIM_PLACE_##place,                                                             \
		 is_private,                                                                       \
		 NULL},                                                                            \
			help                                                                       \
	}

static const struct {
	struct gw_sim_policy policy;
	const char *help;
} policies[] = {
	ROW("fifo", FIFO, NONE, STOCK, false, "in order of eligible time; the first blocks all"),
	ROW("fifo-private", FIFO, NONE, BEST_FIT, true,
	    "in order, best fit, each queue on nodes of its own"),
	ROW("fifo-one", FIFO, ONE, STOCK, false, "the same, backfill around one reservation"),
	ROW("fifo-backfill", FIFO, ALL, STOCK, false, "the same, with Slurm's backfill"),
	ROW("stock-one", MULTIFACTOR, ONE, STOCK, false,
	    "QOS, then fair share; backfill around one reservation"),
	ROW("stock", MULTIFACTOR, ALL, STOCK, false,
	    "QOS, then fair share; Slurm's backfill and Slurm's choice of nodes"),
	ROW("first-fit", MULTIFACTOR, ALL, FIRST_FIT, false, "stock, first nodes that fit"),
	ROW("lln-one", MULTIFACTOR, ONE, LLN, false, "stock-one, least loaded nodes (CR_LLN)"),
	ROW("lln", MULTIFACTOR, ALL, LLN, false, "stock, least loaded nodes (CR_LLN)"),
	ROW("best-fit", MULTIFACTOR, ALL, BEST_FIT, false, "stock, least GPUs left on the node"),
	ROW("fgd", MULTIFACTOR, ALL, FGD, false, "stock, least growth of fragmentation (FGD)"),
	ROW("buddy", MULTIFACTOR, ALL, BUDDY, false, "stock, aligned cells of GPUs (HiveD)"),
	ROW("drf", DRF, ALL, STOCK, false, "class, then least dominant share held now"),
	ROW("kueue", KUEUE, ALL, STOCK, false, "sampled usage with entry penalty, then class"),
	ROW("pool", MULTIFACTOR, ALL, FUNGIBLE, false, "stock, GPUs without nodes: the bound"),
	ROW("gangway", GANGWAY, ALL, GANGWAY, false, "gangway.conf as the plugins act on it"),
	ROW("gangway-order", GANGWAY, ALL, STOCK, false,
	    "Gangway's order, Slurm's choice of nodes"),
	ROW("gangway-place", MULTIFACTOR, ALL, GANGWAY, false,
	    "stock's order, Gangway's choice of nodes"),
	ROW("gangway-pool", GANGWAY, ALL, FUNGIBLE, false, "Gangway's order, GPUs without nodes"),
};

#define COUNT (sizeof(policies) / sizeof(policies[0]))

bool gw_sim_policy_named(const char *name, struct gw_sim_policy *policy)
{
	for (size_t i = 0; i < COUNT; i++)
		if (gw_same(policies[i].policy.name, name)) {
			const struct gw_conf *conf = policy->conf;

			*policy = policies[i].policy;
			policy->conf = conf;
			return true;
		}
	return false;
}

const char *gw_sim_policy_list(size_t i, const char **help)
{
	if (i >= COUNT)
		return NULL;
	*help = policies[i].help;
	return policies[i].policy.name;
}
