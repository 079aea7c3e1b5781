// SPDX-License-Identifier: GPL-2.0-or-later
#include "findings.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../util/error.h"

static const char *severity_name(enum gw_severity severity)
{
	static const char *const name[] = {
		[GW_NOTE] = "note", [GW_WARNING] = "warning", [GW_ERROR] = "error"};

	return name[severity];
}

static bool fill(struct gw_finding *finding, enum gw_severity severity, const char *file, int line,
		 const char *text)
{
	finding->severity = severity;
	finding->line = line;
	finding->file = gw_strdup(file);
	finding->text = gw_strdup(text);
	return finding->file && finding->text;
}

void gw_findings_add(struct gw_findings *findings, enum gw_severity severity, const char *file,
		     int line, const char *format, ...)
{
	struct gw_finding *items = gw_array_room(findings->item, findings->count, sizeof(*items));
	char text[GW_ERROR_SIZE];
	va_list args;

	if (!items) {
		findings->failed = true;
		return;
	}
	findings->item = items;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (!fill(&items[findings->count], severity, file, line, text))
		findings->failed = true;
	findings->count++;
}

void gw_findings_add_error(struct gw_findings *findings, const char *file, const char *text)
{
	const char *rest = strstr(text, ": ");
	const char *colon = rest;
	char place[GW_ERROR_SIZE];

	while (colon && colon > text && gw_is_digit(colon[-1]))
		colon--;
	if (!colon || colon == rest || colon - 1 <= text || colon[-1] != ':') {
		size_t length = strlen(file);

		/* An error of the whole file names it too. */
		if (!strncmp(text, file, length) && !strncmp(text + length, ": ", 2))
			text += length + 2;
		gw_findings_add(findings, GW_ERROR, file, 0, "%s", text);
		return;
	}
	snprintf(place, sizeof(place), "%.*s", (int)(colon - 1 - text), text);
	gw_findings_add(findings, GW_ERROR, place, atoi(colon), "%s", rest + 2);
}

static void print_one(const struct gw_finding *finding)
{
	if (finding->line)
		printf("%s:%d: %s: %s\n", finding->file, finding->line,
		       severity_name(finding->severity), finding->text);
	else
		printf("%s: %s: %s\n", finding->file, severity_name(finding->severity),
		       finding->text);
}

void gw_findings_print(const struct gw_findings *findings, const struct gw_output *output)
{
	static const char *const columns[] = {"File", "Line", "Severity", "Text", NULL};
	struct gw_table table = {.columns = columns};

	for (size_t i = 0; !findings->failed && i < findings->count; i++) {
		const struct gw_finding *finding = &findings->item[i];

		if (!output->parsable) {
			print_one(finding);
			continue;
		}
		gw_table_cell(&table, finding->file);
		gw_table_cellf(&table, "%d", finding->line);
		gw_table_cell(&table, severity_name(finding->severity));
		gw_table_cell(&table, finding->text);
	}
	if (output->parsable)
		gw_table_print(&table, output, stdout);
	gw_table_free(&table);
}

json_t *gw_findings_json(const struct gw_findings *findings)
{
	json_t *array = json_array();

	for (size_t i = 0; !findings->failed && i < findings->count; i++) {
		const struct gw_finding *finding = &findings->item[i];

		json_array_append_new(array, json_pack("{s:s, s:i, s:s, s:s}", "file",
						       finding->file, "line", finding->line,
						       "severity", severity_name(finding->severity),
						       "text", finding->text));
	}
	return array;
}

bool gw_findings_have(const struct gw_findings *findings, size_t count, const char *file, int line,
		      const char *text)
{
	for (size_t i = 0; i < count; i++) {
		const struct gw_finding *finding = &findings->item[i];

		if (finding->line == line && finding->file && !strcmp(finding->file, file) &&
		    (text ? finding->text && !strcmp(finding->text, text)
			  : finding->severity == GW_ERROR))
			return true;
	}
	return false;
}

size_t gw_findings_of(const struct gw_findings *findings, enum gw_severity severity)
{
	size_t count = 0;

	for (size_t i = 0; i < findings->count; i++)
		count += findings->item[i].severity == severity;
	return count;
}

void gw_findings_free(struct gw_findings *findings)
{
	for (size_t i = 0; i < findings->count; i++) {
		free(findings->item[i].file);
		free(findings->item[i].text);
	}
	free(findings->item);
	*findings = (struct gw_findings){0};
}
