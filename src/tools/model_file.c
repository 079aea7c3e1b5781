// SPDX-License-Identifier: GPL-2.0-or-later
#include "model_impl.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../util/parse.h"

struct gw_model_at gw_model_at_line(const struct gw_slurm_conf *conf, size_t at)
{
	return (struct gw_model_at){conf->line[at].file, conf->line[at].record.pair[0].line};
}

struct gw_model_at gw_model_at_setting(const struct gw_setting *setting)
{
	return (struct gw_model_at){setting->file, setting->line};
}

int gw_model_fail(const struct gw_model_reading *reading, struct gw_model_at at, const char *format,
		  ...)
{
	char text[GW_ERROR_SIZE];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (!reading->refused)
		return gw_error_set(reading->error, "%s:%d: %s", at.file, at.line, text);
	gw_findings_add(reading->refused, GW_ERROR, at.file, at.line, "%s", text);
	return 0;
}

void gw_model_note(const struct gw_model_reading *reading, struct gw_model_at at,
		   const char *format, ...)
{
	char text[GW_ERROR_SIZE];
	va_list args;

	if (!reading->notes)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	gw_findings_add(reading->notes, GW_WARNING, at.file, at.line, "%s", text);
}

int gw_model_number(const struct gw_model_reading *reading, size_t at, const char *key,
		    uint64_t missing, uint64_t most, uint64_t *number)
{
	const char *value = gw_slurm_line_value(&reading->slurm, at, key);

	*number = missing;
	if (!value)
		return 0;
	if (!gw_parse_count_k(value, number, NULL) && *number <= most)
		return 0;
	*number = missing;
	return gw_model_fail(reading, gw_model_at_line(&reading->slurm, at),
			     "%s=%.64s: must be a whole number from 0 to %llu", key, value,
			     (unsigned long long)most);
}

/* A line that can not be read may hold nodes: the model would lack them. */
static int refuse_errors(const struct gw_findings *findings, struct gw_error *error)
{
	if (findings->failed)
		return gw_error_memory(error);
	for (size_t i = 0; i < findings->count; i++)
		if (findings->item[i].severity == GW_ERROR)
			return gw_error_set(error, "%s:%d: %s", findings->item[i].file,
					    findings->item[i].line, findings->item[i].text);
	return 0;
}

int gw_model_read_beside(const struct gw_model_reading *reading, const char *name,
			 struct gw_slurm_conf *conf)
{
	char *path = gw_slurm_beside(reading->slurm.files.item[0], NULL, name);
	struct gw_findings findings = {0};
	int result = 0;

	*conf = (struct gw_slurm_conf){0};
	if (!path)
		return gw_error_memory(reading->error);
	if (!access(path, F_OK))
		result = gw_slurm_conf_read(path, conf, &findings, reading->error) ||
					 refuse_errors(&findings, reading->error)
				 ? -1
				 : 1;
	gw_findings_free(&findings);
	free(path);
	return result;
}

static int read_parts(struct gw_model_reading *reading)
{
	return gw_model_read_nodes(reading) || gw_model_read_partitions(reading) ||
			       gw_model_read_sched(reading) || gw_model_read_domains(reading) ||
			       gw_model_read_shapes(reading)
		       ? -1
		       : 0;
}

int gw_model_check(const struct gw_slurm_conf *slurm, struct gw_findings *findings,
		   struct gw_error *error)
{
	struct gw_model model = {0};
	struct gw_model_reading reading = {
		.slurm = *slurm, .model = &model, .error = error, .refused = findings};
	int failed;

	/* A line that could not be read at all may have been one of nodes. */
	reading.names_known =
		!gw_findings_of(findings, GW_ERROR) && gw_slurm_nodes(slurm, &reading.known);
	failed = gw_model_read_nodes(&reading) || gw_model_read_partitions(&reading);
	gw_strings_free(&reading.known);
	free(reading.line);
	free(reading.by_name);
	gw_model_free(&model);
	return failed ? -1 : 0;
}

int gw_model_read(const char *slurm_conf, struct gw_model *model, struct gw_findings *notes,
		  struct gw_error *error)
{
	struct gw_model_reading reading = {.model = model, .notes = notes, .error = error};
	struct gw_findings findings = {0};
	int failed;

	*model = (struct gw_model){0};
	failed = gw_slurm_conf_read(slurm_conf, &reading.slurm, &findings, error) ||
		 refuse_errors(&findings, error) || read_parts(&reading);
	gw_findings_free(&findings);
	gw_slurm_conf_free(&reading.slurm);
	free(reading.line);
	free(reading.by_name);
	if (failed)
		gw_model_free(model);
	return failed ? -1 : 0;
}
