// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ledger as text:
 *     GangwayLedger=1 Time=1700000000
 *     Queue=nlp Flavor=h100 Usage=3600 Rate=8 At=1700000000
 *     Job=123 Queue=nlp Flavor=h100 Rate=8 FullRate=8 Start=1699999550
 *     Checksum=0123456789abcdef
 * The checksum is FNV-1a of every byte before its line. 17 digits give a double back exactly.
 */
#include "ledger_impl.h"

#include <inttypes.h>
#include <string.h>

#include "../util/checksum.h"
#include "../util/record.h"

#define FORMAT_VERSION 1

static void append_account_names(struct gw_str *text, const struct gw_account *account)
{
	gw_record_append(text, "Queue", account->queue);
	gw_record_append(text, "Flavor", account->flavor);
}

char *gw_ledger_text(const struct gw_ledger *ledger, int64_t now, struct gw_error *error)
{
	int64_t time = now > ledger->now ? now : ledger->now;
	struct gw_str text = {0};
	char *taken;

	gw_str_appendf(&text, "GangwayLedger=%d Time=%" PRId64 "\n", FORMAT_VERSION, time);
	for (size_t i = 0; i < ledger->account_count; i++) {
		const struct gw_account *account = &ledger->account[i];

		append_account_names(&text, account);
		gw_str_appendf(&text, " Usage=%.17g Rate=%.17g At=%" PRId64 "\n", account->usage,
			       account->rate, account->at);
	}
	for (size_t i = 0; i < ledger->job_count; i++) {
		const struct gw_running *job = &ledger->job[i];

		gw_str_appendf(&text, "Job=%" PRIu32, job->id);
		append_account_names(&text, &ledger->account[job->account]);
		gw_str_appendf(&text, " Rate=%.17g FullRate=%.17g Start=%" PRId64 "\n", job->rate,
			       job->full_rate, job->start);
	}
	gw_checksum_append(&text);
	taken = gw_str_take(&text);
	if (!taken)
		gw_error_memory(error);
	return taken;
}

static int take_number(const struct gw_record *record, const char *key, double most, double *number,
		       struct gw_error *error)
{
	const char *value = gw_record_value(record, key);

	if (!value)
		return gw_error_set(error, "%s is missing", key);
	if (gw_parse_double(value, number, NULL) || *number < 0 || *number > most)
		return gw_error_set(error, "%s=%.40s: must be a number from 0 to %g", key, value,
				    most);
	return 0;
}

static int take_time(const struct gw_record *record, const char *key, int64_t *time,
		     struct gw_error *error)
{
	uint64_t seconds;

	if (gw_record_count(record, key, INT64_MAX / 4, &seconds, error))
		return -1;
	*time = (int64_t)seconds;
	return 0;
}

static size_t take_account(struct gw_ledger *into, const struct gw_record *record,
			   struct gw_error *error)
{
	const char *queue = gw_record_value(record, "Queue");
	const char *flavor = gw_record_value(record, "Flavor");

	if (!queue || !flavor) {
		gw_error_set(error, "Queue or Flavor is missing");
		return GW_NO_INDEX;
	}
	return gw_ledger_account(into, queue, flavor, error);
}

static int load_account(struct gw_ledger *into, const struct gw_record *record,
			struct gw_error *error)
{
	size_t index = take_account(into, record, error);
	struct gw_account *account;

	if (index == GW_NO_INDEX)
		return -1;
	account = &into->account[index];
	if (take_number(record, "Usage", GW_LEDGER_USAGE_MAX, &account->usage, error) ||
	    take_number(record, "Rate", GW_LEDGER_RATE_MAX * 1e6, &account->rate, error) ||
	    take_time(record, "At", &account->at, error))
		return -1;
	if (account->at > into->now)
		return gw_error_set(error, "At is after Time");
	return 0;
}

static int load_job(struct gw_ledger *into, const struct gw_record *record, struct gw_error *error)
{
	struct gw_running job = {.last_seen = into->now};
	bool found;
	uint64_t id;
	size_t at;

	if (gw_record_count(record, "Job", UINT32_MAX, &id, error) ||
	    take_number(record, "Rate", GW_LEDGER_RATE_MAX, &job.rate, error) ||
	    take_number(record, "FullRate", GW_LEDGER_RATE_MAX, &job.full_rate, error) ||
	    take_time(record, "Start", &job.start, error) || gw_ledger_room(into, 1, error))
		return -1;
	job.id = (uint32_t)id;
	job.account = take_account(into, record, error);
	if (job.account == GW_NO_INDEX)
		return -1;
	at = gw_ledger_find(into, job.id, &found);
	if (found)
		return gw_error_set(error, "job %" PRIu32 " is there twice", job.id);
	memmove(&into->job[at + 1], &into->job[at], (into->job_count - at) * sizeof(job));
	into->job[at] = job;
	into->job_count++;
	into->account[job.account].jobs++;
	return 0;
}

static int load_record(void *to, const struct gw_record *record, struct gw_error *error)
{
	struct gw_ledger *into = to;
	const char *first = record->pair[0].key;

	if (gw_same(first, "GangwayLedger"))
		return take_time(record, "Time", &into->now, error);
	if (gw_same(first, "Queue"))
		return load_account(into, record, error);
	if (gw_same(first, "Job"))
		return load_job(into, record, error);
	if (gw_same(first, "Checksum"))
		return 0;
	return gw_error_set(error, "%.40s is not a record of a ledger", first);
}

/* The content of the one becomes that of the other. */
static void swap_content(struct gw_ledger *a, struct gw_ledger *b)
{
	struct gw_ledger kept = *a;

	*a = *b;
	*b = kept;
}

int gw_ledger_load(struct gw_ledger *ledger, const char *text, struct gw_error *error)
{
	struct gw_ledger *loaded;
	int result = -1;

	if (gw_checksum_check(text, "GangwayLedger", FORMAT_VERSION, "ledger", error))
		return -1;
	loaded = gw_ledger_new(ledger->conf, error);
	if (!loaded)
		return -1;
	if (!gw_record_each(text, load_record, loaded, error)) {
		gw_ledger_map(loaded, loaded->conf, loaded->account_of);
		loaded->gap_from = loaded->now;
		loaded->late = ledger->late;
		swap_content(ledger, loaded);
		result = 0;
	}
	gw_ledger_free(loaded);
	return result;
}
