// SPDX-License-Identifier: GPL-2.0-or-later
#include "site.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../util/file.h"
#include "../util/parse.h"

static bool is_slurm_user(const struct gw_slurm_conf *slurm)
{
	const char *name = gw_slurm_value(slurm, "SlurmUser", "root");
	const struct passwd *user = getpwnam(name);
	uint64_t id;

	if (user)
		return user->pw_uid == geteuid();
	return !gw_parse_count(name, &id, NULL) && id == geteuid();
}

/* Who keeps a view of his own may see all that is in it. */
static bool is_owner(const char *path)
{
	struct stat st;

	return path && !stat(path, &st) && st.st_uid == geteuid();
}

int gw_site_find(const struct gw_command *command, const struct gw_site_paths *paths,
		 struct gw_site *site)
{
	const char *slurm_conf = gw_slurm_conf_path(paths->slurm_conf), *private_data;
	struct gw_error error = {0};
	bool found;

	*site = (struct gw_site){.now = (int64_t)time(NULL), .live = !paths->view};
	found = !gw_slurm_conf_read(slurm_conf, &site->slurm, NULL, &error) &&
		!gw_places_find(slurm_conf, &site->slurm, paths->conf, &site->places, &error);
	if (!found && (!paths->view || paths->slurm_conf))
		return gw_complain(command, "%s", error.text);
	site->sees_jobs = geteuid() == 0 || is_slurm_user(&site->slurm) || is_owner(paths->view);
	private_data = gw_slurm_value(&site->slurm, "PrivateData", "");
	site->names_others = site->sees_jobs || !(gw_list_has(private_data, "jobs") ||
						  gw_list_has(private_data, "all"));
	return GW_EXIT_OK;
}

static int complain_unreadable(const struct gw_command *command, const struct gw_error *error,
			       int number)
{
	if (number == EACCES)
		return gw_complain(command,
				   "%s: you may not read it; PublishDir= of gangway.conf is where "
				   "an administrator lets you",
				   error->text);
	if (number == ENOENT)
		return gw_complain(command,
				   "%s: slurmctld with Gangway has published nothing here (see "
				   "gangway status)",
				   error->text);
	return gw_complain(command, "%s", error->text);
}

static int complain_stale(const struct gw_command *command, const struct gw_site *site)
{
	struct gw_str age = {0};
	int code;

	gw_str_append_time(&age, site->now - site->view.written);
	code = gw_complain(command,
			   "%s is %s old and says nothing of now: slurmctld with Gangway does not "
			   "run well (see gangway status); --view %s shows it all the same",
			   site->places.view, gw_str_text(&age), site->places.view);
	gw_str_free(&age);
	return code;
}

static int read_view(const struct gw_command *command, const char *path, struct gw_site *site)
{
	struct gw_error error = {0};
	char *text = NULL;
	int code = GW_EXIT_OK;

	if (gw_file_read(path, &text, &error))
		return complain_unreadable(command, &error, errno);
	if (gw_view_read(path, text, &site->view, &error))
		code = gw_complain(command, "%s", error.text);
	else if (site->live && site->now - site->view.written > GW_VIEW_STALE_SECONDS)
		code = complain_stale(command, site);
	free(text);
	return code;
}

int gw_site_open(const struct gw_command *command, const struct gw_site_paths *paths,
		 struct gw_site *site)
{
	int code = gw_site_find(command, paths, site);

	return code ? code
		    : read_view(command, paths->view ? paths->view : site->places.view, site);
}

void gw_site_close(struct gw_site *site)
{
	gw_view_free(&site->view);
	gw_places_free(&site->places);
	gw_slurm_conf_free(&site->slurm);
}

int gw_site_queues_known(const struct gw_command *command, const struct gw_site *site,
			 const struct gw_strings *names)
{
	for (size_t i = 0; i < names->count; i++)
		if (!gw_view_queue(&site->view, names->item[i]))
			return gw_complain(command, "%s: there is no such queue", names->item[i]);
	return GW_EXIT_OK;
}

char *gw_site_age(const struct gw_site *site)
{
	int64_t age = site->now - site->view.written;
	struct gw_str text = {0};

	if (*site->view.cluster)
		gw_str_appendf(&text, "cluster %s, ", site->view.cluster);
	if (age < 120)
		gw_str_appendf(&text, "%lld s ago", (long long)(age > 0 ? age : 0));
	else {
		gw_str_append_time(&text, age);
		gw_str_append(&text, " ago");
	}
	return gw_str_take(&text);
}

const char *gw_date_text(char text[GW_DATE_SIZE], int64_t when)
{
	time_t seconds = (time_t)when;
	struct tm tm;

	if (!when || !localtime_r(&seconds, &tm) ||
	    !strftime(text, GW_DATE_SIZE, "%Y-%m-%dT%H:%M:%S", &tm))
		strcpy(text, "-");
	return text;
}
