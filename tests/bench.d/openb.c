// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * usage: openb [--json] [--seeds N] DIRECTORY
 * Runs FGD's inflation test on the trace in the directory with best fit, FGD and Gangway. Exit
 * code: 1 when the peers are not what their authors published or Gangway, which is not told the mix
 * but learns it, leaves more than FGD.
 */
#include "openb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED_FIRST 42
#define SEEDS      10
#define RATIO      1.3
/* Points of difference to a published value that are allowed. */
#define NEAR 0.5

struct workload {
	const char *name, *label;
};

static const struct workload workloads[] = {
	{"openb_pod_list_default", "default"},
	{"openb_pod_list_multigpu50", "multi-GPU 50 %"},
};

struct row {
	const struct openb_policy *policy;
	const char *published_as; /* in the table of expected results; NULL: nowhere */
	double published;         /* percent; NAN: not known */
	double frag, spread, used, lost;
};

struct options {
	bool json;
	unsigned int seeds;
	const char *directory;
};

static bool read_options(int count, char **argument, struct options *options)
{
	*options = (struct options){false, SEEDS, NULL};
	for (int i = 1; i < count; i++) {
		if (!strcmp(argument[i], "--json"))
			options->json = true;
		else if (!strcmp(argument[i], "--seeds") && i + 1 < count)
			options->seeds = (unsigned int)strtoul(argument[++i], NULL, 10);
		else if (*argument[i] != '-' && !options->directory)
			options->directory = argument[i];
		else
			return false;
	}
	return options->directory && options->seeds;
}

/* The mean over the authors' ten seeds at 130 % arrivals, in percent of all GPUs. */
static double published(const char *directory, const char *workload, const char *policy)
{
	char path[4096], line[256], wanted[256];
	double value = NAN;
	FILE *file;

	snprintf(path, sizeof(path), "%s/fgd_atc23_expected_results_summary.csv", directory);
	snprintf(wanted, sizeof(wanted), "frag_over_capacity_pct,%s,%s,130,", workload, policy);
	file = fopen(path, "r");
	if (!file)
		return value;
	while (fgets(line, sizeof(line), file))
		if (!strncmp(line, wanted, strlen(wanted)))
			value = strtod(line + strlen(wanted), NULL);
	fclose(file);
	return value;
}

static bool run_seeds(const struct options *options, const struct openb_cluster *cluster,
		      const struct openb_pods *pods, const struct openb_mix *mix, struct row *row)
{
	double square = 0, seeds = options->seeds;

	for (unsigned int i = 0; i < options->seeds; i++) {
		struct openb_result result;

		if (!openb_run(row->policy, cluster, pods, mix, RATIO, SEED_FIRST + i, &result))
			return false;
		row->frag += result.frag / seeds;
		square += result.frag * result.frag / seeds;
		row->used += result.used / seeds;
		row->lost += result.lost / seeds;
	}
	row->spread = sqrt(fmax(0, square - row->frag * row->frag));
	return true;
}

static void print_text(const struct workload *workload, const struct row *rows, size_t count)
{
	printf("openb, %s, %.0f %% arrivals; percent of all GPUs\n", workload->label, 100 * RATIO);
	printf("  %-21s %14s %8s %10s %10s %14s\n", "", "fragmentation", "spread", "published",
	       "in use", "asked, lost");
	for (size_t i = 0; i < count; i++) {
		printf("  %-21s %14.2f %8.2f ", rows[i].policy->name, rows[i].frag, rows[i].spread);
		if (isnan(rows[i].published))
			printf("%10s", "-");
		else
			printf("%10.2f", rows[i].published);
		printf(" %10.2f %14.2f\n", rows[i].used, rows[i].lost);
	}
}

/* One object a line. */
static void print_json(const struct workload *workload, const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		printf("{\"bench\":\"openb\",\"workload\":\"%s\",\"policy\":\"%s\","
		       "\"frag_pct\":%.3f,\"spread\":%.3f,\"used_pct\":%.3f,\"lost_pct\":%.3f",
		       workload->name, rows[i].policy->name, rows[i].frag, rows[i].spread,
		       rows[i].used, rows[i].lost);
		if (!isnan(rows[i].published))
			printf(",\"published_pct\":%.3f", rows[i].published);
		puts("}");
	}
}

enum { BEST_FIT, FGD, UNKNOWN, LEARNING, GANGWAY };

static bool judge(const struct workload *workload, const struct row *rows, size_t count)
{
	const struct row *ours = &rows[LEARNING], *fgd = &rows[FGD];
	double goal = isnan(fgd->published) ? fgd->frag : fgd->published;
	bool good = true;

	for (size_t i = 0; i < count; i++) {
		if (isnan(rows[i].published) || fabs(rows[i].frag - rows[i].published) <= NEAR)
			continue;
		fprintf(stderr, "openb: %s, %s: %.2f %% is not the published %.2f %%\n",
			workload->label, rows[i].policy->name, rows[i].frag, rows[i].published);
		good = false;
	}
	if (ours->frag <= goal)
		return good;
	fprintf(stderr, "openb: %s: %.2f %% is more than FGD's %.2f %%\n", workload->label,
		ours->frag, goal);
	return false;
}

static bool run_workload(const struct options *options, const struct workload *workload,
			 const struct openb_cluster *cluster, const struct openb_pods *pods)
{
	struct row rows[] = {
		[BEST_FIT] = {.policy = &openb_best_fit, .published_as = "05-BestFit"},
		[FGD] = {.policy = &openb_fgd, .published_as = "06-FGD"},
		[UNKNOWN] = {.policy = &openb_gangway_unknown},
		[LEARNING] = {.policy = &openb_gangway_learning},
		[GANGWAY] = {.policy = &openb_gangway},
	};
	const size_t count = sizeof(rows) / sizeof(*rows);
	struct openb_mix mix;
	bool good = openb_mix_make(pods, &mix);

	for (size_t i = 0; i < count; i++) {
		good = good && run_seeds(options, cluster, pods, &mix, &rows[i]);
		rows[i].published = rows[i].published_as
					    ? published(options->directory, workload->name,
							rows[i].published_as)
					    : NAN;
	}
	free(mix.shape);
	if (!good)
		return false;
	(options->json ? print_json : print_text)(workload, rows, count);
	return judge(workload, rows, count);
}

/* Models get their bits as they are met, nodes first, so that both lists agree. */
static bool read_and_run(const struct options *options, const struct workload *workload)
{
	struct openb_models models = {0};
	struct openb_cluster cluster = {0};
	struct openb_pods pods = {0};
	char path[4096];
	bool good;

	snprintf(path, sizeof(path), "%s/openb_node_list_gpu_node.csv", options->directory);
	good = openb_read_nodes(path, &models, &cluster);
	snprintf(path, sizeof(path), "%s/%s.csv", options->directory, workload->name);
	good = good && openb_read_pods(path, &models, &pods);
	good = good && run_workload(options, workload, &cluster, &pods);
	free(cluster.node);
	free(pods.pod);
	return good;
}

int main(int count, char **argument)
{
	struct options options;
	bool good = true;

	if (!read_options(count, argument, &options)) {
		fputs("usage: openb [--json] [--seeds N] DIRECTORY\n", stderr);
		return 2;
	}
	for (size_t i = 0; i < sizeof(workloads) / sizeof(*workloads); i++)
		good = read_and_run(&options, &workloads[i]) && good;
	return good ? 0 : 1;
}
