// SPDX-License-Identifier: GPL-2.0-or-later
/* How each type of value in a recorded decision is written and read. */
#include <inttypes.h>
#include <string.h>

#include "../util/parse.h"
#include "decision_impl.h"

/*
 * A row a GPU: its socket, then its links to all, "0:0,4,2,2/0:4,0,2,2/...". How near it is
 * follows where that is known: "0:0,216.5,216.1/...".
 */
static void write_shape(struct gw_str *str, const struct gw_shape_info *shape)
{
	for (uint32_t i = 0; i < shape->gpus && i < GW_SHAPE_GPUS_MAX; i++) {
		gw_str_appendf(str, "%s%u:", i ? "/" : "", shape->socket[i]);
		for (uint32_t j = 0; j < shape->gpus && j < GW_SHAPE_GPUS_MAX; j++) {
			gw_str_appendf(str, "%s%u", j ? "," : "", shape->link[i][j]);
			if (shape->near[i][j])
				gw_str_appendf(str, ".%u", shape->near[i][j]);
		}
	}
}

/* A number a GPU, "2,2,0,0"; nothing where no card is near any. */
static void write_cards(struct gw_str *str, const struct gw_shape_info *shape)
{
	bool any = false;

	for (uint32_t i = 0; i < shape->gpus && i < GW_SHAPE_GPUS_MAX; i++)
		any = any || shape->card[i];
	for (uint32_t i = 0; any && i < shape->gpus && i < GW_SHAPE_GPUS_MAX; i++)
		gw_str_appendf(str, "%s%u", i ? "," : "", shape->card[i]);
}

static void write_i64(struct gw_str *str, int64_t value)
{
	if (value == INT64_MAX)
		gw_str_append(str, "INFINITE");
	else
		gw_str_appendf(str, "%" PRId64, value);
}

static void write_value(struct gw_str *str, enum gw_field_type type, const void *field)
{
	union {
		uint32_t u32;
		int32_t i32;
		uint64_t u64;
		int64_t i64;
		double real;
	} value = {0};

	if (type == GW_FIELD_U64 || type == GW_FIELD_I64 || type == GW_FIELD_HEX64 ||
	    type == GW_FIELD_GPUS || type == GW_FIELD_DOUBLE)
		memcpy(&value, field, sizeof(value.u64));
	else if (type != GW_FIELD_BOOL && type != GW_FIELD_SHAPE && type != GW_FIELD_CARDS &&
		 type != GW_FIELD_NAME)
		memcpy(&value, field, sizeof(value.u32));
	switch (type) {
	case GW_FIELD_U32:
		gw_str_appendf(str, "%" PRIu32, value.u32);
		break;
	case GW_FIELD_I32:
		gw_str_appendf(str, "%" PRId32, value.i32);
		break;
	case GW_FIELD_U64:
		gw_str_appendf(str, "%" PRIu64, value.u64);
		break;
	case GW_FIELD_I64:
		write_i64(str, value.i64);
		break;
	case GW_FIELD_GPUS:
		gw_str_appendf(str, "%" PRIx64, value.u64);
		break;
	case GW_FIELD_HEX64:
		gw_str_appendf(str, "%016" PRIx64, value.u64);
		break;
	case GW_FIELD_BOOL:
		gw_str_append(str, *(const bool *)field ? "yes" : "no");
		break;
	case GW_FIELD_DOUBLE:
		gw_str_appendf(str, "%.17g", value.real);
		break;
	case GW_FIELD_WHY:
		gw_str_append(str, gw_quota_why_name((enum gw_quota_why)value.u32));
		break;
	case GW_FIELD_SHAPE:
		write_shape(str, field);
		break;
	case GW_FIELD_CARDS:
		write_cards(str, field);
		break;
	case GW_FIELD_NAME:
		gw_str_append(str, field);
		break;
	}
}

static bool is_nothing(const char *value)
{
	return !*value || !strcmp(value, "0");
}

void gw_fields_write(struct gw_str *str, const struct gw_field *field, size_t count,
		     const void *item)
{
	for (size_t i = 0; i < count; i++) {
		struct gw_str value = {0};

		write_value(&value, field[i].type, (const char *)item + field[i].offset);
		if (field[i].optional && is_nothing(gw_str_text(&value))) {
			gw_str_free(&value);
			continue;
		}
		str->failed |= value.failed;
		gw_record_append(str, field[i].key, gw_str_text(&value));
		gw_str_free(&value);
	}
}

/* Decimal digits up to max; moves *text behind them. */
static bool take_u64(const char **text, uint64_t max, uint64_t *number)
{
	const char *begin = *text;

	for (*number = 0; gw_is_digit(**text); (*text)++) {
		uint64_t digit = (uint64_t)(**text - '0');

		if (*number > (max - digit) / 10)
			return false;
		*number = *number * 10 + digit;
	}
	return *text > begin;
}

static bool read_unsigned(const char *text, uint64_t max, uint64_t *number)
{
	return take_u64(&text, max, number) && !*text;
}

static bool read_signed(const char *text, int64_t max, int64_t *number)
{
	uint64_t magnitude;
	bool negative = *text == '-';

	if (!read_unsigned(text + negative, (uint64_t)max, &magnitude))
		return false;
	*number = negative ? -(int64_t)magnitude : (int64_t)magnitude;
	return true;
}

static bool read_hex(const char *text, size_t digits, uint64_t *number)
{
	static const char all[] = "0123456789abcdef";
	size_t length = strlen(text);

	*number = 0;
	for (; *text; text++) {
		const char *digit = strchr(all, *text);

		if (!digit)
			return false;
		*number = *number << 4 | (uint64_t)(digit - all);
	}
	return length > 0 && length <= digits;
}

static bool take_byte(const char **text, char after, uint8_t *byte)
{
	uint64_t number;

	if (!take_u64(text, UINT8_MAX, &number) || **text != after)
		return false;
	*byte = (uint8_t)number;
	*text += after != '\0';
	return true;
}

static bool take_link(const char **text, char after, uint8_t *link, uint8_t *near)
{
	uint64_t number;

	if (!take_u64(text, UINT8_MAX, &number))
		return false;
	*link = (uint8_t)number;
	*near = 0;
	if (**text == '.') {
		(*text)++;
		return take_byte(text, after, near);
	}
	if (**text != after)
		return false;
	*text += after != '\0';
	return true;
}

static bool read_shape(const char *text, struct gw_shape_info *shape)
{
	if (!shape->gpus || shape->gpus > GW_SHAPE_GPUS_MAX)
		return false;
	for (uint32_t i = 0; i < shape->gpus; i++) {
		if (!take_byte(&text, ':', &shape->socket[i]))
			return false;
		for (uint32_t j = 0; j < shape->gpus; j++) {
			bool last = j + 1 == shape->gpus;
			char after = !last ? ',' : i + 1 < shape->gpus ? '/' : '\0';

			if (!take_link(&text, after, &shape->link[i][j], &shape->near[i][j]))
				return false;
		}
	}
	return !*text;
}

static bool read_cards(const char *text, struct gw_shape_info *shape)
{
	if (!shape->gpus || shape->gpus > GW_SHAPE_GPUS_MAX)
		return false;
	for (uint32_t i = 0; i < shape->gpus; i++)
		if (!take_byte(&text, i + 1 < shape->gpus ? ',' : '\0', &shape->card[i]))
			return false;
	return !*text;
}

static bool read_name(const char *text, char *field)
{
	size_t length = strlen(text);

	if (length >= GW_SHAPE_NAME_SIZE)
		return false;
	memcpy(field, text, length + 1);
	return true;
}

static bool read_why(const char *text, void *field)
{
	for (enum gw_quota_why why = 0; why < GW_QUOTA_WHY_COUNT; why++) {
		if (gw_same(gw_quota_why_name(why), text)) {
			memcpy(field, &why, sizeof(why));
			return true;
		}
	}
	return false;
}

static bool read_u32(const char *text, void *field)
{
	uint64_t number;
	uint32_t value;

	if (!read_unsigned(text, UINT32_MAX, &number))
		return false;
	value = (uint32_t)number;
	memcpy(field, &value, sizeof(value));
	return true;
}

static bool read_i32(const char *text, void *field)
{
	int64_t number;
	int32_t value;

	if (!read_signed(text, INT32_MAX, &number))
		return false;
	value = (int32_t)number;
	memcpy(field, &value, sizeof(value));
	return true;
}

static bool read_i64(const char *text, int64_t *field)
{
	if (gw_same(text, "INFINITE")) {
		*field = INT64_MAX;
		return true;
	}
	return read_signed(text, INT64_MAX, field);
}

static bool read_value(const char *text, enum gw_field_type type, void *field)
{
	switch (type) {
	case GW_FIELD_U32:
		return read_u32(text, field);
	case GW_FIELD_I32:
		return read_i32(text, field);
	case GW_FIELD_U64:
		return read_unsigned(text, UINT64_MAX, field);
	case GW_FIELD_I64:
		return read_i64(text, field);
	case GW_FIELD_GPUS:
	case GW_FIELD_HEX64:
		return read_hex(text, 16, field);
	case GW_FIELD_BOOL:
		return !gw_parse_bool(text, field, NULL);
	case GW_FIELD_DOUBLE:
		return !gw_parse_double(text, field, NULL);
	case GW_FIELD_WHY:
		return read_why(text, field);
	case GW_FIELD_SHAPE:
		return read_shape(text, field);
	case GW_FIELD_CARDS:
		return read_cards(text, field);
	case GW_FIELD_NAME:
		return read_name(text, field);
	}
	return false;
}

int gw_fields_read(const struct gw_record *record, const struct gw_field *field, size_t count,
		   void *item, struct gw_error *error)
{
	for (size_t i = 0; i < count; i++) {
		const char *text = gw_record_value(record, field[i].key);

		if (!text && field[i].optional)
			continue;
		if (!text)
			return gw_error_set(error, "%s= is missing", field[i].key);
		if (!read_value(text, field[i].type, (char *)item + field[i].offset))
			return gw_error_set(error, "%s=%.64s can not be read", field[i].key, text);
	}
	return 0;
}
