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

/* Counts may carry Slurm's suffix of 1024s, as in bb/x=2K. */
static int parse_value(const char *name, const char *text, double *value, struct gw_error *error)
{
	double mib;

	if (gw_same(name, "mem"))
		return gw_parse_size(text, value, error);
	if (!gw_parse_double(text, value, NULL))
		return 0;
	if (gw_parse_size(text, &mib, NULL))
		return gw_error_set(error, "%.64s=%.64s: must be a number", name, text);
	*value = mib * 1048576;
	return 0;
}

static int tres_add(struct gw_tres *tres, const char *item, struct gw_error *error)
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
	else if (!parse_value(entry->name, equals + 1, &entry->value, error)) {
		tres->count++;
		return 0;
	}
	free(entry->name);
	return -1;
}

int gw_tres_parse(const char *text, struct gw_tres *tres, struct gw_error *error)
{
	struct gw_strings items = {0};
	int result = 0;

	*tres = (struct gw_tres){0};
	if (!*text)
		return 0;
	if (gw_strings_split(&items, text))
		return gw_error_memory(error);
	for (size_t i = 0; !result && i < items.count; i++)
		result = tres_add(tres, items.item[i], error);
	gw_strings_free(&items);
	if (result)
		gw_tres_free(tres);
	return result;
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
