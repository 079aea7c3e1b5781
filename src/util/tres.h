// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Slurm's TRES strings: "cpu=8,mem=64G,gres/gpu:h100=4,gres/gpu=4".
 *
 * A typed and an untyped entry of one GRES are the same devices seen twice, so
 * they are never added up: see gw_tres_gres().
 */
#ifndef GW_UTIL_TRES_H
#define GW_UTIL_TRES_H

#include <stddef.h>

#include "error.h"

struct gw_tres_entry {
	char *name;   /* as written; names are compared without regard to case */
	double value; /* a count, of mem and bb/NAME in MiB, or what one of these weighs */
};

struct gw_tres {
	struct gw_tres_entry *entry;
	size_t count;
};

/* Parses text into an empty tres, which gw_tres_free() frees. Empty text gives no entries. */
int gw_tres_parse(const char *text, struct gw_tres *tres, struct gw_error *error);

/*
 * The same for weights, which mean what they mean in Slurm's TRESBillingWeights: a suffix of mem
 * and bb/NAME says for how much the weight is. Refuses TRES that jobs are never allocated.
 */
int gw_tres_parse_weights(const char *text, struct gw_tres *tres, struct gw_error *error);

void gw_tres_free(struct gw_tres *tres);

/* The value of exactly this name, or missing. */
double gw_tres_value(const struct gw_tres *tres, const char *name, double missing);

/*
 * How many devices of one GRES ("gpu") of any type: the greater of the untyped
 * entry and the sum of the typed ones.
 */
double gw_tres_gres(const struct gw_tres *tres, const char *gres);

/* For weights: the entry of name, else, for gres/gpu:h100, that of gres/gpu, else missing. */
double gw_tres_weight(const struct gw_tres *tres, const char *name, double missing);

/*
 * What holding all of tres is worth a second: the sum of counts times weights. Devices of a
 * GRES that have a type are weighed by it, the others as untyped.
 */
double gw_tres_weighted(const struct gw_tres *weights, const struct gw_tres *tres);

#endif
