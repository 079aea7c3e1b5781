// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/util/tres.h"
#include "unit.h"

/* A typed and an untyped entry of one GRES are the same devices. */
static const struct {
	const char *text;
	double gpus;
} gpu_counts[] = {
	{"gres/gpu=4", 4},
	{"gres/gpu:x=1", 1},
	{"gres/gpu:a100=1,gres/gpu=1", 1},
	{"gres/gpu:a100=3,gres/gpu:h100=5,gres/gpu=8", 8},
	{"gres/gpu:a100=3,gres/gpu:h100=5", 8},
	{"cpu=4,mem=64G,node=1,billing=4,GRES/GPU:h100=2,gres/gpu=2", 2},
	{"gres/gpumem=80,gres/nic=4", 0},
	{"cpu=1", 0},
	{"", 0},
};

START_TEST(gpus_are_counted_once)
{
	struct gw_tres tres;

	ck_assert_int_eq(gw_tres_parse(gpu_counts[_i].text, &tres, NULL), 0);
	ck_assert_double_eq_tol(gw_tres_gres(&tres, "gpu"), gpu_counts[_i].gpus, 1e-9);
	gw_tres_free(&tres);
}
END_TEST

START_TEST(values_and_weights)
{
	struct gw_tres tres;

	ck_assert_int_eq(
		gw_tres_parse("gres/gpu=0.4,gres/gpu:h100=1,cpu=0.005,mem=2G,bb/x=2G,license/x=2K",
			      &tres, NULL),
		0);
	ck_assert_double_eq_tol(gw_tres_value(&tres, "CPU", -1), 0.005, 1e-12);
	ck_assert_double_eq_tol(gw_tres_value(&tres, "mem", -1), 2048, 1e-12);
	ck_assert_double_eq_tol(gw_tres_value(&tres, "bb/x", -1), 2048, 1e-9);
	ck_assert_double_eq_tol(gw_tres_value(&tres, "license/x", -1), 2048, 1e-9);
	ck_assert_double_eq_tol(gw_tres_value(&tres, "node", -1), -1, 1e-12);
	ck_assert_double_eq_tol(gw_tres_weight(&tres, "gres/gpu:h100", 0), 1, 1e-12);
	ck_assert_double_eq_tol(gw_tres_weight(&tres, "gres/gpu:a100", 0), 0.4, 1e-12);
	ck_assert_double_eq_tol(gw_tres_weight(&tres, "gres/nic", 7), 7, 1e-12);
	gw_tres_free(&tres);
	gw_tres_free(NULL);
}
END_TEST

static const struct {
	const char *text, *error;
} bad[] = {
	{"gpu", "must be TRES=NUMBER,..., such as gres/gpu:h100=8"},
	{"=4", "must be TRES=NUMBER,..., such as gres/gpu:h100=8"},
	{"cpu=1,", "must be TRES=NUMBER,..., such as gres/gpu:h100=8"},
	{"cpu=1,,mem=2", "must be TRES=NUMBER,..., such as gres/gpu:h100=8"},
	{"cpu=x", "cpu=x: must be a number"},
	{"cpu=nan", "cpu=nan: must be a number"},
	{"cpu=", "cpu=: must be a number"},
	{"mem=64GB", "must be a size such as 512M or 64G"},
	{"cpu=1,CPU=2", "names CPU twice"},
};

START_TEST(bad_tres_is_refused)
{
	struct gw_error error = {0};
	struct gw_tres tres;

	ck_assert_int_eq(gw_tres_parse(bad[_i].text, &tres, &error), -1);
	ck_assert_str_eq(error.text, bad[_i].error);
	ck_assert_uint_eq(tres.count, 0);
}
END_TEST

/* As Slurm's TRESBillingWeights: of mem and bb for each MiB, with a suffix for so much. */
static const struct {
	const char *text, *name;
	double weight;
} weighing[] = {
	{"Mem=0.25G", "mem", 0.25 / 1024},
	{"mem=3M", "mem", 3},
	{"mem=3", "mem", 3},
	{"mem=1t", "mem", 1.0 / 1048576},
	{"mem=1P", "mem", 1.0 / 1073741824},
	{"BB/x=2G", "bb/x", 2.0 / 1024},
	{"CPU=1.0,node=2", "cpu", 1},
	{"billing=0.5", "billing", 0.5},
	{"GRES/gpu:h100=2.0", "gres/gpu:h100", 2},
	{"license/matlab=7", "license/matlab", 7},
};

START_TEST(weights_mean_what_slurm_means)
{
	struct gw_tres tres;

	ck_assert_int_eq(gw_tres_parse_weights(weighing[_i].text, &tres, NULL), 0);
	ck_assert_double_eq_tol(gw_tres_value(&tres, weighing[_i].name, 0), weighing[_i].weight,
				1e-15);
	gw_tres_free(&tres);
}
END_TEST

#define ALLOCATED                                                                                  \
	" is no TRES that jobs are allocated: these are cpu, mem, node, billing, gres/NAME, "      \
	"gres/NAME:TYPE, license/NAME and bb/NAME"
#define EACH_MIB                                                                                   \
	": must be a number for each MiB, or one with M, G, T or P for each of these, such as "    \
	"0.25G"

static const struct {
	const char *text, *error;
} bad_weights[] = {
	{"mem=1K", "mem=1K" EACH_MIB},
	{"mem=1GB", "mem=1GB" EACH_MIB},
	{"mem=G", "mem=G" EACH_MIB},
	{"mem=", "mem=" EACH_MIB},
	{"cpu=1G", "cpu=1G: must be a number, without a suffix"},
	{"cpu=", "cpu=: must be a number, without a suffix"},
	{"cpu=0000000000000000000000000000000000000000000000000000000000000000001",
	 "cpu=0000000000000000000000000000000000000000000000000000000000000000: must be a number, "
	 "without a suffix"},
	{"foo=1", "foo" ALLOCATED},
	{"gpu=1", "gpu" ALLOCATED},
	{"energy=1", "energy" ALLOCATED},
	{"gres/=1", "gres/" ALLOCATED},
	{"node/x=1", "node/x" ALLOCATED},
	{"cpu", "must be TRES=NUMBER,..., such as gres/gpu:h100=8"},
};

START_TEST(bad_weights_are_refused)
{
	struct gw_error error = {0};
	struct gw_tres tres;

	ck_assert_int_eq(gw_tres_parse_weights(bad_weights[_i].text, &tres, &error), -1);
	ck_assert_str_eq(error.text, bad_weights[_i].error);
}
END_TEST

START_TEST(no_memory)
{
	for (unsigned int n = 1;; n++) {
		struct gw_error error = {0};
		struct gw_tres tres;
		int result;

		alloc_fail_at(n);
		result = gw_tres_parse("cpu=1,gres/gpu=2,mem=3,a=4,b=5", &tres, &error);
		gw_tres_free(&tres);
		if (!alloc_failed())
			break;
		ck_assert_int_eq(result, -1);
		ck_assert_str_eq(error.text, "out of memory");
	}
}
END_TEST

static const struct {
	const char *weights, *tres;
	double sum;
} weighted[] = {
	{"gres/gpu=1", "cpu=8,gres/gpu=4", 4},
	{"gres/gpu=1", "gres/gpu=4,gres/gpu:h100=4", 4},
	{"gres/gpu:h100=1,gres/gpu:a100=0.4", "gres/gpu=4,gres/gpu:a100=4", 1.6},
	/* Two that have a type, one that has none. */
	{"gres/gpu:h100=2,gres/gpu=1", "gres/gpu=3,gres/gpu:h100=2", 5},
	{"gres/gpu=1,cpu=0.5,mem=1", "cpu=2,mem=3M,node=1", 4},
	{"gres/gpu=1", "gres/gpux=4,gres/g=2", 0},
	{"", "gres/gpu=4", 0},
};

START_TEST(devices_are_weighed_once)
{
	struct gw_tres weights, tres;

	ck_assert_int_eq(gw_tres_parse(weighted[_i].weights, &weights, NULL), 0);
	ck_assert_int_eq(gw_tres_parse(weighted[_i].tres, &tres, NULL), 0);
	ck_assert_double_eq_tol(gw_tres_weighted(&weights, &tres), weighted[_i].sum, 1e-12);
	gw_tres_free(&weights);
	gw_tres_free(&tres);
}
END_TEST

UNIT_MAIN("tres", UNIT_ROWS(devices_are_weighed_once, weighted);
	  UNIT_ROWS(gpus_are_counted_once, gpu_counts); UNIT(values_and_weights);
	  UNIT_ROWS(bad_tres_is_refused, bad); UNIT_ROWS(weights_mean_what_slurm_means, weighing);
	  UNIT_ROWS(bad_weights_are_refused, bad_weights); UNIT(no_memory))
