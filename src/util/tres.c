// SPDX-License-Identifier: GPL-2.0-or-later
#include "tres.h"

#include <stdlib.h>
#include <string.h>

#include "parse.h"

static const struct gw_tres_entry *tres_find(const struct gw_tres *tres, const char *name)
{
	for (size_t i = 0; i < tres->count; i++)
		if (gw_same(tres->entry[i].name, name))
			return &tres->entry[i];
	return NULL;
}

/* What Slurm counts in MiB. */
static bool is_size(const char *name)
{
	return gw_same(name, "mem") || gw_same_n(name, "bb/", 3);
}

/* Counts may carry Slurm's suffix of 1024s, as in license/x=2K. */
static int parse_value(const char *name, const char *text, double *value, struct gw_error *error)
{
	double mib;

	if (is_size(name))
		return gw_parse_size(text, value, error);
	if (!gw_parse_double(text, value, NULL))
		return 0;
	if (gw_parse_size(text, &mib, NULL))
		return gw_error_set(error, "%.64s=%.64s: must be a number", name, text);
	*value = mib * 1048576;
	return 0;
}

/* Whether jobs are allocated such a TRES, which may need a name or must not have one. */
static bool is_allocated(const char *name)
{
	static const char *const plain[] = {"cpu", "mem", "node", "billing"};
	static const char *const named[] = {"gres/", "license/", "bb/"};

	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		if (gw_same(name, plain[i]))
			return true;
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		if (gw_same_n(name, named[i], strlen(named[i])) && name[strlen(named[i])])
			return true;
	return false;
}

/*
 * As _tres_weight_item() of Slurm reads TRESBillingWeights: a suffix says for how many of the
 * base unit the weight is, so mem=0.25G is 0.25/1024 a MiB.
 */
static int parse_weight(const char *name, const char *text, double *value, struct gw_error *error)
{
	static const char units[] = "mgtp";
	size_t length = strlen(text);
	char number[64] = "";
	const char *unit;

	if (!is_allocated(name))
		return gw_error_set(error,
				    "%.64s is no TRES that jobs are allocated: these are cpu, mem, "
				    "node, billing, gres/NAME, gres/NAME:TYPE, license/NAME and "
				    "bb/NAME",
				    name);
	unit = length && is_size(name) ? strchr(units, gw_to_lower(text[length - 1])) : NULL;
	length -= unit != NULL;
	if (length < sizeof(number))
		memcpy(number, text, length);
	if (!gw_parse_double(number, value, NULL)) {
		for (; unit && unit > units; unit--)
			*value /= 1024;
		return 0;
	}
	if (is_size(name))
		return gw_error_set(error,
				    "%.64s=%.64s: must be a number for each MiB, or one with M, G, "
				    "T or P for each of these, such as 0.25G",
				    name, text);
	return gw_error_set(error, "%.64s=%.64s: must be a number, without a suffix", name, text);
}

typedef int value_parser(const char *name, const char *text, double *value, struct gw_error *error);

static int tres_add(struct gw_tres *tres, const char *item, value_parser *parser,
		    struct gw_error *error)
{
	const char *equals = strchr(item, '=');
	struct gw_tres_entry *entries, *entry;

	if (!equals || equals == item)
		return gw_error_set(error, "must be TRES=NUMBER,..., such as gres/gpu:h100=8");
	entries = gw_array_room(tres->entry, tres->count, sizeof(*entries));
	if (!entries)
		return gw_error_memory(error);
	tres->entry = entries;
	entry = &entries[tres->count];
	entry->name = gw_strndup(item, (size_t)(equals - item));
	if (!entry->name)
		return gw_error_memory(error);
	if (tres_find(tres, entry->name))
		gw_error_set(error, "names %.64s twice", entry->name);
	else if (!parser(entry->name, equals + 1, &entry->value, error)) {
		tres->count++;
		return 0;
	}
	free(entry->name);
	return -1;
}

static int parse_list(const char *text, value_parser *parser, struct gw_tres *tres,
		      struct gw_error *error)
{
	struct gw_strings items = {0};
	int result = 0;

	*tres = (struct gw_tres){0};
	if (!*text)
		return 0;
	if (gw_strings_split(&items, text))
		return gw_error_memory(error);
	for (size_t i = 0; !result && i < items.count; i++)
		result = tres_add(tres, items.item[i], parser, error);
	gw_strings_free(&items);
	if (result)
		gw_tres_free(tres);
	return result;
}

int gw_tres_parse(const char *text, struct gw_tres *tres, struct gw_error *error)
{
	return parse_list(text, parse_value, tres, error);
}

int gw_tres_parse_weights(const char *text, struct gw_tres *tres, struct gw_error *error)
{
	return parse_list(text, parse_weight, tres, error);
}

void gw_tres_free(struct gw_tres *tres)
{
	if (!tres)
		return;
	for (size_t i = 0; i < tres->count; i++)
		free(tres->entry[i].name);
	free(tres->entry);
	*tres = (struct gw_tres){0};
}

double gw_tres_value(const struct gw_tres *tres, const char *name, double missing)
{
	const struct gw_tres_entry *entry = tres_find(tres, name);

	return entry ? entry->value : missing;
}

double gw_tres_gres(const struct gw_tres *tres, const char *gres)
{
	size_t length = strlen(gres);
	double untyped = 0, typed = 0;

	for (size_t i = 0; i < tres->count; i++) {
		const char *name = tres->entry[i].name;

		if (!gw_same_n(name, "gres/", 5) || !gw_same_n(name + 5, gres, length))
			continue;
		if (name[5 + length] == '\0')
			untyped = tres->entry[i].value;
		else if (name[5 + length] == ':')
			typed += tres->entry[i].value;
	}
	return untyped > typed ? untyped : typed;
}

double gw_tres_weight(const struct gw_tres *tres, const char *name, double missing)
{
	const struct gw_tres_entry *entry = tres_find(tres, name);
	size_t length = strcspn(name, ":");

	if (entry)
		return entry->value;
	for (size_t i = 0; name[length] && i < tres->count; i++) {
		const char *untyped = tres->entry[i].name;

		if (strlen(untyped) == length && gw_same_n(untyped, name, length))
			return tres->entry[i].value;
	}
	return missing;
}

/* Of an untyped GRES, those that a typed entry counts too. */
static double typed_devices(const struct gw_tres *tres, const char *name)
{
	size_t length = strlen(name);
	double typed = 0;

	if (!gw_same_n(name, "gres/", 5) || strchr(name, ':'))
		return 0;
	for (size_t i = 0; i < tres->count; i++)
		if (gw_same_n(tres->entry[i].name, name, length) &&
		    tres->entry[i].name[length] == ':')
			typed += tres->entry[i].value;
	return typed;
}

double gw_tres_weighted(const struct gw_tres *weights, const struct gw_tres *tres)
{
	double sum = 0;

	for (size_t i = 0; i < tres->count; i++) {
		const struct gw_tres_entry *entry = &tres->entry[i];
		double count = entry->value - typed_devices(tres, entry->name);

		if (count > 0)
			sum += count * gw_tres_weight(weights, entry->name, 0);
	}
	return sum;
}
