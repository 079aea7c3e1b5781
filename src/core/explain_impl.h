// SPDX-License-Identifier: GPL-2.0-or-later
/* Between the files of explain. */
#ifndef GW_CORE_EXPLAIN_IMPL_H
#define GW_CORE_EXPLAIN_IMPL_H

#include "explain.h"

#define GW_TEXT_TIME_SIZE 40

/* D-HH:MM:SS, or HH:MM:SS below a day, or "no limit". */
void gw_text_time(char text[GW_TEXT_TIME_SIZE], int64_t seconds);

/* What quota says, in one clause without the words "over quota". */
void gw_explain_quota(const struct gw_explain_facts *facts, char *text, size_t size);

/* Rank, share, quota, placement and start, each as far as it is known. */
void gw_explain_figures(const struct gw_explain_facts *facts, struct gw_explanation *explanation);

/* What would start it; needs the tier. */
void gw_explain_changes(const struct gw_explain_facts *facts, struct gw_explanation *explanation);

#endif
