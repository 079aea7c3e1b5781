// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Error text handed up from where a thing failed to whoever tells the user.
 *
 * The first text set wins: the deepest function knows best, and callers that
 * only pass the failure on can not hide it. A NULL error is allowed everywhere.
 */
#ifndef GW_UTIL_ERROR_H
#define GW_UTIL_ERROR_H

#include <stdbool.h>

#define GW_ERROR_SIZE 1024

/* One line of text without a newline; empty means no error. Longer text is cut. */
struct gw_error {
	char text[GW_ERROR_SIZE];
};

void gw_error_clear(struct gw_error *error);

bool gw_error_is_set(const struct gw_error *error);

/* Keeps a text that is already there. Returns -1, so that it can be returned. */
int gw_error_set(struct gw_error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Puts context before the text ("gangway.conf:12: "). Returns -1. */
int gw_error_prefix(struct gw_error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The text for "memory is out". Returns -1. */
int gw_error_memory(struct gw_error *error);

#endif
