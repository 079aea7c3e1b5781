// SPDX-License-Identifier: GPL-2.0-or-later
/* The vocabulary of gangway.conf: one row a key. */
#include "conf_impl.h"

static const struct gw_word mode_words[] = {
	{"enforce", GW_MODE_ENFORCE}, {"observe", GW_MODE_OBSERVE}, {0}};

static const struct gw_word order_words[] = {{"usage", GW_ORDER_USAGE},
					     {"age", GW_ORDER_AGE},
					     {"usage-before-class", GW_ORDER_USAGE_BEFORE_CLASS},
					     {0}};

static const struct gw_word within_words[] = {
	{"fifo", GW_WITHIN_FIFO}, {"shortest-limit", GW_WITHIN_SHORTEST_LIMIT}, {0}};

static const struct gw_word capacity_words[] = {
	{"reserved", GW_CAPACITY_RESERVED}, {"spot", GW_CAPACITY_SPOT}, {0}};

static const struct gw_word job_type_words[] = {
	{"any", GW_JOB_ANY}, {"batch", GW_JOB_BATCH}, {"interactive", GW_JOB_INTERACTIVE}, {0}};

static const struct gw_word sharing_words[] = {
	{"any", GW_SHARE_ANY}, {"queue", GW_SHARE_QUEUE}, {"pool", GW_SHARE_POOL}, {0}};

static const struct gw_word idle_words[] = {{"list", GW_IDLE_LIST},
					    {"notify", GW_IDLE_NOTIFY},
					    {"shorten", GW_IDLE_SHORTEN},
					    {"cancel", GW_IDLE_CANCEL},
					    {0}};

#define ROW(key_name, key_type, type_name, field, ...)                                             \
	{                                                                                          \
		.name = key_name, .type = key_type, .offset = offsetof(struct type_name, field),   \
		__VA_ARGS__                                                                        \
	}
#define REQUIRED .flags = GW_KEY_REQUIRED

/* What the parser takes and nothing acts on. */
#define NO_EFFECT(default_word) .warning = "has no effect in this version", .quiet = (default_word)
#define NO_EFFECT_POOL                                                                             \
	.warning = "on a PoolName line has no effect in this version: write it on a line of its "  \
		   "own, for all pools"

#define MODE_ROW(key_name, type_name, field, ...)                                                  \
	ROW(key_name, GW_KEY_WORD, type_name, field, .words = mode_words, __VA_ARGS__)

#define LIMIT_ROWS(type_name)                                                                      \
	ROW("BorrowLimit", GW_KEY_LIMITS, type_name, borrow, .flags = 0),                          \
		ROW("LendLimit", GW_KEY_LIMITS, type_name, lend, .flags = 0)

static const struct gw_key global_keys[] = {
	MODE_ROW("Mode", gw_conf, modes.all, .flags = 0),
	MODE_ROW("ModeOrder", gw_conf, modes.each[GW_ORDER], .flags = 0),
	MODE_ROW("ModeQuota", gw_conf, modes.each[GW_QUOTA], .flags = 0),
	MODE_ROW("ModePlacement", gw_conf, modes.each[GW_PLACEMENT], .flags = 0),
	MODE_ROW("ModeRouting", gw_conf, modes.each[GW_ROUTING], .flags = 0),
	ROW("HookTimeBudget", GW_KEY_NUMBER, gw_conf, hook_time_budget, .min = 1, .max = 60000,
	    .allowed = "must be milliseconds a minute from 1 to 60000"),
	ROW("HookErrorBudget", GW_KEY_NUMBER, gw_conf, hook_error_budget, .max = 1000000,
	    .allowed = "must be errors a minute from 0 to 1000000"),
	ROW("Verify", GW_KEY_BOOL, gw_conf, verify, .flags = 0),
	ROW("RecordDecisions", GW_KEY_NUMBER, gw_conf, record_decisions, .max = 1000,
	    .flags = GW_KEY_MAY_BE_ZERO, .allowed = "must be a number from 0 to 1000"),
	ROW("PublishDir", GW_KEY_DIR, gw_conf, publish_dir,
	    .where_offset = offsetof(struct gw_conf, publish_dir_where)),
	ROW("UsageHalfLife", GW_KEY_TIME, gw_conf, usage_half_life, .flags = GW_KEY_MAY_BE_NONE,
	    .allowed = "must be a time above 0 such as 7-00:00:00, or NONE for no decay"),
	ROW("UsageWeights", GW_KEY_WEIGHTS, gw_conf, usage_weights,
	    .where_offset = offsetof(struct gw_conf, usage_weights_where)),
	ROW("ShareTerm", GW_KEY_WEIGHT, gw_conf, share_term, .flags = GW_KEY_MAY_BE_ZERO,
	    .allowed = "must be a number of 0 or more"),
	ROW("Charge", GW_KEY_TIME, gw_conf, charge, .flags = GW_KEY_MAY_BE_ZERO),
	ROW("OrderWithinClass", GW_KEY_WORD, gw_conf, order, .words = order_words),
	ROW("SmallHold", GW_KEY_TIME, gw_conf, small_hold, .flags = GW_KEY_MAY_BE_ZERO),
	ROW("SmallBatch", GW_KEY_NUMBER, gw_conf, small_batch, .max = 65536,
	    .flags = GW_KEY_MAY_BE_ZERO, .allowed = "must be a number of GPUs from 0 to 65536"),
	ROW("GapMatch", GW_KEY_WEIGHT, gw_conf, gap_match, .flags = GW_KEY_MAY_BE_ZERO, .max = 1,
	    .allowed = "must be a number from 0 to 1"),
	ROW("WithinQueue", GW_KEY_WORD, gw_conf, within, .words = within_words),
	ROW("QueueMaxWait", GW_KEY_TIME, gw_conf, queue_max_wait, .flags = GW_KEY_MAY_BE_NONE,
	    .allowed = "must be a time above 0 such as 10-00:00:00, or NONE for no guard"),
	ROW("Unmatched", GW_KEY_UNMATCHED, gw_conf, unmatched, .flags = 0),
};

static const struct gw_key class_keys[] = {
	ROW("ClassName", GW_KEY_NAME, gw_class, name, REQUIRED),
	ROW("QOS", GW_KEY_NAME, gw_class, qos, .flags = 0),
	ROW("Rank", GW_KEY_NUMBER, gw_class, rank, REQUIRED, .max = 1000000,
	    .allowed = "must be a whole number from 0 to 1000000; the highest goes first"),
	ROW("Default", GW_KEY_BOOL, gw_class, is_default, .flags = 0),
	ROW("NeedsGrant", GW_KEY_BOOL, gw_class, needs_grant, .flags = 0),
};

static const struct gw_key flavor_keys[] = {
	ROW("FlavorName", GW_KEY_NAME, gw_flavor, name, REQUIRED),
	ROW("Gres", GW_KEY_GRES, gw_flavor, gres, REQUIRED),
	ROW("Partition", GW_KEY_NAME, gw_flavor, partition, REQUIRED),
	ROW("Capacity", GW_KEY_WORD, gw_flavor, capacity, .words = capacity_words,
	    NO_EFFECT("reserved")),
};

static const struct gw_key cohort_keys[] = {
	ROW("CohortName", GW_KEY_NAME, gw_cohort, name, REQUIRED),
	ROW("Parent", GW_KEY_REF, gw_cohort, parent, .flags = 0),
	ROW("Quota", GW_KEY_LIMITS, gw_cohort, quota, .flags = 0),
	LIMIT_ROWS(gw_cohort),
};

static const struct gw_key pool_keys[] = {
	ROW("PoolName", GW_KEY_NAME, gw_pool, name, REQUIRED),
	ROW("Cohort", GW_KEY_REF, gw_pool, cohort, .flags = 0),
	ROW("Quota", GW_KEY_LIMITS, gw_pool, quota, REQUIRED),
	LIMIT_ROWS(gw_pool),
	ROW("LoanTime", GW_KEY_TIME, gw_pool, loan_time, .flags = GW_KEY_MAY_BE_INFINITE),
	ROW("PeakStrict", GW_KEY_BOOL, gw_pool, peak_strict, .flags = 0),
	MODE_ROW("Mode", gw_pool, modes.all,
		 .warning = "on a PoolName line is for its quota alone in this version; ModeQuota "
			    "says so",
		 .quiet = "enforce"),
	MODE_ROW("ModeOrder", gw_pool, modes.each[GW_ORDER], NO_EFFECT_POOL),
	MODE_ROW("ModeQuota", gw_pool, modes.each[GW_QUOTA], .flags = 0),
	MODE_ROW("ModePlacement", gw_pool, modes.each[GW_PLACEMENT], NO_EFFECT_POOL),
	MODE_ROW("ModeRouting", gw_pool, modes.each[GW_ROUTING], NO_EFFECT_POOL),
};

static const struct gw_key peak_keys[] = {
	ROW("PoolName", GW_KEY_REF, gw_peak, pool, REQUIRED),
	ROW("Peak", GW_KEY_WINDOW, gw_peak, window, REQUIRED),
	ROW("Quota", GW_KEY_LIMITS, gw_peak, quota, REQUIRED),
	LIMIT_ROWS(gw_peak),
};

static const struct gw_key queue_keys[] = {
	ROW("QueueName", GW_KEY_NAME, gw_queue, name, REQUIRED),
	ROW("Pool", GW_KEY_REFS, gw_queue, pools, REQUIRED),
	ROW("Account", GW_KEY_NAME, gw_queue, account, .flags = 0),
	ROW("Flavor", GW_KEY_REFS, gw_queue, flavors, .flags = 0),
	ROW("Weight", GW_KEY_WEIGHT, gw_queue, weight, .flags = 0,
	    .allowed = "must be a number above 0"),
	ROW("DefaultClass", GW_KEY_REF, gw_queue, default_class, .flags = 0),
	ROW("MaxTime", GW_KEY_TIME, gw_queue, max_time, .flags = GW_KEY_MAY_BE_INFINITE),
	ROW("JobType", GW_KEY_WORD, gw_queue, job_type, .words = job_type_words),
	ROW("IdleAfter", GW_KEY_TIME, gw_queue, idle_after, .flags = GW_KEY_MAY_BE_NONE,
	    NO_EFFECT("NONE")),
	ROW("IdleAction", GW_KEY_WORD, gw_queue, idle_action, .words = idle_words,
	    NO_EFFECT("list")),
	ROW("NodeSharing", GW_KEY_WORD, gw_queue, node_sharing, .words = sharing_words,
	    NO_EFFECT("any")),
	ROW("WithinQueue", GW_KEY_WORD, gw_queue, within, .words = within_words),
	ROW("QueueMaxWait", GW_KEY_TIME, gw_queue, max_wait, .flags = GW_KEY_MAY_BE_NONE,
	    .allowed = "must be a time above 0 such as 10-00:00:00, or NONE for no guard"),
};

static const struct gw_key grant_keys[] = {
	ROW("ClassGrant", GW_KEY_GRANT, gw_grant, who, REQUIRED),
	ROW("Class", GW_KEY_REF, gw_grant, class_ref, REQUIRED),
	ROW("Until", GW_KEY_DATE, gw_grant, until, REQUIRED),
	ROW("By", GW_KEY_TEXT, gw_grant, by, REQUIRED),
	ROW("Reason", GW_KEY_TEXT, gw_grant, reason, REQUIRED),
};

static const struct gw_key shape_keys[] = {
	ROW("ShapeName", GW_KEY_NAME, gw_shape, name, REQUIRED),
	ROW("Nodes", GW_KEY_NODES, gw_shape, nodes, REQUIRED),
	ROW("Hwloc", GW_KEY_BESIDE, gw_shape, hwloc, REQUIRED),
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define KIND(key_rows, type_name, items, item_count)                                               \
	{                                                                                          \
		.keys = key_rows, .key_count = COUNT(key_rows),                                    \
		.items_offset = offsetof(struct gw_conf, items),                                   \
		.count_offset = offsetof(struct gw_conf, item_count),                              \
		.where_offset = offsetof(struct type_name, where),                                 \
		.item_size = sizeof(struct type_name)                                              \
	}

const struct gw_kind gw_conf_kinds[GW_KIND_COUNT] = {
	[GW_KIND_GLOBAL] = {.keys = global_keys, .key_count = COUNT(global_keys)},
	[GW_KIND_CLASS] = KIND(class_keys, gw_class, classes, class_count),
	[GW_KIND_FLAVOR] = KIND(flavor_keys, gw_flavor, flavors, flavor_count),
	[GW_KIND_COHORT] = KIND(cohort_keys, gw_cohort, cohorts, cohort_count),
	[GW_KIND_POOL] = KIND(pool_keys, gw_pool, pools, pool_count),
	[GW_KIND_PEAK] = KIND(peak_keys, gw_peak, peaks, peak_count),
	[GW_KIND_QUEUE] = KIND(queue_keys, gw_queue, queues, queue_count),
	[GW_KIND_GRANT] = KIND(grant_keys, gw_grant, grants, grant_count),
	[GW_KIND_SHAPE] = KIND(shape_keys, gw_shape, shapes, shape_count),
};

_Static_assert(COUNT(global_keys) <= GW_CONF_KEYS_MAX, "raise GW_CONF_KEYS_MAX");

const struct gw_key *gw_conf_key(const struct gw_kind *kind, const char *name)
{
	for (size_t i = 0; i < kind->key_count; i++)
		if (gw_same(kind->keys[i].name, name))
			return &kind->keys[i];
	return NULL;
}

void gw_conf_item_init(enum gw_kind_id kind, void *item)
{
	switch (kind) {
	case GW_KIND_COHORT:
		((struct gw_cohort *)item)->parent.index = GW_NO_INDEX;
		break;
	case GW_KIND_POOL:
		((struct gw_pool *)item)->cohort.index = GW_NO_INDEX;
		((struct gw_pool *)item)->loan_time = GW_TIME_INFINITE;
		break;
	case GW_KIND_QUEUE:
		*(struct gw_queue *)item = (struct gw_queue){
			.weight = 1,
			.default_class.index = GW_NO_INDEX,
			.max_time = GW_TIME_INFINITE,
			.idle_after = GW_TIME_NONE,
			.max_wait = GW_TIME_INHERIT,
		};
		break;
	default:
		break;
	}
}
