// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kept file: a header line, then for each file read a line "path bytes" followed by
 * the file's text and a newline. Paths may have blanks; the number stands last.
 */
#include "plugins/common/conf_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/decision.h"
#include "src/util/file.h"
#include "src/util/str.h"

#define KEPT_HEADER "# last good gangway.conf, version 1\n"

/* What one load gathers beside the configuration. */
struct gathered {
	struct gw_str record; /* of the files read, as they are kept */
	const char *kept;     /* loading what was kept: its text */
	const char *kept_path;
	uint64_t sum;
};

/* Reads through to the disk and writes down what was read. */
static int read_and_record(void *arg, const char *path, char **text, struct gw_error *error)
{
	struct gathered *gathered = arg;
	struct gw_str *record = &gathered->record;

	if (gw_file_read(path, text, error))
		return -1;
	gathered->sum = gw_decision_checksum(gathered->sum, *text);
	gw_str_appendf(record, "%s %zu\n", path, strlen(*text));
	gw_str_append(record, *text);
	gw_str_append(record, "\n");
	return 0;
}

/* Writes the record to kept unless that is there already. */
static void keep(const char *kept, const struct gw_str *record, struct gw_error *note)
{
	struct gw_error ignored = {{0}};
	char *old = NULL;

	if (record->failed) {
		gw_error_memory(note);
		return;
	}
	if (gw_file_read(kept, &old, &ignored) || strcmp(old, record->data))
		gw_file_keep(kept, 0600, record->data, record->length, note);
	free(old);
}

int gw_conf_store_load(const char *path, const char *kept, struct gw_conf **conf, uint64_t *sum,
		       struct gw_error *note, struct gw_error *error)
{
	struct gathered gathered = {0};
	struct gw_conf_source source = {read_and_record, &gathered};
	int rc;

	gw_str_append(&gathered.record, KEPT_HEADER);
	rc = gw_conf_load(&source, path, conf, error);
	if (!rc)
		keep(kept, &gathered.record, note);
	*sum = gathered.sum;
	gw_str_free(&gathered.record);
	return rc;
}

/* Splits "path bytes\n" at at; the text begins after it. NULL if it is not such a line. */
static const char *entry_at(const char *at, const char *end, size_t *path_length, size_t *bytes)
{
	const char *newline = memchr(at, '\n', (size_t)(end - at)), *blank = newline;
	char *rest;

	while (blank && blank > at && *blank != ' ')
		blank--;
	if (!blank || blank == at)
		return NULL;
	*path_length = (size_t)(blank - at);
	*bytes = strtoul(blank + 1, &rest, 10);
	if (rest != newline || *bytes > (size_t)(end - newline - 1))
		return NULL;
	return newline + 1;
}

/* Gives the text that the kept file (arg) has for path. */
static int read_kept(void *arg, const char *path, char **text, struct gw_error *error)
{
	struct gathered *gathered = arg;
	const char *at = gathered->kept + strlen(KEPT_HEADER), *end = at + strlen(at);
	size_t path_length, bytes;

	while (at < end) {
		const char *body = entry_at(at, end, &path_length, &bytes);

		if (!body)
			return gw_error_set(error, "%s is damaged", gathered->kept_path);
		if (strlen(path) == path_length && !memcmp(path, at, path_length)) {
			*text = gw_strndup(body, bytes);
			if (!*text)
				return gw_error_memory(error);
			gathered->sum = gw_decision_checksum(gathered->sum, *text);
			return 0;
		}
		at = body + bytes + 1;
	}
	return gw_error_set(error, "it is not in %s", gathered->kept_path);
}

int gw_conf_store_load_kept(const char *path, const char *kept, struct gw_conf **conf,
			    uint64_t *sum, struct gw_error *error)
{
	struct gathered gathered = {0};
	struct gw_conf_source source = {read_kept, &gathered};
	char *text = NULL;
	int rc;

	if (gw_file_read(kept, &text, error))
		return -1;
	gathered.kept = text;
	gathered.kept_path = kept;
	if (strncmp(text, KEPT_HEADER, strlen(KEPT_HEADER)))
		rc = gw_error_set(error, "%s: is not a kept configuration of this version", kept);
	else
		rc = gw_conf_load(&source, path, conf, error);
	*sum = gathered.sum;
	free(text);
	return rc;
}
