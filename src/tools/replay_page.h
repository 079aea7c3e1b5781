// SPDX-License-Identifier: GPL-2.0-or-later
/* Parts of the page of gangway replay. Each appends markup; memory is tested at the end. */
#ifndef GW_TOOLS_REPLAY_PAGE_H
#define GW_TOOLS_REPLAY_PAGE_H

#include "replay_figures.h"
#include "replay_plot.h"

/* More than so many rows can not be told apart: plots show the first ones and say so. */
size_t gw_page_rows(const struct gw_replay *replay);

/* The style sheet. */
void gw_page_style(struct gw_str *page);

/* "5.2 h", "40 min", "3.1 d". */
void gw_page_wait(char text[32], double seconds);

void gw_page_legend(struct gw_str *page, const struct gw_replay *replay);
/* "s3", and "s3 bound" for the pool. */
const char *gw_page_row_style(char style[16], const struct gw_replay *replay, size_t row);

void gw_page_summary(struct gw_str *page, const struct gw_replay *replay);
void gw_page_metrics(struct gw_str *page, const struct gw_replay *replay);
void gw_page_gaps(struct gw_str *page, const struct gw_replay *replay);
int gw_page_waits(struct gw_str *page, const struct gw_replay *replay);
int gw_page_shares(struct gw_str *page, const struct gw_replay *replay);
int gw_page_series(struct gw_str *page, const struct gw_replay *replay);

#endif
