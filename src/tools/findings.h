// SPDX-License-Identifier: GPL-2.0-or-later
/* What gangway check found. */
#ifndef GW_TOOLS_FINDINGS_H
#define GW_TOOLS_FINDINGS_H

#include "output.h"

enum gw_severity {
	GW_NOTE, /* nothing is wrong: no finding by the exit code */
	GW_WARNING,
	GW_ERROR,
};

struct gw_finding {
	char *file;
	int line; /* 0: of the whole file, or of what it should hold */
	enum gw_severity severity;
	char *text;
};

struct gw_findings {
	struct gw_finding *item;
	size_t count;
	bool failed; /* memory ran out: the list is not whole */
};

void gw_findings_add(struct gw_findings *findings, enum gw_severity severity, const char *file,
		     int line, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Adds an error text of gw_conf_load(), which begins with its place. */
void gw_findings_add_error(struct gw_findings *findings, const char *file, const char *text);

void gw_findings_print(const struct gw_findings *findings, const struct gw_output *output);

/* A new array, NULL when memory is out. */
json_t *gw_findings_json(const struct gw_findings *findings);

/* Whether the first count findings have one of this line with this text; NULL: an error of it. */
bool gw_findings_have(const struct gw_findings *findings, size_t count, const char *file, int line,
		      const char *text);

size_t gw_findings_of(const struct gw_findings *findings, enum gw_severity severity);

void gw_findings_free(struct gw_findings *findings);

#endif
