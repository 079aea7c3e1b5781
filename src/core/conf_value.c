// SPDX-License-Identifier: GPL-2.0-or-later
/* One parser for each type of value in gangway.conf. */
#include "conf_impl.h"

#include <stdlib.h>
#include <string.h>

#include "../util/hostlist.h"

#define NAME_MAX_LENGTH 128

struct value {
	const struct gw_key *key;
	const char *text;
	struct gw_where where;
	void *item;
	void *field;
	struct gw_error *error;
};

/* Says what the table says is allowed, else what is given here. */
static int refuse(const struct value *value, const char *otherwise)
{
	return gw_error_set(value->error, "%s",
			    value->key->allowed ? value->key->allowed : otherwise);
}

static int store_text(const struct value *value, char **field)
{
	*field = gw_strdup(value->text);
	return *field ? 0 : gw_error_memory(value->error);
}

/* Slurm names of accounts, QOS, partitions and users: one word without separators. */
static bool is_name(const char *text)
{
	return *text && strlen(text) <= NAME_MAX_LENGTH && !text[strcspn(text, " \t,=\"\\#%;|<>")];
}

static int parse_name(const struct value *value)
{
	if (!is_name(value->text))
		return refuse(value,
			      "must be one name, without blanks or any of , = \" \\ # % ; |");
	return store_text(value, value->field);
}

static int parse_text(const struct value *value)
{
	if (!*value->text)
		return refuse(value, "must not be empty");
	return store_text(value, value->field);
}

static int parse_gres(const struct value *value)
{
	const char *text = value->text;
	bool typed = gw_same_n(text, "gpu:", 4) && is_name(text + 4) && !strchr(text + 4, ':');

	if (!gw_same(text, "gpu") && !typed)
		return refuse(value, "must be gpu or gpu:TYPE, as in gres.conf");
	return store_text(value, value->field);
}

static int parse_dir(const struct value *value)
{
	if (value->text[0] != '/')
		return refuse(value, "must be the absolute path of a directory");
	return store_text(value, value->field);
}

static int parse_beside(const struct value *value)
{
	char **field = value->field;

	if (!*value->text)
		return refuse(value, "must be the path of a file");
	*field = gw_conf_beside(value->where.file, value->text);
	return *field ? 0 : gw_error_memory(value->error);
}

static int refuse_words(const struct value *value)
{
	struct gw_str words = {0};

	for (const struct gw_word *word = value->key->words; word->text; word++) {
		if (word != value->key->words)
			gw_str_append(&words, word[1].text ? ", " : " or ");
		gw_str_append(&words, word->text);
	}
	if (words.failed)
		gw_error_memory(value->error);
	else
		gw_error_set(value->error, "must be %s", gw_str_text(&words));
	gw_str_free(&words);
	return -1;
}

_Static_assert(sizeof(enum gw_mode) == sizeof(unsigned int), "enums are stored as one");

static int parse_word(const struct value *value)
{
	for (const struct gw_word *word = value->key->words; word->text; word++) {
		if (gw_same(value->text, word->text)) {
			memcpy(value->field, &word->value, sizeof(word->value));
			return 0;
		}
	}
	return refuse_words(value);
}

static int parse_bool(const struct value *value)
{
	return gw_parse_bool(value->text, value->field, value->error);
}

static int parse_number(const struct value *value)
{
	uint32_t *field = value->field;
	uint64_t number;

	if (gw_parse_count(value->text, &number, NULL) || number < value->key->min ||
	    number > value->key->max)
		return refuse(value, "is out of range");
	*field = (uint32_t)number;
	return 0;
}

static int parse_weight(const struct value *value)
{
	bool may_be_zero = value->key->flags & GW_KEY_MAY_BE_ZERO;
	double number;

	if (gw_parse_double(value->text, &number, NULL) || number < 0 ||
	    (number <= 0 && !may_be_zero) || (value->key->max && number > value->key->max))
		return refuse(value, "is out of range");
	memcpy(value->field, &number, sizeof(number));
	return 0;
}

/* 0 stands for NONE where a time may be NONE only in the sense of "off". */
static int parse_time(const struct value *value)
{
	unsigned int flags = value->key->flags, allow = GW_TIME_PLAIN;
	struct gw_error why = {0};
	int64_t *field = value->field, seconds;

	if (flags & (GW_KEY_MAY_BE_NONE | GW_KEY_MAY_BE_ZERO))
		allow |= GW_TIME_MAY_BE_NONE;
	if (flags & GW_KEY_MAY_BE_INFINITE)
		allow |= GW_TIME_MAY_BE_INFINITE;
	if (gw_parse_time(value->text, allow, &seconds, &why))
		return refuse(value, why.text);
	if (seconds == GW_TIME_NONE && (flags & GW_KEY_MAY_BE_ZERO))
		seconds = 0;
	if (seconds == 0 && !(flags & GW_KEY_MAY_BE_ZERO))
		return refuse(value, "must be a time above 0 such as 12:00:00");
	*field = seconds;
	return 0;
}

static int parse_date(const struct value *value)
{
	return gw_parse_date(value->text, value->field, value->error);
}

static int parse_window(const struct value *value)
{
	return gw_parse_week_window(value->text, value->field, value->error);
}

static int parse_weights(const struct value *value)
{
	struct gw_tres tres, *field = value->field;

	if (gw_tres_parse_weights(value->text, &tres, value->error))
		return -1;
	if (!tres.count)
		gw_error_set(value->error, "must be TRES=WEIGHT,..., such as gres/gpu:h100=1");
	for (size_t i = 0; i < tres.count; i++)
		if (tres.entry[i].value <= 0)
			gw_error_set(
				value->error,
				"weight of %.64s must be above 0; leave it out to count nothing",
				tres.entry[i].name);
	if (!tres.count || gw_error_is_set(value->error)) {
		gw_tres_free(&tres);
		return -1;
	}
	*field = tres;
	return 0;
}

static bool is_gpu_count(double count)
{
	return count >= 0 && count <= 100000000 && count - (double)(uint32_t)count <= 0;
}

static int parse_limits(const struct value *value)
{
	struct gw_limits *limits = value->field;

	limits->where = value->where;
	if (gw_tres_parse(value->text, &limits->given, value->error))
		return -1;
	if (!limits->given.count)
		return gw_error_set(value->error, "must be TRES=GPUS,..., such as gres/gpu:h100=8");
	for (size_t i = 0; i < limits->given.count; i++)
		if (!is_gpu_count(limits->given.entry[i].value))
			return gw_error_set(value->error,
					    "%.64s must be a whole number of GPUs, 0 or more",
					    limits->given.entry[i].name);
	return 0;
}

static int parse_ref(const struct value *value)
{
	struct gw_ref *ref = value->field;

	if (!is_name(value->text))
		return refuse(value, "must be one name");
	ref->where = value->where;
	ref->index = GW_NO_INDEX;
	return store_text(value, &ref->name);
}

static int check_names(const struct value *value, const struct gw_strings *names)
{
	for (size_t i = 0; i < names->count; i++) {
		if (!is_name(names->item[i]))
			return refuse(value, "must be names with commas between");
		for (size_t j = 0; j < i; j++)
			if (gw_same(names->item[i], names->item[j]))
				return gw_error_set(value->error, "names %.64s twice",
						    names->item[i]);
	}
	return 0;
}

static int parse_refs(const struct value *value)
{
	struct gw_refs *refs = value->field;

	refs->where = value->where;
	if (gw_strings_split(&refs->names, value->text))
		return gw_error_memory(value->error);
	if (check_names(value, &refs->names))
		return -1;
	refs->index = calloc(refs->names.count, sizeof(*refs->index));
	return refs->index ? 0 : gw_error_memory(value->error);
}

static int parse_nodes(const struct value *value)
{
	struct gw_shape *shape = value->item;

	if (store_text(value, &shape->nodes))
		return -1;
	return gw_hostlist_expand(value->text, GW_HOSTLIST_MAX, &shape->node, value->error);
}

static int parse_grant(const struct value *value)
{
	struct gw_grant *grant = value->item;
	struct value name = *value;

	grant->to = GW_GRANT_ANY;
	if (gw_same_n(value->text, "user:", 5)) {
		grant->to = GW_GRANT_USER;
		name.text += 5;
	} else if (gw_same_n(value->text, "account:", 8)) {
		grant->to = GW_GRANT_ACCOUNT;
		name.text += 8;
	}
	if (!is_name(name.text))
		return refuse(value, "must be the name of a user or an account, or user:NAME, "
				     "or account:NAME");
	return store_text(&name, &grant->who);
}

static int parse_unmatched(const struct value *value)
{
	struct gw_conf *conf = value->item;
	struct value name = *value;

	if (gw_same(value->text, "outside")) {
		conf->unmatched = GW_UNMATCHED_OUTSIDE;
		return 0;
	}
	if (gw_same(value->text, "reject")) {
		conf->unmatched = GW_UNMATCHED_REJECT;
		return 0;
	}
	conf->unmatched = GW_UNMATCHED_QUEUE;
	name.field = &conf->unmatched_queue;
	return parse_ref(&name);
}

int gw_conf_value(const struct gw_key *key, const char *text, struct gw_where where, void *item,
		  struct gw_error *error)
{
	static int (*const parsers[])(const struct value *) = {
		[GW_KEY_NAME] = parse_name,
		[GW_KEY_TEXT] = parse_text,
		[GW_KEY_GRES] = parse_gres,
		[GW_KEY_DIR] = parse_dir,
		[GW_KEY_BESIDE] = parse_beside,
		[GW_KEY_WORD] = parse_word,
		[GW_KEY_BOOL] = parse_bool,
		[GW_KEY_NUMBER] = parse_number,
		[GW_KEY_WEIGHT] = parse_weight,
		[GW_KEY_TIME] = parse_time,
		[GW_KEY_DATE] = parse_date,
		[GW_KEY_WINDOW] = parse_window,
		[GW_KEY_WEIGHTS] = parse_weights,
		[GW_KEY_LIMITS] = parse_limits,
		[GW_KEY_REF] = parse_ref,
		[GW_KEY_REFS] = parse_refs,
		[GW_KEY_NODES] = parse_nodes,
		[GW_KEY_GRANT] = parse_grant,
		[GW_KEY_UNMATCHED] = parse_unmatched,
	};
	struct value value = {.key = key,
			      .text = text,
			      .where = where,
			      .item = item,
			      .field = (char *)item + key->offset,
			      .error = error};

	return parsers[key->type](&value);
}
