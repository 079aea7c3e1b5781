// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records decisions with all they were made from, for gangway repeat: the first
 * RecordDecisions= of each kind after a configuration came into force.
 */
#ifndef GW_RECORDER_H
#define GW_RECORDER_H

#include "plugins/common/policy.h"
#include "src/core/decision.h"

/* True while decisions of this kind are to be recorded: costs a look at one number. */
bool gw_recorder_wants(enum gw_decision_kind kind);

/* Records one, whose arrays stay the caller's; policy is what it was made by. */
void gw_recorder_add(const struct gw_policy *policy, struct gw_decision *decision);

/* Begins anew with this many of each kind. */
void gw_recorder_reset(uint32_t count);

#endif
