// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Strict parsers of single values. Each takes the whole text or nothing: no
 * leading or trailing blanks, no trailing letters, no NaN, no infinity, no
 * silent wrap. Each returns 0, or -1 with a text that says what is allowed; the
 * result is only written on success.
 */
#ifndef GW_UTIL_PARSE_H
#define GW_UTIL_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "error.h"
#include "str.h"

/* Time spans are whole seconds. The longest one accepted is 36525 days (100 years). */
#define GW_TIME_INFINITE INT64_MAX
#define GW_TIME_NONE     INT64_C(-1)

enum gw_time_allow {
	GW_TIME_PLAIN = 0,
	GW_TIME_MAY_BE_INFINITE = 1, /* INFINITE and UNLIMITED give GW_TIME_INFINITE */
	GW_TIME_MAY_BE_NONE = 2,     /* NONE gives GW_TIME_NONE */
};

/*
 * Slurm's spellings: minutes, minutes:seconds, hours:minutes:seconds,
 * days-hours, days-hours:minutes, days-hours:minutes:seconds.
 */
int gw_parse_time(const char *text, unsigned int allow, int64_t *seconds, struct gw_error *error);

/* Appends D-HH:MM:SS, or HH:MM:SS below a day, or INFINITE or NONE. */
void gw_str_append_time(struct gw_str *str, int64_t seconds);

/*
 * A calendar time, YYYY-MM-DD[THH:MM[:SS]], as seconds since 1970-01-01T00:00:00
 * on the same wall clock. No time zone is applied: that is for who has a clock.
 */
int gw_parse_date(const char *text, int64_t *civil, struct gw_error *error);

/* A time of the clock in the same form, by this machine's time zone. */
int64_t gw_civil_time(time_t when);

/* A whole number from 0 to 2^63-1. */
int gw_parse_count(const char *text, uint64_t *count, struct gw_error *error);

/* The same, where K behind it, as in Slurm's files, means times 1024. */
int gw_parse_count_k(const char *text, uint64_t *count, struct gw_error *error);

/* A decimal number, as in 1, 0.005 or 2.5e-3; a sign is accepted. */
int gw_parse_double(const char *text, double *number, struct gw_error *error);

/* Memory in MiB: a number without suffix is MiB, else K, M, G, T or P. */
int gw_parse_size(const char *text, double *mib, struct gw_error *error);

/* yes, no, true, false, 1, 0. */
int gw_parse_bool(const char *text, bool *value, struct gw_error *error);

#define GW_MINUTES_A_DAY  1440
#define GW_MINUTES_A_WEEK (7 * GW_MINUTES_A_DAY)

/* A weekly window on the site's wall clock. */
struct gw_week_window {
	uint8_t days;   /* bit 0 Sunday, as tm_wday, to bit 6 Saturday: days on which it begins */
	uint16_t begin; /* minutes after midnight */
	uint16_t end;   /* minutes after the same midnight; above 1440: it ends the next day */
};

/* DAYS/HH:MM-HH:MM, DAYS as Mon-Fri or Sat,Sun. An end at or before begin is on the next day. */
int gw_parse_week_window(const char *text, struct gw_week_window *window, struct gw_error *error);

/* minute: minutes since Sunday 00:00, below GW_MINUTES_A_WEEK. */
bool gw_week_window_has(const struct gw_week_window *window, unsigned int minute);

#endif
