// SPDX-License-Identifier: GPL-2.0-or-later
/* The vocabulary of recorded decisions, one row a key, and how each type of value is written. */
#include <inttypes.h>
#include <string.h>

#include "../util/parse.h"
#include "decision_impl.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define ROW(key_name, key_type, type_name, member)                                                 \
	{                                                                                          \
		key_name, key_type, offsetof(struct type_name, member)                             \
	}

const struct gw_field gw_decision_common[] = {
	ROW("Job", GW_FIELD_U32, gw_decision, job),
	ROW("At", GW_FIELD_I64, gw_decision, at),
	ROW("Conf", GW_FIELD_HEX64, gw_decision, conf),
};
const size_t gw_decision_common_count = COUNT(gw_decision_common);

static const struct gw_field placement_head[] = {
	ROW("MinNodes", GW_FIELD_U32, gw_decision, placement.ask.min_nodes),
	ROW("MaxNodes", GW_FIELD_U32, gw_decision, placement.ask.max_nodes),
	ROW("GpusPerNode", GW_FIELD_U32, gw_decision, placement.ask.gpus_per_node),
	ROW("Gpus", GW_FIELD_U32, gw_decision, placement.ask.gpus),
	ROW("CpusPerNode", GW_FIELD_U32, gw_decision, placement.ask.cpus_per_node),
	ROW("CpusPerGpu", GW_FIELD_U32, gw_decision, placement.ask.cpus_per_gpu),
	ROW("MemoryPerNode", GW_FIELD_U64, gw_decision, placement.ask.memory_per_node),
	ROW("WholeNodes", GW_FIELD_BOOL, gw_decision, placement.ask.whole_nodes),
};

static const struct gw_field shape_fields[] = {
	ROW("ShapeGpus", GW_FIELD_U32, gw_shape_info, gpus),
	ROW("Sockets", GW_FIELD_U32, gw_shape_info, sockets),
	ROW("Links", GW_FIELD_SHAPE, gw_shape_info, gpus),
};

static const struct gw_field node_fields[] = {
	ROW("Node", GW_FIELD_U32, gw_node, index),
	ROW("Shape", GW_FIELD_I32, gw_node, shape),
	ROW("Domain", GW_FIELD_U32, gw_node, domain),
	ROW("Weight", GW_FIELD_U32, gw_node, weight),
	ROW("All", GW_FIELD_HEX32, gw_node, all),
	ROW("Free", GW_FIELD_HEX32, gw_node, free),
	ROW("GpusOther", GW_FIELD_U32, gw_node, gpus_other),
	ROW("CpusFree", GW_FIELD_U32, gw_node, cpus_free),
	ROW("CpusTotal", GW_FIELD_U32, gw_node, cpus_total),
	ROW("MemoryFree", GW_FIELD_U64, gw_node, memory_free),
	ROW("MemoryTotal", GW_FIELD_U64, gw_node, memory_total),
	ROW("BusyUntil", GW_FIELD_I64, gw_node, busy_until),
};

static const struct gw_field choice_fields[] = {
	ROW("Choice", GW_FIELD_U32, gw_choice, index),
	ROW("Gpus", GW_FIELD_HEX32, gw_choice, gpus),
};

static const struct gw_field quota_head[] = {
	ROW("Minute", GW_FIELD_U32, gw_decision, quota.minute),
	ROW("Pool", GW_FIELD_I32, gw_decision, quota.ask.pool),
	ROW("Flavor", GW_FIELD_I32, gw_decision, quota.ask.flavor),
	ROW("Gpus", GW_FIELD_U32, gw_decision, quota.ask.gpus),
	ROW("Limit", GW_FIELD_I64, gw_decision, quota.ask.limit),
	ROW("Answer", GW_FIELD_WHY, gw_decision, quota.answer.why),
	ROW("Borrow", GW_FIELD_U32, gw_decision, quota.answer.borrow),
	ROW("Missing", GW_FIELD_U32, gw_decision, quota.answer.missing),
	ROW("Cohort", GW_FIELD_I32, gw_decision, quota.answer.cohort),
	ROW("Peak", GW_FIELD_I32, gw_decision, quota.answer.peak),
};

static const struct gw_field held_fields[] = {
	ROW("Held", GW_FIELD_U32, gw_decision_held, gpus),
	ROW("Pool", GW_FIELD_I32, gw_decision_held, pool),
	ROW("Flavor", GW_FIELD_I32, gw_decision_held, flavor),
};

static const struct gw_field order_head[] = {
	ROW("Now", GW_FIELD_I64, gw_decision, order.now),
	ROW("HasQuota", GW_FIELD_BOOL, gw_decision, order.has_quota),
	ROW("Minute", GW_FIELD_U32, gw_decision, order.minute),
};

static const struct gw_field job_fields[] = {
	ROW("Id", GW_FIELD_U32, gw_job, id),
	ROW("Tasks", GW_FIELD_U32, gw_job, tasks),
	ROW("State", GW_FIELD_U32, gw_job, state),
	ROW("Queue", GW_FIELD_I32, gw_job, queue),
	ROW("Flavor", GW_FIELD_I32, gw_job, flavor),
	ROW("Class", GW_FIELD_I32, gw_job, job_class),
	ROW("Gpus", GW_FIELD_U32, gw_job, gpus),
	ROW("Nodes", GW_FIELD_U32, gw_job, nodes),
	ROW("Rate", GW_FIELD_DOUBLE, gw_job, rate),
	ROW("WholeNodes", GW_FIELD_BOOL, gw_job, whole_nodes),
	ROW("Limit", GW_FIELD_I64, gw_job, limit),
	ROW("Submit", GW_FIELD_I64, gw_job, submit),
	ROW("Eligible", GW_FIELD_I64, gw_job, eligible),
	ROW("Start", GW_FIELD_I64, gw_job, start),
	ROW("Nice", GW_FIELD_I32, gw_job, nice),
	ROW("UserHeld", GW_FIELD_BOOL, gw_job, held),
	ROW("Pinned", GW_FIELD_BOOL, gw_job, pinned),
};

static const struct gw_field barred_fields[] = {
	ROW("Barred", GW_FIELD_U32, gw_decision_barred, job),
};

static const struct gw_field usage_fields[] = {{"Usage", GW_FIELD_DOUBLE, 0}};

static const struct gw_field rate_fields[] = {{"HeldRate", GW_FIELD_DOUBLE, 0}};

static const struct gw_field rank_fields[] = {
	ROW("Rank", GW_FIELD_U32, gw_order_rank, job),
	ROW("Turn", GW_FIELD_U32, gw_order_rank, turn),
	ROW("State", GW_FIELD_U32, gw_order_rank, state),
	ROW("Borrowing", GW_FIELD_BOOL, gw_order_rank, borrowing),
};

#define LINE(rows, type, member, member_count)                                                     \
	{                                                                                          \
		rows, COUNT(rows), sizeof(type), offsetof(struct gw_decision, member),             \
			offsetof(struct gw_decision, member_count)                                 \
	}

const struct gw_decision_format gw_decision_formats[GW_DECISION_KIND_COUNT] = {
	[GW_DECISION_PLACEMENT] =
		{"placement",
		 placement_head,
		 COUNT(placement_head),
		 {LINE(shape_fields, struct gw_shape_info, placement.shapes, placement.shape_count),
		  LINE(node_fields, struct gw_node, placement.nodes, placement.node_count),
		  LINE(choice_fields, struct gw_choice, placement.choices, placement.choice_count)},
		 3},
	[GW_DECISION_QUOTA] = {"quota",
			       quota_head,
			       COUNT(quota_head),
			       {LINE(held_fields, struct gw_decision_held, quota.held,
				     quota.held_count)},
			       1},
	[GW_DECISION_ORDER] =
		{"order",
		 order_head,
		 COUNT(order_head),
		 {LINE(job_fields, struct gw_job, order.jobs, order.job_count),
		  LINE(barred_fields, struct gw_decision_barred, order.barred, order.barred_count),
		  LINE(usage_fields, double, order.usage, order.usage_count),
		  LINE(rate_fields, double, order.rates, order.rate_count),
		  LINE(held_fields, struct gw_decision_held, order.held, order.held_count),
		  LINE(rank_fields, struct gw_order_rank, order.ranks, order.rank_count)},
		 6},
};

/* A row a GPU: its socket, then its links to all, "0:0,4,2,2/0:4,0,2,2/...". */
static void write_shape(struct gw_str *str, const struct gw_shape_info *shape)
{
	for (uint32_t i = 0; i < shape->gpus && i < GW_GPUS_MAX; i++) {
		gw_str_appendf(str, "%s%u:", i ? "/" : "", shape->socket[i]);
		for (uint32_t j = 0; j < shape->gpus && j < GW_GPUS_MAX; j++)
			gw_str_appendf(str, "%s%u", j ? "," : "", shape->link[i][j]);
	}
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
	    type == GW_FIELD_DOUBLE)
		memcpy(&value, field, sizeof(value.u64));
	else if (type != GW_FIELD_BOOL && type != GW_FIELD_SHAPE)
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
	case GW_FIELD_HEX32:
		gw_str_appendf(str, "%" PRIx32, value.u32);
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
	}
}

void gw_fields_write(struct gw_str *str, const struct gw_field *field, size_t count,
		     const void *item)
{
	for (size_t i = 0; i < count; i++) {
		struct gw_str value = {0};

		write_value(&value, field[i].type, (const char *)item + field[i].offset);
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

static bool read_shape(const char *text, struct gw_shape_info *shape)
{
	if (!shape->gpus || shape->gpus > GW_GPUS_MAX)
		return false;
	for (uint32_t i = 0; i < shape->gpus; i++) {
		if (!take_byte(&text, ':', &shape->socket[i]))
			return false;
		for (uint32_t j = 0; j < shape->gpus; j++) {
			bool last = j + 1 == shape->gpus;
			char after = !last ? ',' : i + 1 < shape->gpus ? '/' : '\0';

			if (!take_byte(&text, after, &shape->link[i][j]))
				return false;
		}
	}
	return !*text;
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

static bool read_u32(const char *text, bool hex, void *field)
{
	uint64_t number;
	uint32_t value;

	if (hex ? !read_hex(text, 8, &number) : !read_unsigned(text, UINT32_MAX, &number))
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
	case GW_FIELD_HEX32:
		return read_u32(text, type == GW_FIELD_HEX32, field);
	case GW_FIELD_I32:
		return read_i32(text, field);
	case GW_FIELD_U64:
		return read_unsigned(text, UINT64_MAX, field);
	case GW_FIELD_I64:
		return read_i64(text, field);
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
	}
	return false;
}

int gw_fields_read(const struct gw_record *record, const struct gw_field *field, size_t count,
		   void *item, struct gw_error *error)
{
	for (size_t i = 0; i < count; i++) {
		const char *text = gw_record_value(record, field[i].key);

		if (!text)
			return gw_error_set(error, "%s= is missing", field[i].key);
		if (!read_value(text, field[i].type, (char *)item + field[i].offset))
			return gw_error_set(error, "%s=%.64s can not be read", field[i].key, text);
	}
	return 0;
}
