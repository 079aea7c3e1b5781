// SPDX-License-Identifier: GPL-2.0-or-later
/* The mix of jobs, learned from those that start. */
#include "src/core/mix_seen.h"
#include "src/util/checksum.h"
#include "unit.h"

#define DAY 86400

static struct gw_mix_seen *seen;

static void setup(void)
{
	seen = gw_mix_seen_create(NULL);
}

static void teardown(void)
{
	gw_mix_seen_free(seen);
}

static const struct gw_mix_kind lean = {.gpus = 1, .cpus = 4, .memory = 65536};
static const struct gw_mix_kind heavy = {.gpus = 1, .cpus = 32, .memory = 65536};
static const struct gw_mix_kind no_gpu = {.cpus = 4};

/* Nodes of 8 GPUs, 128 CPUs and 1 TiB: 16 CPUs and 128 GiB a GPU. */
static struct gw_mix_nodes nodes_of(uint32_t count)
{
	struct gw_mix_nodes nodes = {0};

	for (uint32_t i = 0; i < count; i++)
		gw_mix_nodes_add(&nodes, 8, 128, 1 << 20);
	gw_mix_nodes_add(&nodes, 0, 999, 1 << 30);
	return nodes;
}

static void add(const struct gw_mix_kind *kind, int count, int64_t start)
{
	for (int i = 0; i < count; i++)
		gw_mix_seen_add(seen, kind, 1, start);
}

static const struct {
	int lean, heavy;
	bool matters;
} shares[] = {
	{0, 0, false}, {100, 0, false}, {100, 5, false}, {95, 5, true}, {0, 1, true},
};

START_TEST(cpus_matter_when_enough_jobs_ask_for_more)
{
	struct gw_mix_nodes nodes = nodes_of(3);

	add(&lean, shares[_i].lean, 0);
	add(&heavy, shares[_i].heavy, 0);
	ck_assert_int_eq(gw_mix_seen_matters(seen, &nodes), shares[_i].matters);
}
END_TEST

START_TEST(so_does_memory)
{
	const struct gw_mix_kind large = {.gpus = 2, .cpus = 4, .memory = 300 << 10};
	struct gw_mix_nodes nodes = nodes_of(3);

	add(&large, 1, 0);
	ck_assert(gw_mix_seen_matters(seen, &nodes));
}
END_TEST

/* Jobs that ask for their share or less change no placement. */
START_TEST(made_only_when_it_matters)
{
	struct gw_mix_nodes nodes = nodes_of(2), none = {0};
	struct gw_error error = {0};
	struct gw_mix *mix;

	add(&no_gpu, 1000, 0);
	add(&lean, 1000, 0);
	ck_assert_ptr_null(gw_mix_seen_make(seen, &nodes, 0, &error));
	add(&heavy, 60, 0);
	ck_assert_ptr_null(gw_mix_seen_make(seen, &none, 0, &error));
	mix = gw_mix_seen_make(seen, &nodes, 0, &error);
	ck_assert_ptr_nonnull(mix);
	ck_assert_uint_eq(gw_mix_source(mix)->count, 2);
	ck_assert_uint_eq(gw_mix_source(mix)->cpus_max, 128);
	/* 16 CPUs for 4 GPUs serve the lean ones and no heavy one. */
	ck_assert_double_eq_tol(gw_mix_worth(mix, 4, 16, 1 << 20) / (double)GW_MIX_GPU,
				4 * 1000 / 1060.0, 0.01);
	gw_mix_free(mix);
	ck_assert(!gw_error_is_set(&error));
}
END_TEST

/* What comes now outweighs what came once, told in any order. */
START_TEST(old_jobs_fade)
{
	struct gw_mix_nodes nodes = nodes_of(2);

	add(&lean, 100, 100 * DAY);
	add(&heavy, 100, 0);
	ck_assert(!gw_mix_seen_matters(seen, &nodes));
	ck_assert_ptr_null(gw_mix_seen_make(seen, &nodes, 100 * DAY, NULL));
	/* Origins are moved, also by ages. */
	add(&heavy, 1, INT64_C(200000) * DAY);
	ck_assert(gw_mix_seen_matters(seen, &nodes));
	/* One job is too few to go by. */
	ck_assert_ptr_null(gw_mix_seen_make(seen, &nodes, INT64_C(200000) * DAY, NULL));
}
END_TEST

START_TEST(the_rarest_is_forgotten)
{
	add(&lean, 10, 0);
	for (uint32_t i = 0; i < 2 * GW_MIX_SEEN_KINDS; i++) {
		struct gw_mix_kind kind = {.gpus = 1, .cpus = 100 + i};

		add(&kind, 1, 0);
	}
	ck_assert_uint_eq(gw_mix_seen_kinds(seen), GW_MIX_SEEN_KINDS);
	add(&lean, 1, 0);
	ck_assert_uint_eq(gw_mix_seen_kinds(seen), GW_MIX_SEEN_KINDS);
}
END_TEST

/* The second started 12 of 14 days later. */
static const char wanted[] = "GangwayJobMix=1 Origin=432000\n"
			     "Gpus=1 Shared=0 Cpus=4 Memory=65536 Weight=3\n"
			     "Gpus=1 Shared=0 Cpus=32 Memory=65536 Weight=1.81";

START_TEST(text_comes_back)
{
	struct gw_mix_seen *other = gw_mix_seen_create(NULL);
	struct gw_error error = {0};
	char *first, *second;

	add(&lean, 3, 5 * DAY);
	add(&heavy, 1, 17 * DAY + 1);
	first = gw_mix_seen_text(seen, NULL);
	ck_assert_int_eq(strncmp(first, wanted, sizeof(wanted) - 1), 0);
	ck_assert_msg(!gw_mix_seen_load(other, first, &error), "%s", error.text);
	second = gw_mix_seen_text(other, NULL);
	ck_assert_str_eq(first, second);
	/* Any byte changed is found, and nothing is taken. */
	for (size_t i = 0; first[i]; i++) {
		first[i] ^= 1;
		ck_assert_int_eq(gw_mix_seen_load(other, first, NULL), -1);
		first[i] ^= 1;
	}
	ck_assert_uint_eq(gw_mix_seen_kinds(other), 2);
	free(first);
	free(second);
	gw_mix_seen_free(other);
}
END_TEST

static const struct {
	const char *kind, *error;
} no_kinds[] = {
	{"Gpus=1 Shared=4097 Cpus=1 Memory=1 Weight=1", "Shared"},
	{"Gpus=1 Shared=0 Cpus=1 Memory=1 Weight=1e101",
	 "Weight must be a number from 0 to 1e+100"},
	{"Gpus=1 Shared=0 Cpus=1 Memory=1 Weight=-1", "Weight must be a number from 0 to 1e+100"},
	{"Gpus=1 Shared=0 Cpus=1 Memory=1 Weight=nan", "Weight must be a number from 0 to 1e+100"},
	{"Gpus=0 Shared=0 Cpus=1 Memory=1 Weight=1", "no GPUs"},
};

/* Its checksum is right, so somebody wrote it by hand. */
START_TEST(what_can_not_come_is_refused)
{
	struct gw_error error = {0};
	struct gw_str text = {0};
	char *taken;

	add(&lean, 1, 0);
	gw_str_appendf(&text, "GangwayJobMix=1 Origin=0\n%s\n", no_kinds[_i].kind);
	gw_checksum_append(&text);
	taken = gw_str_take(&text);
	ck_assert_int_eq(gw_mix_seen_load(seen, taken, &error), -1);
	ck_assert_msg(strstr(error.text, no_kinds[_i].error), "%s", error.text);
	ck_assert_uint_eq(gw_mix_seen_kinds(seen), 1);
	free(taken);
}
END_TEST

START_TEST(memory_may_run_out)
{
	char *text, *again = NULL;

	add(&lean, 1, 0);
	text = gw_mix_seen_text(seen, NULL);
	for (unsigned int n = 1; !again; n++) {
		struct gw_error error = {0};
		struct gw_mix_seen *other;
		bool failed;

		alloc_fail_at(n);
		other = gw_mix_seen_create(&error);
		if (other && !gw_mix_seen_load(other, text, &error))
			again = gw_mix_seen_text(other, &error);
		gw_mix_seen_free(other);
		failed = alloc_failed();
		ck_assert(failed == gw_error_is_set(&error));
		ck_assert(failed == !again);
	}
	ck_assert_str_eq(text, again);
	free(text);
	free(again);
}
END_TEST

UNIT_MAIN("mix_seen", tcase_add_checked_fixture(tests, setup, teardown),
	  UNIT_ROWS(cpus_matter_when_enough_jobs_ask_for_more, shares), UNIT(so_does_memory),
	  UNIT(made_only_when_it_matters), UNIT(old_jobs_fade), UNIT(the_rarest_is_forgotten),
	  UNIT(text_comes_back), UNIT_ROWS(what_can_not_come_is_refused, no_kinds),
	  UNIT(memory_may_run_out))
