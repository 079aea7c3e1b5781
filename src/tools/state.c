// SPDX-License-Identifier: GPL-2.0-or-later
#include "state.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "../util/file.h"
#include "../util/parse.h"

/* Slurm's default. */
#define STATE_SAVE_LOCATION "/var/spool"

static char *join(const char *directory, const char *name)
{
	struct gw_str path = {0};

	gw_str_appendf(&path, "%s/%s", directory, name);
	return gw_str_take(&path);
}

/* When gangway.conf is bad, the engine goes by the last good one, kept beside its state. */
struct gw_conf *gw_places_conf(const struct gw_places *places, struct gw_error *error)
{
	struct gw_conf_source source = {.read = gw_file_source};
	struct gw_conf *conf = NULL;
	char *kept;

	if (!gw_conf_load(&source, places->conf, &conf, error))
		return conf;
	kept = join(places->own, "gangway.conf.kept");
	if (kept && gw_conf_load(&source, kept, &conf, NULL))
		conf = NULL;
	free(kept);
	return conf;
}

static void find_published(struct gw_places *places)
{
	struct gw_conf *conf = gw_places_conf(places, NULL);
	const char *directory = conf && conf->publish_dir ? conf->publish_dir : places->own;

	places->status = join(directory, "status");
	places->view = join(directory, "view");
	gw_conf_free(conf);
}

int gw_places_find(const char *slurm_conf_path, const struct gw_slurm_conf *slurm,
		   const char *conf_path, struct gw_places *places, struct gw_error *error)
{
	*places = (struct gw_places){.slurm_conf = slurm_conf_path};
	places->conf = gw_conf_path(slurm_conf_path, conf_path);
	places->state = gw_strdup(gw_slurm_value(slurm, "StateSaveLocation", STATE_SAVE_LOCATION));
	places->own = places->state ? join(places->state, "gangway") : NULL;
	if (places->own && places->conf) {
		find_published(places);
		places->ledger = join(places->own, "ledger");
		places->off = join(places->own, "off");
		places->site_factors = join(places->own, "site_factors");
	}
	if (places->status && places->view && places->ledger && places->off && places->site_factors)
		return 0;
	gw_places_free(places);
	return gw_error_memory(error);
}

void gw_places_free(struct gw_places *places)
{
	free(places->conf);
	free(places->state);
	free(places->own);
	free(places->status);
	free(places->view);
	free(places->ledger);
	free(places->off);
	free(places->site_factors);
	*places = (struct gw_places){0};
}

static int add_record(struct gw_status *status, const struct gw_record *record,
		      struct gw_error *error)
{
	struct gw_record *records = gw_array_room(status->record, status->count, sizeof(*records));

	if (!records)
		return gw_error_memory(error);
	status->record = records;
	records[status->count++] = *record;
	return 0;
}

static int read_records(const char *path, const char *text, struct gw_status *status,
			struct gw_error *error)
{
	struct gw_record_reader reader;
	struct gw_record record;
	int more;

	gw_record_reader_init(&reader, text);
	while ((more = gw_record_next(&reader, &record, error)) > 0) {
		if (add_record(status, &record, error)) {
			gw_record_free(&record);
			return -1;
		}
	}
	if (more < 0)
		return gw_error_prefix(error, "%s:%d: ", path, reader.error_line);
	return 0;
}

static int64_t number(const struct gw_record *record, const char *key)
{
	uint64_t value = 0;

	gw_parse_count(gw_record_text(record, key), &value, NULL);
	return (int64_t)value;
}

static int read_head(const char *path, int64_t now, struct gw_status *status,
		     struct gw_error *error)
{
	const struct gw_record *head = status->record;

	if (!status->count || !gw_record_value(head, "Version"))
		return gw_error_set(error, "%s: is not a status file", path);
	status->pid = number(head, "Pid");
	status->written = number(head, "Written");
	status->off = gw_same(gw_record_text(head, "Off"), "yes");
	status->alive = status->pid > 1 && (!kill((pid_t)status->pid, 0) || errno == EPERM);
	status->fresh = now - status->written <= GW_STATUS_STALE_SECONDS;
	return 0;
}

int gw_status_read(const char *path, int64_t now, struct gw_status *status, struct gw_error *error)
{
	char *text = NULL;
	int failed;

	*status = (struct gw_status){0};
	if (gw_file_read(path, &text, error))
		return -1;
	failed = read_records(path, text, status, error) || read_head(path, now, status, error);
	free(text);
	if (failed)
		gw_status_free(status);
	return failed ? -1 : 0;
}

void gw_status_free(struct gw_status *status)
{
	for (size_t i = 0; i < status->count; i++)
		gw_record_free(&status->record[i]);
	free(status->record);
	*status = (struct gw_status){0};
}
