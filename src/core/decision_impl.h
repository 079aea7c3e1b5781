// SPDX-License-Identifier: GPL-2.0-or-later
/* Between the files of decision: records as tables of fields, read and written alike. */
#ifndef GW_CORE_DECISION_IMPL_H
#define GW_CORE_DECISION_IMPL_H

#include "decision.h"

enum gw_field_type {
	GW_FIELD_U32,
	GW_FIELD_U64,
	GW_FIELD_I32,
	GW_FIELD_I64,  /* INT64_MAX is INFINITE */
	GW_FIELD_GPUS, /* gw_gpus, hexadecimal */
	GW_FIELD_HEX64,
	GW_FIELD_BOOL,
	GW_FIELD_DOUBLE, /* to the last bit */
	GW_FIELD_WHY,    /* enum gw_quota_why */
	GW_FIELD_SHAPE,  /* struct gw_shape_info but for its number of GPUs and sockets */
	GW_FIELD_CARDS,  /* struct gw_shape_info: how near network cards are */
	GW_FIELD_NAME,   /* char[GW_SHAPE_NAME_SIZE] */
};

struct gw_field {
	const char *key;
	enum gw_field_type type;
	size_t offset;
	bool optional; /* not written when 0 or empty, which it is when not there: added later */
};

/* One kind of line. The first key names it; its value is the first field's. */
struct gw_line_kind {
	const struct gw_field *field;
	size_t count;
	size_t size;               /* of an item of its array */
	size_t items, items_count; /* where array and count are in struct gw_decision */
};

/* The first line of a kind of decision, and the lines of its arrays in their order. */
struct gw_decision_format {
	const char *name;
	const struct gw_field *head;
	size_t head_count;
	struct gw_line_kind line[8];
	size_t line_count;
};

/* Which line of a placement has struct gw_decision_broken. */
#define GW_PLACEMENT_BROKEN 3

extern const struct gw_decision_format gw_decision_formats[GW_DECISION_KIND_COUNT];

/* The first keys of every decision, before those of its kind. */
extern const struct gw_field gw_decision_common[];
extern const size_t gw_decision_common_count;

/* Appends the fields of item, all on one line that has begun or not. */
void gw_fields_write(struct gw_str *str, const struct gw_field *field, size_t count,
		     const void *item);

/* Every field must be there unless it is optional. -1 with error, without the line. */
int gw_fields_read(const struct gw_record *record, const struct gw_field *field, size_t count,
		   void *item, struct gw_error *error);

/* Array and count of one kind of line. */
static inline void **gw_line_items(const struct gw_line_kind *line, struct gw_decision *decision)
{
	return (void **)((char *)decision + line->items);
}

static inline size_t *gw_line_count(const struct gw_line_kind *line, struct gw_decision *decision)
{
	return (size_t *)((char *)decision + line->items_count);
}

#endif
