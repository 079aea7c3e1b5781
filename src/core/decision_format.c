// SPDX-License-Identifier: GPL-2.0-or-later
/* The vocabulary of recorded decisions, one row a key. */
#include "decision_impl.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define ROW(key_name, key_type, type_name, member)                                                 \
	{                                                                                          \
		key_name, key_type, offsetof(struct type_name, member), false                      \
	}
#define OPTIONAL(key_name, key_type, type_name, member)                                            \
	{                                                                                          \
		key_name, key_type, offsetof(struct type_name, member), true                       \
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
	OPTIONAL("Sockets", GW_FIELD_U32, gw_decision, placement.ask.sockets),
	ROW("CpusPerNode", GW_FIELD_U32, gw_decision, placement.ask.cpus_per_node),
	ROW("CpusPerGpu", GW_FIELD_U32, gw_decision, placement.ask.cpus_per_gpu),
	ROW("MemoryPerNode", GW_FIELD_U64, gw_decision, placement.ask.memory_per_node),
	OPTIONAL("Cpus", GW_FIELD_U32, gw_decision, placement.ask.cpus),
	OPTIONAL("Memory", GW_FIELD_U64, gw_decision, placement.ask.memory),
	ROW("WholeNodes", GW_FIELD_BOOL, gw_decision, placement.ask.whole_nodes),
	OPTIONAL("Limit", GW_FIELD_I64, gw_decision, placement.ask.limit),
	OPTIONAL("Stays", GW_FIELD_U32, gw_decision, placement.stays),
	OPTIONAL("MixGpus", GW_FIELD_U32, gw_decision, placement.mix.gpus_max),
	OPTIONAL("MixCpus", GW_FIELD_U32, gw_decision, placement.mix.cpus_max),
	OPTIONAL("MixMemory", GW_FIELD_U64, gw_decision, placement.mix.memory_max),
};

static const struct gw_field shape_fields[] = {
	ROW("ShapeGpus", GW_FIELD_U32, gw_shape_info, gpus),
	ROW("Sockets", GW_FIELD_U32, gw_shape_info, sockets),
	ROW("Links", GW_FIELD_SHAPE, gw_shape_info, gpus),
	OPTIONAL("Name", GW_FIELD_NAME, gw_shape_info, name),
	OPTIONAL("Cards", GW_FIELD_CARDS, gw_shape_info, gpus),
};

static const struct gw_field node_fields[] = {
	ROW("Node", GW_FIELD_U32, gw_node, index),
	ROW("Shape", GW_FIELD_I32, gw_node, shape),
	ROW("Domain", GW_FIELD_U32, gw_node, domain),
	OPTIONAL("Wider", GW_FIELD_U32, gw_node, wider),
	ROW("Weight", GW_FIELD_U64, gw_node, weight),
	ROW("All", GW_FIELD_GPUS, gw_node, all),
	ROW("Free", GW_FIELD_GPUS, gw_node, free),
	OPTIONAL("Offered", GW_FIELD_GPUS, gw_node, offered),
	ROW("GpusOther", GW_FIELD_U32, gw_node, gpus_other),
	ROW("CpusFree", GW_FIELD_U32, gw_node, cpus_free),
	ROW("CpusTotal", GW_FIELD_U32, gw_node, cpus_total),
	OPTIONAL("CpusOffered", GW_FIELD_U32, gw_node, cpus_offered),
	ROW("MemoryFree", GW_FIELD_U64, gw_node, memory_free),
	ROW("MemoryTotal", GW_FIELD_U64, gw_node, memory_total),
	ROW("BusyUntil", GW_FIELD_I64, gw_node, busy_until),
};

static const struct gw_field choice_fields[] = {
	ROW("Choice", GW_FIELD_U32, gw_choice, index),
	ROW("Gpus", GW_FIELD_GPUS, gw_choice, gpus),
};

static const struct gw_field broken_fields[] = {
	ROW("Broken", GW_FIELD_U32, gw_decision_broken, node),
	ROW("Seconds", GW_FIELD_U32, gw_decision_broken, seconds),
};

static const struct gw_field kind_fields[] = {
	ROW("KindGpus", GW_FIELD_U32, gw_mix_kind, gpus),
	ROW("Shared", GW_FIELD_U32, gw_mix_kind, shared),
	ROW("Cpus", GW_FIELD_U32, gw_mix_kind, cpus),
	ROW("Memory", GW_FIELD_U64, gw_mix_kind, memory),
	ROW("Weight", GW_FIELD_DOUBLE, gw_mix_kind, weight),
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

static const struct gw_field usage_fields[] = {{"Usage", GW_FIELD_DOUBLE, 0, false}};

static const struct gw_field rate_fields[] = {{"HeldRate", GW_FIELD_DOUBLE, 0, false}};

static const struct gw_field gpus_fields[] = {
	ROW("All", GW_FIELD_U32, gw_order_gpus, all),
	ROW("Free", GW_FIELD_U32, gw_order_gpus, free),
};

static const struct gw_field gap_fields[] = {
	ROW("GapFlavor", GW_FIELD_I32, gw_order_gap, flavor),
	ROW("Free", GW_FIELD_U32, gw_order_gap, free),
	ROW("Until", GW_FIELD_I64, gw_order_gap, until),
};

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
		  LINE(choice_fields, struct gw_choice, placement.choices, placement.choice_count),
		  LINE(broken_fields, struct gw_decision_broken, placement.broken,
		       placement.broken_count),
		  LINE(kind_fields, struct gw_mix_kind, placement.mix.kinds, placement.mix.count)},
		 5},
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
		  LINE(gpus_fields, struct gw_order_gpus, order.gpus, order.gpus_count),
		  LINE(gap_fields, struct gw_order_gap, order.gaps, order.gap_count),
		  LINE(rank_fields, struct gw_order_rank, order.ranks, order.rank_count)},
		 8},
};
