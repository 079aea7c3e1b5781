// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Injected faults, so that tests can show what the breaker does. Named by the environment
 * of slurmctld alone: GANGWAY_FAULT=HOOK:KIND, HOOK as in gangway status, KIND error (each
 * passage fails), slow (each passage takes GW_FAULT_SLOW_NS of Gangway's own time) or tier
 * (placement: what we prefer is tried and then taken to have failed).
 */
#ifndef GW_FAULT_H
#define GW_FAULT_H

#include "plugins/common/engine.h"

#define GW_FAULT_SLOW_NS (20ULL * 1000000ULL)

enum gw_fault_kind {
	GW_FAULT_NONE,
	GW_FAULT_ERROR,
	GW_FAULT_SLOW,
	GW_FAULT_TIER,
};

struct gw_fault {
	enum gw_fault_kind kind;
	enum gw_hook hook;
};

/* Reads the text of GANGWAY_FAULT; NULL or anything not understood is no fault. */
struct gw_fault gw_fault_parse(const char *text);

#endif
