// SPDX-License-Identifier: GPL-2.0-or-later
#include "decision.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../util/parse.h"
#include "decision_impl.h"
#include "place.h"

#define VERSION 1

/* A decision is about the nodes of one cluster; more lines than this are no decision. */
#define ITEMS_MAX 1000000
#define CPUS_MAX  1000000

uint64_t gw_decision_checksum(uint64_t sum, const char *text)
{
	if (!sum)
		sum = UINT64_C(0xcbf29ce484222325);
	for (; *text; text++)
		sum = (sum ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return sum;
}

const char *gw_decision_kind_name(enum gw_decision_kind kind)
{
	return gw_decision_formats[kind].name;
}

static void write_head(const struct gw_decision *decision, struct gw_str *str)
{
	const struct gw_decision_format *format = &gw_decision_formats[decision->kind];

	gw_str_appendf(str, "Decision=%s Version=%d", format->name, VERSION);
	gw_fields_write(str, gw_decision_common, gw_decision_common_count, decision);
	gw_fields_write(str, format->head, format->head_count, decision);
	gw_str_append(str, "\n");
}

static void write_items(const struct gw_decision *decision, const struct gw_line_kind *line,
			struct gw_str *str)
{
	const char *items;
	size_t count;

	memcpy(&items, (const char *)decision + line->items, sizeof(items));
	memcpy(&count, (const char *)decision + line->items_count, sizeof(count));
	for (size_t i = 0; i < count; i++) {
		gw_fields_write(str, line->field, line->count, items + i * line->size);
		gw_str_append(str, "\n");
	}
}

/* What the grids of a placement that was not read come to, as the lines of broken. */
static void write_grids(const struct gw_decision_placement *placement, struct gw_str *str)
{
	const struct gw_line_kind *line =
		&gw_decision_formats[GW_DECISION_PLACEMENT].line[GW_PLACEMENT_BROKEN];

	for (size_t i = 0; i < placement->node_count; i++) {
		const struct gw_node *node = &placement->nodes[i];
		struct gw_decision_broken broken = {(uint32_t)i, UINT32_MAX};

		if (node->ended)
			broken.seconds = gw_place_broken_seconds(&placement->ask, node);
		gw_fields_write(str, line->field, line->count, &broken);
		gw_str_append(str, "\n");
	}
}

/* All lines but the last. */
static void write_body(const struct gw_decision *decision, struct gw_str *str)
{
	const struct gw_decision_format *format = &gw_decision_formats[decision->kind];

	write_head(decision, str);
	for (size_t i = 0; i < format->line_count; i++) {
		write_items(decision, &format->line[i], str);
		if (i == GW_PLACEMENT_BROKEN && decision->placement.ask.stays &&
		    !decision->placement.broken_count)
			write_grids(&decision->placement, str);
	}
}

/* What can be written but would not be read back, or not be safe to repeat. */
static int check(const struct gw_decision *decision, struct gw_error *error)
{
	const struct gw_decision_placement *placement = &decision->placement;
	const uint32_t minute[] = {decision->quota.minute, decision->order.minute};

	for (size_t i = 0; i < placement->shape_count; i++)
		if (!placement->shapes[i].gpus || placement->shapes[i].gpus > GW_SHAPE_GPUS_MAX)
			return gw_error_set(error, "a shape has %" PRIu32 " GPUs",
					    placement->shapes[i].gpus);
	for (size_t i = 0; i < placement->node_count; i++) {
		int32_t shape = placement->nodes[i].shape;

		if (shape < -1 || (shape >= 0 && (size_t)shape >= placement->shape_count))
			return gw_error_set(error,
					    "node %" PRIu32 " has shape %" PRId32
					    ", which is not recorded",
					    placement->nodes[i].index, shape);
	}
	for (size_t i = 0; i < placement->broken_count; i++)
		if (placement->broken[i].node >= placement->node_count)
			return gw_error_set(error, "there is no node %" PRIu32 " to be broken",
					    placement->broken[i].node);
	if (placement->mix.gpus_max > GW_MIX_GPUS_MAX || placement->mix.cpus_max > CPUS_MAX)
		return gw_error_set(error, "no node has so many GPUs or CPUs");
	for (size_t i = 0; i < 2; i++)
		if (minute[i] >= GW_MINUTES_A_WEEK)
			return gw_error_set(error, "minute %" PRIu32 " is not of a week",
					    minute[i]);
	return 0;
}

int gw_decision_write(const struct gw_decision *decision, struct gw_str *str,
		      struct gw_error *error)
{
	struct gw_str body = {0};

	if (check(decision, error))
		return -1;
	write_body(decision, &body);
	gw_str_append(str, gw_str_text(&body));
	gw_str_appendf(str, "End=%s Sum=%016" PRIx64 "\n", gw_decision_kind_name(decision->kind),
		       gw_decision_checksum(0, gw_str_text(&body)));
	str->failed |= body.failed;
	gw_str_free(&body);
	return str->failed ? gw_error_memory(error) : 0;
}

static int read_head(const struct gw_record *record, struct gw_decision *decision,
		     struct gw_error *error)
{
	const struct gw_decision_format *format;
	const char *name = gw_record_value(record, "Decision");
	const char *version = gw_record_value(record, "Version");
	uint64_t number;
	int kind = 0;

	if (!name || !version)
		return gw_error_set(error, "must begin with Decision= and Version=");
	if (gw_parse_count(version, &number, NULL) || number != VERSION)
		return gw_error_set(error, "Version=%.32s: this program reads %d", version,
				    VERSION);
	while (kind < GW_DECISION_KIND_COUNT && !gw_same(gw_decision_formats[kind].name, name))
		kind++;
	if (kind == GW_DECISION_KIND_COUNT)
		return gw_error_set(error, "Decision=%.32s: not a kind of decision", name);
	decision->kind = (enum gw_decision_kind)kind;
	format = &gw_decision_formats[kind];
	if (gw_fields_read(record, gw_decision_common, gw_decision_common_count, decision, error))
		return -1;
	return gw_fields_read(record, format->head, format->head_count, decision, error);
}

static const struct gw_line_kind *line_of(const struct gw_decision *decision,
					  const struct gw_record *record)
{
	const struct gw_decision_format *format = &gw_decision_formats[decision->kind];

	for (size_t i = 0; i < format->line_count; i++)
		if (gw_same(format->line[i].field[0].key, record->pair[0].key))
			return &format->line[i];
	return NULL;
}

static int read_item(const struct gw_record *record, struct gw_decision *decision,
		     struct gw_error *error)
{
	const struct gw_line_kind *line = line_of(decision, record);
	size_t *count;
	char *room;

	if (!line)
		return gw_error_set(error, "%.32s= does not belong to a decision of %s",
				    record->pair[0].key, gw_decision_kind_name(decision->kind));
	count = gw_line_count(line, decision);
	if (*count >= ITEMS_MAX)
		return gw_error_set(error, "more than %d lines", ITEMS_MAX);
	room = gw_array_room(*gw_line_items(line, decision), *count, line->size);
	if (!room)
		return gw_error_memory(error);
	*gw_line_items(line, decision) = room;
	if (gw_fields_read(record, line->field, line->count, room + *count * line->size, error))
		return -1;
	++*count;
	return 0;
}

static int read_end(const struct gw_record *record, const struct gw_decision *decision,
		    struct gw_error *error)
{
	const char *name = gw_record_value(record, "End"), *sum = gw_record_value(record, "Sum");
	struct gw_str body = {0}, right = {0};
	int result = 0;

	if (check(decision, error))
		return -1;
	write_body(decision, &body);
	gw_str_appendf(&right, "%016" PRIx64, gw_decision_checksum(0, gw_str_text(&body)));
	if (body.failed || right.failed)
		result = gw_error_memory(error);
	else if (!gw_same(name, gw_decision_kind_name(decision->kind)) || !sum ||
		 !gw_same(sum, gw_str_text(&right)))
		result = gw_error_set(error,
				      "the lines of this decision are not as they were "
				      "written: its checksum is %s",
				      gw_str_text(&right));
	gw_str_free(&body);
	gw_str_free(&right);
	return result;
}

/* 1: that was the last line. */
static int read_line(const struct gw_record *record, bool first, struct gw_decision *decision,
		     struct gw_error *error)
{
	if (first)
		return read_head(record, decision, error);
	if (gw_same(record->pair[0].key, "End"))
		return read_end(record, decision, error) ? -1 : 1;
	return read_item(record, decision, error);
}

int gw_decision_read(struct gw_record_reader *reader, struct gw_decision *decision,
		     struct gw_error *error)
{
	struct gw_error why = {0};
	bool first = true;
	int result = 0, line = reader->line;

	*decision = (struct gw_decision){0};
	while (!result) {
		struct gw_record record;
		int more = gw_record_next(reader, &record, &why);

		if (!more && first)
			return 0;
		line = more > 0 ? record.pair[0].line : more ? reader->error_line : reader->line;
		if (more > 0)
			result = read_line(&record, first, decision, &why);
		else
			result = gw_error_set(&why, "ends within a decision");
		first = false;
		gw_record_free(&record);
	}
	if (result < 0) {
		gw_decision_free(decision);
		gw_error_set(error, "line %d: %.900s", line, why.text);
	}
	return result;
}

void gw_decision_free(struct gw_decision *decision)
{
	if (!decision)
		return;
	free(decision->placement.shapes);
	free(decision->placement.nodes);
	free(decision->placement.choices);
	free(decision->placement.broken);
	free((void *)decision->placement.mix.kinds);
	free(decision->quota.held);
	free(decision->order.jobs);
	free(decision->order.barred);
	free(decision->order.usage);
	free(decision->order.rates);
	free(decision->order.held);
	free(decision->order.ranks);
	*decision = (struct gw_decision){0};
}
