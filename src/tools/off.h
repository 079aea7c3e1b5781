// SPDX-License-Identifier: GPL-2.0-or-later
/* The parts of gangway off. Each prints what it does; all return an enum gw_exit. */
#ifndef GW_TOOLS_OFF_H
#define GW_TOOLS_OFF_H

#include "state.h"

/*
 * Puts back the site factor that every job in the list had before Gangway wrote its own, by
 * asking slurmctld, and deletes the list once all are back. No list: nothing was touched.
 */
int gw_site_factors_restore(const struct gw_command *command, const struct gw_places *places,
			    const struct gw_slurm_conf *slurm, bool dry_run);

/* Prints the lines of slurm.conf that bring Gangway in, and what to write instead. */
int gw_off_print_lines(const struct gw_command *command, const struct gw_slurm_conf *slurm,
		       const struct gw_places *places);

#endif
