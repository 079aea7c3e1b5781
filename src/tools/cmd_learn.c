// SPDX-License-Identifier: GPL-2.0-or-later
/* gangway learn: run times and kinds of jobs from accounting, for slurmctld to begin with. */
#include "commands.h"

#include <errno.h>
#include <limits.h>
#include <slurm/slurm.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../acct/runtimes.h"
#include "../util/file.h"
#include "site.h"

#define DAYS_AT_FIRST 90
#define DAY           86400

struct request {
	struct gw_site_paths paths;
	struct gw_output output;
	const char *since; /* NULL: the last days */
	const char *file;  /* NULL: where slurmctld looks for it */
};

static int find_since(const struct request *request, int64_t now, int64_t *since,
		      struct gw_error *error)
{
	int64_t civil;
	time_t seconds;
	struct tm tm;

	*since = now - (int64_t)DAYS_AT_FIRST * DAY;
	if (!request->since)
		return 0;
	if (gw_parse_date(request->since, &civil, error))
		return gw_error_prefix(error, "--since=%s: ", request->since);
	seconds = (time_t)civil;
	gmtime_r(&seconds, &tm);
	tm.tm_isdst = -1;
	*since = (int64_t)mktime(&tm);
	return 0;
}

struct learned {
	struct gw_predict *predict;
	struct gw_mix_seen *seen;
};

static int learn(const struct gw_site *site, int64_t since, struct learned *learned,
		 struct gw_error *error)
{
	const char *cluster = gw_slurm_value(&site->slurm, "ClusterName", "cluster");
	struct gw_conf *conf = gw_places_conf(&site->places, error);
	int failed;

	setenv("SLURM_CONF", site->places.slurm_conf, 1);
	slurm_init(site->places.slurm_conf);
	failed = !conf || !(learned->predict = gw_predict_create(since, error)) ||
		 !(learned->seen = gw_mix_seen_create(error)) ||
		 gw_runtimes_load(conf, cluster, since, site->now, learned->predict, learned->seen,
				  error);
	gw_conf_free(conf);
	return failed ? -1 : 0;
}

/* Whoever makes the file, slurmctld's user must read it. */
static int give_to_owner(const char *directory, const char *path, struct gw_error *error)
{
	struct stat st;

	if (stat(directory, &st) || (st.st_uid != geteuid() && chown(path, st.st_uid, st.st_gid)))
		return gw_error_set(error, "%s: %s", path, strerror(errno));
	return 0;
}

/* text: freed here; NULL: memory was out. */
static int keep_text(const struct request *request, const struct gw_site *site, const char *path,
		     char *text, struct gw_error *error)
{
	int failed = !text || gw_file_keep(path, 0600, text, strlen(text), error);

	if (!failed && !request->file)
		failed = give_to_owner(site->places.own, path, error);
	free(text);
	return failed ? -1 : 0;
}

/* Run times in path; the mix beside them, in FILE.jobmix where the file was named. */
static int keep(const struct request *request, const struct gw_site *site,
		const struct learned *learned, char *path, struct gw_error *error)
{
	char mix[PATH_MAX];
	int length, mix_length;

	if (request->file) {
		length = snprintf(path, PATH_MAX, "%s", request->file);
		mix_length = snprintf(mix, sizeof(mix), "%s.jobmix", request->file);
	} else {
		length = snprintf(path, PATH_MAX, "%s/runtimes.seed", site->places.own);
		mix_length = snprintf(mix, sizeof(mix), "%s/jobmix.seed", site->places.own);
	}
	if (length >= PATH_MAX || mix_length >= PATH_MAX)
		return gw_error_set(error, "the path is too long");
	if (keep_text(request, site, path, gw_predict_text(learned->predict, error), error))
		return -1;
	return keep_text(request, site, mix, gw_mix_seen_text(learned->seen, error), error);
}

static int run(const struct gw_command *command, const struct request *request)
{
	struct gw_error error = {0};
	struct learned learned = {0};
	struct gw_site site;
	char path[PATH_MAX], date[GW_DATE_SIZE];
	int64_t since;
	int code;

	if (find_since(request, (int64_t)time(NULL), &since, &error)) {
		gw_complain(command, "%s", error.text);
		return GW_EXIT_USAGE;
	}
	code = gw_site_find(command, &request->paths, &site);
	if (!code) {
		if (learn(&site, since, &learned, &error) ||
		    keep(request, &site, &learned, path, &error))
			code = gw_complain(command, "%s", error.text);
		else
			printf("run times of %zu jobs since %s are in %s, %zu kinds of jobs "
			       "beside\n"
			       "slurmctld takes them when it starts and has learned none itself\n",
			       gw_predict_runs(learned.predict), gw_date_text(date, since), path,
			       gw_mix_seen_kinds(learned.seen));
	}
	gw_predict_free(learned.predict);
	gw_mix_seen_free(learned.seen);
	gw_site_close(&site);
	return code;
}

int gw_cmd_learn(const struct gw_command *command, int argc, char **argv)
{
	struct request request = {0};
	const struct gw_option options[] = {
		{.name = "since",
		 .value_name = "START",
		 .value = &request.since,
		 .help = "from YYYY-MM-DD[THH:MM:SS] on (default: the last 90 days)"},
		{.name = "file",
		 .value_name = "FILE",
		 .value = &request.file,
		 .help = "write here (default: runtimes.seed in Gangway's state directory)"},
		{.name = "conf",
		 .value_name = "FILE",
		 .value = &request.paths.conf,
		 .help = "gangway.conf (default: beside slurm.conf)"},
		{.name = "slurm-conf",
		 .value_name = "FILE",
		 .value = &request.paths.slurm_conf,
		 .help = "slurm.conf (default: SLURM_CONF, else " GW_SLURM_CONF_DEFAULT ")"},
		{0},
	};
	int code;

	if (gw_options_read(command, options, &request.output, argc, argv, &code))
		code = run(command, &request);
	return code;
}
