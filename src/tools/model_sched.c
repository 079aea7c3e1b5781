// SPDX-License-Identifier: GPL-2.0-or-later
/* The scheduler's parameters in slurm.conf. */
#include "model_impl.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../util/parse.h"

enum kind { SECONDS, MINUTES, COUNT };

/* Ranges are those Slurm accepts; outside of them it takes its default without a word. */
static const struct parameter {
	const char *key;
	enum kind kind;
	uint64_t least, most;
	size_t offset;
} parameters[] = {
#define PARAMETER(key, kind, least, most, member)                                                  \
	{                                                                                          \
		key, kind, least, most, offsetof(struct gw_model_sched, member)                    \
	}
	PARAMETER("batch_sched_delay", SECONDS, 0, INT32_MAX, batch_sched_delay),
	PARAMETER("sched_interval", SECONDS, 0, INT32_MAX, sched_interval),
	PARAMETER("default_queue_depth", COUNT, 0, INT32_MAX, default_queue_depth),
	PARAMETER("bf_interval", SECONDS, 1, 10800, bf_interval),
	PARAMETER("bf_window", MINUTES, 1, 43200, bf_window),
	PARAMETER("bf_resolution", SECONDS, 1, 3600, bf_resolution),
	PARAMETER("bf_window_linear", SECONDS, 1, INT32_MAX, bf_window_linear),
	PARAMETER("bf_max_job_test", COUNT, 1, 1000000, bf_max_job_test),
	PARAMETER("bf_max_job_user", COUNT, 0, 1000000, bf_max_job_user),
	PARAMETER("bf_max_job_part", COUNT, 0, 1000000, bf_max_job_part),
#undef PARAMETER
};

static void store(struct gw_model_sched *sched, const struct parameter *parameter, uint64_t number)
{
	void *to = (char *)sched + parameter->offset;

	if (parameter->kind == COUNT)
		*(uint32_t *)to = (uint32_t)number;
	else
		*(int64_t *)to = (int64_t)(parameter->kind == MINUTES ? number * 60 : number);
}

static const struct parameter *find_parameter(const char *word, size_t length)
{
	for (size_t i = 0; i < sizeof(parameters) / sizeof(parameters[0]); i++)
		if (strlen(parameters[i].key) == length &&
		    gw_same_n(parameters[i].key, word, length))
			return &parameters[i];
	return NULL;
}

/* One item, or one more of those that are not simulated. */
static int read_word(const char *word, struct gw_model_sched *sched, struct gw_str *left_out,
		     struct gw_error *error)
{
	size_t length = strcspn(word, "=");
	const struct parameter *parameter = find_parameter(word, length);
	uint64_t number;

	if (gw_same(word, "bf_continue")) {
		sched->bf_continue = true;
	} else if (gw_same(word, "defer") || gw_same(word, "defer_batch")) {
		sched->defer = true;
	} else if (!parameter || gw_same(word, "sched_interval=-1")) {
		if (*word)
			gw_str_appendf(left_out, "%s%s", left_out->length ? ", " : "", word);
	} else {
		if (!word[length] || gw_parse_count(word + length + 1, &number, NULL) ||
		    number < parameter->least || number > parameter->most)
			return gw_error_set(error,
					    "%.64s: must be a whole number from %llu to %llu", word,
					    (unsigned long long)parameter->least,
					    (unsigned long long)parameter->most);
		store(sched, parameter, number);
	}
	return 0;
}

int gw_model_sched_read(const char *list, struct gw_model_sched *sched, struct gw_str *left_out,
			struct gw_error *error)
{
	struct gw_strings words = {0};
	int failed = 0;

	if (gw_strings_split(&words, list))
		failed = gw_error_memory(error);
	for (size_t i = 0; !failed && i < words.count; i++)
		failed = read_word(words.item[i], sched, left_out, error);
	if (!failed && left_out->failed)
		failed = gw_error_memory(error);
	gw_strings_free(&words);
	return failed;
}

static int read_parameters(const struct gw_model_reading *reading)
{
	const struct gw_setting *setting = gw_slurm_setting(&reading->slurm, "SchedulerParameters");
	struct gw_str left_out = {0};
	int failed;

	if (!setting)
		return 0;
	failed = gw_model_sched_read(setting->value, &reading->model->sched, &left_out,
				     reading->error);
	if (failed)
		gw_error_prefix(reading->error, "%s:%d: SchedulerParameters: ", setting->file,
				setting->line);
	else if (left_out.length)
		gw_model_note(reading, gw_model_at_setting(setting),
			      "SchedulerParameters: not simulated: %s", gw_str_text(&left_out));
	gw_str_free(&left_out);
	return failed;
}

static int read_complete_wait(const struct gw_model_reading *reading)
{
	const struct gw_setting *setting = gw_slurm_setting(&reading->slurm, "CompleteWait");
	uint64_t number;

	if (!setting)
		return 0;
	if (gw_parse_count(setting->value, &number, NULL) || number > 65535)
		return gw_model_fail(reading, gw_model_at_setting(setting),
				     "CompleteWait=%.64s: must be a whole number from 0 to 65535",
				     setting->value);
	reading->model->sched.complete_wait = (int64_t)number;
	return 0;
}

/* Settings of the whole cluster that the model takes otherwise than they are. */
static void note_others(const struct gw_model_reading *reading)
{
	static const struct {
		const char *key, *modelled;
	} others[] = {
		{"SelectType", "select/cons_tres"},
		{"SchedulerType", "sched/backfill,sched/builtin"},
		{"PreemptType", "preempt/none"},
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		const struct gw_setting *setting = gw_slurm_setting(&reading->slurm, others[i].key);

		if (setting && !gw_list_has(others[i].modelled, setting->value))
			gw_model_note(reading, gw_model_at_setting(setting),
				      "%s=%.64s is not simulated: as %.*s", others[i].key,
				      setting->value, (int)strcspn(others[i].modelled, ","),
				      others[i].modelled);
	}
}

int gw_model_read_sched(struct gw_model_reading *reading)
{
	struct gw_model_sched *sched = &reading->model->sched;
	const char *type = gw_slurm_value(&reading->slurm, "SchedulerType", "sched/backfill");

	gw_model_sched_default(sched);
	sched->backfill = !gw_same(type, "sched/builtin") && !gw_same(type, "builtin");
	note_others(reading);
	return read_parameters(reading) || read_complete_wait(reading) ? -1 : 0;
}
