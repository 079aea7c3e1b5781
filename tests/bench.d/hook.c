// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * usage: hook [--json] [--nodes N] [--rounds N]
 * The placement hook's own time on a cluster of N nodes (1,000), so many questions of each kind
 * (5,000), and four times as many of the kinds and sizes of a busy cluster where there are 1,000
 * nodes. Then the same of GPUs of one node by table, of 8 and of 16, a look-up. Exit code: 1 when a
 * question allocates or a preference is not followed, as nothing is measured then. Times are
 * printed beside the aims and not judged: they are the machine's too.
 */
#include "tests/bench.d/hook.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NODES          1000
#define ROUNDS         5000
#define ROUNDS_OF_BUSY 4 /* times as many */

#define AIM_MEDIAN_US 10.0
#define AIM_TAIL_US   100.0
#define AIM_GPUSET_NS 1000.0

struct options {
	bool json;
	uint32_t nodes, rounds;
};

static const struct hook_kind kinds[] = {
	{"1 GPU", 1, 1, 20},   {"1 GPU", 1, 1, 0},    {"2 GPUs", 1, 2, 0},
	{"4 GPUs", 1, 4, 0},   {"8 GPUs", 1, 8, 0},   {"2x8 GPUs", 2, 8, 0},
	{"8x8 GPUs", 8, 8, 0}, {"4x2 GPUs", 4, 2, 0}, {"64x1 GPU", 64, 1, 0},
};

static bool read_number(const char *text, uint32_t *number)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	*number = (uint32_t)value;
	return *text >= '0' && *text <= '9' && !*end && value > 0 && value <= 1000000;
}

static bool read_options(int count, char **argument, struct options *options)
{
	bool good = true;

	*options = (struct options){false, NODES, ROUNDS};
	for (int i = 1; good && i < count; i++) {
		if (!strcmp(argument[i], "--json"))
			options->json = true;
		else if (!strcmp(argument[i], "--nodes") && i + 1 < count)
			good = read_number(argument[++i], &options->nodes);
		else if (!strcmp(argument[i], "--rounds") && i + 1 < count)
			good = read_number(argument[++i], &options->rounds);
		else
			good = false;
	}
	return good;
}

static void print_text(const struct hook_figures *figures)
{
	printf("%-14s %10u %10.1f %10.1f %12.2f  %016" PRIx64 "\n", figures->name,
	       figures->candidates, (double)figures->median_ns / 1000,
	       (double)figures->tail_ns / 1000,
	       (double)figures->allocations / (double)figures->questions, figures->answers);
}

/* One object a line. */
static void print_json(const struct hook_figures *figures)
{
	printf("{\"bench\":\"hook\",\"nodes\":%d,\"asked\":\"%s\",\"questions\":%" PRIu64
	       ",\"candidates_median\":%u,\"median_us\":%.3f,\"p999_us\":%.3f,"
	       "\"aim_median_us\":%.0f,\"aim_p999_us\":%.0f,\"allocations\":%.4f,"
	       "\"answers\":\"%016" PRIx64 "\"}\n",
	       node_record_count, figures->name, figures->questions, figures->candidates,
	       (double)figures->median_ns / 1000, (double)figures->tail_ns / 1000, AIM_MEDIAN_US,
	       AIM_TAIL_US, (double)figures->allocations / (double)figures->questions,
	       figures->answers);
}

static void print_head(const struct options *options)
{
	printf("hook: own time of placements, %u nodes of %d GPUs, processor time in us\n",
	       options->nodes, HOOK_GPUS);
	printf("%-14s %10s %10s %10s %12s  %s\n", "asked", "candidates", "median", "p99.9",
	       "allocations", "sum of answers");
}

static bool judge(const struct hook_figures *figures)
{
	if (figures->followed != figures->questions)
		fprintf(stderr, "hook: %s: %" PRIu64 " of %" PRIu64 " preferences are followed\n",
			figures->name, figures->followed, figures->questions);
	if (figures->allocations)
		fprintf(stderr, "hook: %s: %" PRIu64 " allocations\n", figures->name,
			figures->allocations);
	return figures->followed == figures->questions && !figures->allocations;
}

static bool report(const struct options *options, const struct hook_figures *figures)
{
	(options->json ? print_json : print_text)(figures);
	fflush(stdout);
	return judge(figures);
}

/* Gangs need their nodes: a small cluster may not have them idle. */
static bool has_room(const struct hook_cluster *cluster, const struct hook_kind *kind)
{
	uint32_t nodes = 0;

	for (uint32_t i = 0; i < cluster->count; i++)
		nodes += HOOK_GPUS - gw_gpus_count(cluster->busy[i]) >= kind->gpus;
	return nodes >= kind->nodes;
}

static bool run(const struct options *options, struct hook_cluster *cluster)
{
	struct hook_figures figures;
	bool good = true;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (!has_room(cluster, &kinds[i]))
			continue;
		hook_ask_kind(cluster, &kinds[i], options->rounds, &figures);
		good = report(options, &figures) && good;
	}
	if (options->nodes == HOOK_BUSY_NODES) {
		hook_ask_busy(cluster, options->rounds * ROUNDS_OF_BUSY, &figures);
		good = report(options, &figures) && good;
	}
	return good;
}

static void print_gpuset_json(const struct hook_gpuset *figures)
{
	printf("{\"bench\":\"hook\",\"asked\":\"GPUs of one node by table\",\"gpus\":%u,"
	       "\"lookups\":%" PRIu64 ",\"mean_ns\":%.1f,\"aim_ns\":%.0f,"
	       "\"answers\":\"%016" PRIx64 "\"}\n",
	       figures->gpus, figures->lookups, figures->ns, AIM_GPUSET_NS, figures->answers);
}

/* One line for all sizes, or one object each. */
static bool run_gpuset(bool json)
{
	static const uint32_t gpus[] = {8, 16};
	struct hook_gpuset figures;

	if (!json)
		printf("GPUs of one node by table, ns a look-up (aim %.0f):", AIM_GPUSET_NS);
	for (size_t i = 0; i < sizeof(gpus) / sizeof(*gpus); i++) {
		if (!hook_time_gpuset(gpus[i], &figures))
			return false;
		if (json)
			print_gpuset_json(&figures);
		else
			printf("%s %.1f of %u GPUs", i ? "," : "", figures.ns, figures.gpus);
	}
	if (!json)
		putchar('\n');
	return true;
}

int main(int count, char **argument)
{
	struct hook_cluster *cluster;
	struct options options;
	bool good;

	if (!read_options(count, argument, &options)) {
		fputs("usage: hook [--json] [--nodes N] [--rounds N]\n", stderr);
		return 2;
	}
	cluster = hook_cluster_create(options.nodes);
	hook_open(cluster);
	if (!options.json)
		print_head(&options);
	good = run(&options, cluster);
	if (!options.json)
		printf("%-14s %10s %10.1f %10.1f %12.2f\n", "aim", "", AIM_MEDIAN_US, AIM_TAIL_US,
		       0.0);
	good = run_gpuset(options.json) && good;
	return good ? 0 : 1;
}
