/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Slurm records and calls the plugins use, whatever the generation. One header a
 * generation holds everything that differs; nothing else in plugins/ tests the version.
 */
#ifndef GW_COMPAT_H
#define GW_COMPAT_H

#include "src/common/slurm_xlator.h"

#include "slurm/slurm.h"
#include "slurm/slurm_errno.h"
#include "src/common/bitstring.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/read_config.h"
#include "src/common/run_in_daemon.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/slurmctld.h"

#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0) &&                                        \
	SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 5, 0)
#include "plugins/common/compat/slurm_24_11.h"
#elif SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(22, 5, 0) &&                                       \
	SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0)
#include "plugins/common/compat/slurm_22_05.h"
#else
#error "this Slurm generation is not supported"
#endif

#endif
