// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The cluster of a simulation out of a site's own files: slurm.conf, and beside it topology.conf
 * and gres.conf, of which either may be missing.
 *
 * Read: NodeName, NodeSet and PartitionName lines, SchedulerType, SchedulerParameters,
 * SelectTypeParameters, CompleteWait, TopologyPlugin; SwitchName or BlockName; Name=gpu.
 */
#ifndef GW_TOOLS_MODEL_FILE_H
#define GW_TOOLS_MODEL_FILE_H

#include "../sim/cluster_model.h"
#include "findings.h"
#include "slurm_conf.h"

/*
 * Returns 0 with a model for gw_model_free(), or -1 with an error that begins with file and line
 * and says what is allowed. What the files say and the model leaves out is added to notes as
 * warnings (NULL: is not told).
 */
int gw_model_read(const char *slurm_conf, struct gw_model *model, struct gw_findings *notes,
		  struct gw_error *error);

/*
 * What gw_model_read() refuses in NodeName and PartitionName lines, each line of them, as errors in
 * findings, which may have errors of what could not be read at all; where there are none, nodes of
 * partitions that have no line too. Not what is too large for a simulation alone. Returns 0, or -1
 * with error: no memory.
 */
int gw_model_check(const struct gw_slurm_conf *slurm, struct gw_findings *findings,
		   struct gw_error *error);

/*
 * The items of a SchedulerParameters, on top of what sched has. Items that the model leaves out
 * are listed in left_out, which may hold some already.
 */
int gw_model_sched_read(const char *list, struct gw_model_sched *sched, struct gw_str *left_out,
			struct gw_error *error);

#endif
