// SPDX-License-Identifier: GPL-2.0-or-later
/* gangway off: back to stock at once, and the way out of slurm.conf. */
#include "commands.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "off.h"
#include "site.h"

/* The engine looks for the marker each second. */
#define WAIT_STEPS   150
#define WAIT_STEP_NS 100000000L

/* A directory made by root must still be SlurmUser's, whom StateSaveLocation belongs to. */
static int make_own_directory(const struct gw_places *places)
{
	struct stat st;

	if (!mkdir(places->own, 0700)) {
		if (!stat(places->state, &st) && chown(places->own, st.st_uid, st.st_gid) &&
		    errno != EPERM)
			return -1;
		return 0;
	}
	return errno == EEXIST ? 0 : -1;
}

static int make_marker(const struct gw_command *command, const struct gw_places *places)
{
	int fd = -1;

	if (!make_own_directory(places))
		fd = open(places->off, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		return gw_complain(command, "%s: %s", places->off, strerror(errno));
	close(fd);
	return GW_EXIT_OK;
}

static int remove_marker(const struct gw_command *command, const struct gw_places *places)
{
	if (!unlink(places->off))
		return GW_EXIT_OK;
	if (errno == ENOENT) {
		printf("Gangway was not off\n");
		return GW_EXIT_OK;
	}
	return gw_complain(command, "%s: %s", places->off, strerror(errno));
}

/* Until the status says so; *alive tells whether anybody is there to say it. */
static bool wait_for(const struct gw_places *places, bool off, bool *alive)
{
	struct timespec step = {.tv_nsec = WAIT_STEP_NS};

	for (int i = 0; i < WAIT_STEPS; i++) {
		struct gw_status status;
		bool reached;

		*alive = false;
		if (gw_status_read(places->status, (int64_t)time(NULL), &status, NULL))
			return false;
		*alive = status.alive;
		reached = status.alive && status.off == off;
		gw_status_free(&status);
		if (reached || !*alive)
			return reached;
		nanosleep(&step, NULL);
	}
	return false;
}

static int confirm(const struct gw_command *command, const struct gw_places *places, bool off)
{
	bool alive = false;

	if (wait_for(places, off, &alive)) {
		printf(off ? "off: every hook is stock\n" : "on again\n");
		return GW_EXIT_OK;
	}
	if (!alive) {
		printf("no slurmctld with Gangway runs on this host: %s when it starts\n",
		       off ? "Gangway will be off" : "Gangway will be on");
		return GW_EXIT_OK;
	}
	return gw_complain(command, "slurmctld did not confirm within %d s (see gangway status)",
			   (int)(WAIT_STEPS * (WAIT_STEP_NS / 1000000) / 1000));
}

static int switch_to(const struct gw_command *command, const struct gw_places *places, bool off,
		     bool dry_run)
{
	int code;

	if (dry_run) {
		printf("would %s %s\n", off ? "create" : "remove", places->off);
		return GW_EXIT_OK;
	}
	code = off ? make_marker(command, places) : remove_marker(command, places);
	return code ? code : confirm(command, places, off);
}

/* Goes on after a failure: the rest of the way out is still worth having. */
static int turn_off(const struct gw_command *command, const struct gw_slurm_conf *slurm,
		    const struct gw_places *places, bool dry_run)
{
	int switched = switch_to(command, places, true, dry_run);
	int restored = gw_site_factors_restore(command, places, slurm, dry_run);
	int printed = gw_off_print_lines(command, slurm, places);

	return switched || restored || printed ? GW_EXIT_ERROR : GW_EXIT_OK;
}

int gw_cmd_off(const struct gw_command *command, int argc, char **argv)
{
	struct gw_site_paths paths = {0};
	bool undo = false, dry_run = false;
	const struct gw_option options[] = {
		{.name = "undo", .flag = &undo, .help = "turn Gangway on again"},
		{.name = "dry-run", .flag = &dry_run, .help = "say what would be done, do nothing"},
		GW_CONF_OPTIONS(paths),
		{0},
	};
	struct gw_site site;
	int code;

	if (!gw_options_read(command, options, NULL, argc, argv, &code))
		return code;
	code = gw_site_find(command, &paths, &site);
	if (!code)
		code = undo ? switch_to(command, &site.places, false, dry_run)
			    : turn_off(command, &site.slurm, &site.places, dry_run);
	gw_site_close(&site);
	return code;
}
