// SPDX-License-Identifier: GPL-2.0-or-later
/* Times, spans, ids, states and TRES of recorded jobs, as sacct and CSV files write them. */
#include "trace_columns.h"

#include <inttypes.h>
#include <string.h>

#include "../util/parse.h"

/* Later than any clock shows, and small enough to be added up. */
#define SECONDS_MAX INT64_C(1000000000000)

#define DATE_MAX 32

bool gw_trace_is_none(const char *text)
{
	return !*text || gw_same(text, "Unknown") || gw_same(text, "None") || gw_same(text, "N/A");
}

static bool take_digits(const char **text, uint64_t *number)
{
	const char *begin = *text;

	*number = 0;
	for (; gw_is_digit(**text); (*text)++) {
		if (*text - begin >= 18)
			return false;
		*number = *number * 10 + (uint64_t)(**text - '0');
	}
	return *text > begin;
}

/* Whole or decimal seconds, rounded to the nearest. */
static bool read_seconds(const char *text, int64_t *seconds)
{
	bool negative = *text == '-';
	uint64_t whole;

	text += negative;
	if (!take_digits(&text, &whole) || whole > SECONDS_MAX)
		return false;
	if (*text == '.') {
		whole += text[1] >= '5' && text[1] <= '9';
		text++;
		while (gw_is_digit(*text))
			text++;
	}
	*seconds = negative ? -(int64_t)whole : (int64_t)whole;
	return !*text;
}

/* "Z", "+01:00", "+0100" at the end, as seconds east; cuts it off. */
static bool take_zone(char *date, int64_t *east)
{
	size_t length = strlen(date);
	char *sign = length > 10 ? strpbrk(date + 10, "+-Zz") : NULL;
	const char *text = sign ? sign + 1 : NULL;
	uint64_t hours, minutes = 0;

	if (!sign)
		return false;
	*east = 0;
	if (gw_to_lower(*sign) != 'z') {
		if (!take_digits(&text, &hours))
			return false;
		if (*text == ':') {
			text++;
			if (!take_digits(&text, &minutes))
				return false;
		} else if (hours >= 100) {
			minutes = hours % 100;
			hours /= 100;
		}
		if (hours > 15 || minutes > 59)
			return false;
		*east = (int64_t)(hours * 3600 + minutes * 60) * (*sign == '-' ? -1 : 1);
	}
	if (*text)
		return false;
	*sign = '\0';
	return true;
}

/* A date with T or a blank before the hour, parts of a second dropped. */
static bool read_date(const struct gw_trace_clock *clock, const char *text, int64_t *time)
{
	char date[DATE_MAX];
	size_t length = strlen(text), fraction;
	int64_t east, civil;
	bool has_zone;

	if (length >= sizeof(date))
		return false;
	memcpy(date, text, length + 1);
	if (length > 10 && date[10] == ' ')
		date[10] = 'T';
	has_zone = take_zone(date, &east);
	fraction = strcspn(date, ".");
	if (date[fraction] &&
	    strspn(date + fraction + 1, "0123456789") == strlen(date) - fraction - 1)
		date[fraction] = '\0';
	if (gw_parse_date(date, &civil, NULL))
		return false;
	if (has_zone)
		*time = civil - east;
	else
		*time = clock ? clock->epoch(clock->arg, civil) : civil;
	return true;
}

int gw_trace_read_time(const struct gw_trace_clock *clock, const char *text, int64_t *time,
		       struct gw_error *error)
{
	if (gw_trace_is_none(text)) {
		*time = GW_TRACE_NONE;
		return 0;
	}
	if (read_seconds(text, time) || read_date(clock, text, time))
		return 0;
	return gw_error_set(error, "must be seconds, a date such as 2026-01-31T09:00:00, or "
				   "Unknown");
}

int gw_trace_read_span(const char *text, int64_t *seconds, struct gw_error *error)
{
	if (gw_trace_is_none(text) || gw_same(text, "Partition_Limit")) {
		*seconds = GW_TRACE_NONE;
		return 0;
	}
	if (read_seconds(text, seconds))
		return 0;
	if (gw_is_digit(*text) && strpbrk(text, ":-") && !gw_parse_time(text, 0, seconds, NULL))
		return 0;
	return gw_error_set(error, "must be seconds or a time such as 1-12:00:00");
}

static const struct {
	const char *word;
	enum gw_trace_state state;
} states[] = {
	{"COMPLETED", GW_TRACE_COMPLETED},  {"FAILED", GW_TRACE_FAILED},
	{"CANCELLED", GW_TRACE_CANCELLED},  {"TIMEOUT", GW_TRACE_TIMEOUT},
	{"NODE_FAIL", GW_TRACE_NODE_FAIL},  {"PREEMPTED", GW_TRACE_PREEMPTED},
	{"REQUEUED", GW_TRACE_REQUEUED},    {"RUNNING", GW_TRACE_RUNNING},
	{"PENDING", GW_TRACE_PENDING},      {"OUT_OF_MEMORY", GW_TRACE_FAILED},
	{"BOOT_FAIL", GW_TRACE_NODE_FAIL},  {"DEADLINE", GW_TRACE_TIMEOUT},
	{"SUSPENDED", GW_TRACE_RUNNING},    {"COMPLETING", GW_TRACE_RUNNING},
	{"RESIZING", GW_TRACE_RUNNING},     {"REVOKED", GW_TRACE_CANCELLED},
	{"LAUNCH_FAILED", GW_TRACE_FAILED}, {"CANCELED", GW_TRACE_CANCELLED},
	{"Succeeded", GW_TRACE_COMPLETED},  {"Pass", GW_TRACE_COMPLETED},
	{"Killed", GW_TRACE_CANCELLED},
};

int gw_trace_read_state(const char *text, enum gw_trace_state *state, struct gw_error *error)
{
	size_t length = strcspn(text, " +"); /* "CANCELLED by 1000" */

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		if (strlen(states[i].word) == length && gw_same_n(text, states[i].word, length)) {
			*state = states[i].state;
			return 0;
		}
	}
	*state = GW_TRACE_COMPLETED;
	if (gw_trace_is_none(text))
		return 0;
	return gw_error_set(error, "must be a state such as COMPLETED, FAILED or TIMEOUT");
}

static bool read_id(const char *text, struct gw_trace_record *record)
{
	struct gw_trace_job *job = &record->job;
	uint64_t number;

	if (!take_digits(&text, &job->id))
		return false;
	if (*text == '_') {
		job->array = job->id;
		text++;
		if (take_digits(&text, &number))
			job->id += (number + 1) << 32;
		else if (*text == '[')
			text += strcspn(text, "]") + (strchr(text, ']') != NULL);
		else
			return false;
	}
	if (*text == '+') { /* parts of a het job have ids one after another */
		text++;
		if (!take_digits(&text, &number))
			return false;
		job->id += number;
	}
	record->is_step = *text == '.';
	return record->is_step || !*text;
}

int gw_trace_read_id(const char *text, struct gw_trace_record *record, struct gw_error *error)
{
	if (read_id(text, record))
		return 0;
	return gw_error_set(error, "must be a job id such as 123, 123_4, 123+1 or 123.batch");
}

static bool is_entry(const char *entry, size_t length, const char *name)
{
	return strlen(name) == length && gw_same_n(entry, name, length);
}

/* Devices with a type and those of all types are the same, seen twice. */
struct gpu_counts {
	uint64_t all, typed;
	int types;
};

static void read_gpu_type(const char *name, size_t length, uint64_t number, struct gpu_counts *gpus,
			  struct gw_trace_tres *tres)
{
	const char *type = name + sizeof("gres/gpu:") - 1;
	size_t size = length - sizeof("gres/gpu:") + 1;

	if (!number)
		return;
	gpus->typed += number;
	*tres->gpu_type = '\0';
	if (++gpus->types == 1 && size < sizeof(tres->gpu_type)) {
		memcpy(tres->gpu_type, type, size);
		tres->gpu_type[size] = '\0';
	}
}

static bool read_memory(const char *text, size_t length, uint64_t *mib)
{
	char size[32];
	double number;

	if (length >= sizeof(size))
		return false;
	memcpy(size, text, length);
	size[length] = '\0';
	if (gw_parse_size(size, &number, NULL) || number > 1e15)
		return false;
	*mib = (uint64_t)(number + 0.5);
	return true;
}

static bool is_gpu(const char *name, size_t length)
{
	return length >= 8 && gw_same_n(name, "gres/gpu", 8) && (length == 8 || name[8] == ':');
}

/* One NAME=COUNT. Entries of other names, as energy and billing, are of no interest. */
static bool read_entry(const char *entry, size_t length, struct gpu_counts *gpus,
		       struct gw_trace_tres *tres)
{
	const char *equals = memchr(entry, '=', length), *value = equals ? equals + 1 : NULL;
	size_t name = equals ? (size_t)(equals - entry) : 0;
	bool is_cpu, is_node;
	uint64_t number;

	if (!name)
		return false;
	if (is_entry(entry, name, "mem"))
		return read_memory(value, length - name - 1, &tres->memory);
	is_cpu = is_entry(entry, name, "cpu");
	is_node = is_entry(entry, name, "node");
	if (!is_cpu && !is_node && !is_gpu(entry, name))
		return true;
	if (!take_digits(&value, &number) || value != entry + length || number > UINT32_MAX)
		return false;
	if (is_cpu)
		tres->cpus = (uint32_t)number;
	else if (is_node)
		tres->nodes = (uint32_t)number;
	else if (name == 8)
		gpus->all = number;
	else
		read_gpu_type(entry, name, number, gpus, tres);
	return true;
}

int gw_trace_read_tres(const char *text, struct gw_trace_tres *tres, struct gw_error *error)
{
	struct gpu_counts gpus = {0};
	uint64_t most;

	*tres = (struct gw_trace_tres){0};
	while (*text) {
		size_t length = strcspn(text, ",");

		if (!read_entry(text, length, &gpus, tres))
			return gw_error_set(error, "must be TRES such as cpu=8,mem=64G,gres/gpu=8");
		text += length + (text[length] == ',');
	}
	most = gpus.all > gpus.typed ? gpus.all : gpus.typed;
	tres->gpus = most > UINT32_MAX ? UINT32_MAX : (uint32_t)most;
	return 0;
}
