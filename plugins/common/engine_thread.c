// SPDX-License-Identifier: GPL-2.0-or-later
/* The engine's thread: all file work, so that no hook ever waits for a disk. */
#include "plugins/common/compat/compat.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugins/common/conf_store.h"
#include "plugins/common/engine_state.h"
#include "plugins/common/shape_source.h"
#include "src/util/file.h"

/* How often the off marker is looked for, and how old the status file may grow. */
#define GW_POLL_MS        1000
#define GW_STATUS_SECONDS 5

static int state_path(const struct gw_engine *engine, const char *name, char *path)
{
	int length = snprintf(path, PATH_MAX, "%s/%s", engine->state_directory, name);

	return length < PATH_MAX ? 0 : -1;
}

static void log_warnings(const struct gw_conf *conf)
{
	for (size_t i = 0; i < conf->warning_count; i++)
		info("gangway: %s:%d: warning: %s", conf->warnings[i].where.file,
		     conf->warnings[i].where.line, conf->warnings[i].text);
}

static void set_publish_directory(struct gw_engine *engine)
{
	struct gw_policy *policy = gw_engine_policy();
	const char *directory = engine->state_directory;

	if (policy && gw_policy_conf(policy)->publish_dir)
		directory = gw_policy_conf(policy)->publish_dir;
	if (snprintf(engine->publish_directory, PATH_MAX, "%s", directory) >= PATH_MAX)
		engine->publish_directory[0] = '\0';
	gw_policy_put(policy);
}

/* The file is bad: stay with what is in force, or take the last good one from disk. */
static void keep_old_conf(struct gw_engine *engine, const char *kept, const struct gw_error *why)
{
	struct gw_error no_copy = {{0}};
	struct gw_conf *conf = NULL;
	uint64_t sum = 0;

	error("gangway: %s", why->text);
	if (!engine->policy &&
	    gw_conf_store_load_kept(engine->conf_path, kept, &conf, &sum, &no_copy)) {
		error("gangway: no earlier good configuration (%s): all hooks stay stock",
		      no_copy.text);
		gw_engine_take_conf(engine, NULL, 0, GW_CONFIG_NONE, why);
		return;
	}
	error("gangway: the last good configuration stays in force");
	gw_engine_take_conf(engine, conf, sum, GW_CONFIG_KEPT, why);
}

static void load_conf(struct gw_engine *engine)
{
	struct gw_error why = {{0}}, note = {{0}};
	struct gw_conf *conf = NULL;
	uint64_t sum = 0;
	char kept[PATH_MAX];

	if (state_path(engine, "gangway.conf.kept", kept))
		return;
	if (gw_conf_store_load(engine->conf_path, kept, &conf, &sum, &note, &why)) {
		keep_old_conf(engine, kept, &why);
	} else {
		log_warnings(conf);
		gw_engine_take_conf(engine, conf, sum, GW_CONFIG_OK, &why);
		verbose("gangway: %s is in force", engine->conf_path);
	}
	if (gw_error_is_set(&note))
		error("gangway: the copy of the configuration: %s", note.text);
	set_publish_directory(engine);
	engine->shapes_due = true;
}

/* Before the thread runs: which shapes there will be. What is in them takes it longer. */
static void begin_shapes(void)
{
	struct gw_policy *policy = gw_engine_policy();

	if (policy)
		gw_shape_source_begin(gw_policy_conf(policy));
	gw_policy_put(policy);
}

static void look_at_shapes(struct gw_engine *engine)
{
	struct gw_policy *policy = engine->shapes_due ? gw_engine_policy() : NULL;

	if (policy) {
		gw_shape_source_read(gw_policy_conf(policy), engine->state_directory,
				     &engine->stop);
		engine->written_at = 0;
	}
	gw_policy_put(policy);
	engine->shapes_due = false;
	gw_shape_source_work();
}

/* gangway off makes the marker file; its --undo takes it away. */
static void look_for_off(struct gw_engine *engine)
{
	char path[PATH_MAX];
	struct stat st;
	bool off, changed;

	if (state_path(engine, "off", path))
		return;
	off = !stat(path, &st);
	pthread_mutex_lock(&engine->lock);
	changed = off != engine->off;
	engine->off = off;
	gw_engine_publish(engine);
	pthread_mutex_unlock(&engine->lock);
	if (!changed)
		return;
	info("gangway: %s",
	     off ? "switched off by gangway off: all hooks are stock" : "switched on");
	engine->written_at = 0;
}

static void write_status(struct gw_engine *engine)
{
	struct gw_str text = {0};
	struct gw_error failure = {{0}};
	char path[PATH_MAX];
	time_t now = time(NULL);

	if (now >= engine->written_at && now - engine->written_at < GW_STATUS_SECONDS)
		return;
	engine->written_at = now;
	if (snprintf(path, sizeof(path), "%s/status", engine->publish_directory) >= PATH_MAX)
		return;
	gw_status_text(engine, now, &text);
	if (text.failed)
		gw_error_memory(&failure);
	else
		gw_file_replace(path, 0640, text.data, text.length, &failure);
	if (gw_error_is_set(&failure))
		debug("gangway: status: %s", failure.text);
	gw_str_free(&text);
}

/* Takes the text out of a slot, which stays that of its name; NULL: there is none. */
static char *take_text(struct gw_engine *engine, int slot, struct gw_letter *letter)
{
	pthread_mutex_lock(&engine->lock);
	*letter = engine->letter[slot];
	engine->letter[slot].text = NULL;
	pthread_mutex_unlock(&engine->lock);
	return letter->text;
}

/* After an attempt to write it: what failed waits for the next, unless there is a newer text. */
static void give_back(struct gw_engine *engine, int slot, struct gw_letter *letter, bool failed)
{
	struct gw_letter *now = &engine->letter[slot];

	pthread_mutex_lock(&engine->lock);
	now->failed = failed;
	if (failed && !now->text) {
		now->text = letter->text;
		letter->text = NULL;
	} else if (!now->text) {
		*now = (struct gw_letter){0};
	}
	pthread_mutex_unlock(&engine->lock);
	free(letter->text);
}

/* Says once of a file that it can not be written. */
static bool write_letter(const struct gw_engine *engine, const struct gw_letter *letter)
{
	const char *directory =
		letter->published ? engine->publish_directory : engine->state_directory;
	size_t length = strlen(letter->text);
	struct gw_error failure = {{0}};
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/%s", directory, letter->name) >= PATH_MAX)
		return true;
	if (letter->published)
		gw_file_replace(path, letter->mode, letter->text, length, &failure);
	else
		gw_file_keep(path, letter->mode, letter->text, length, &failure);
	if (!gw_error_is_set(&failure))
		return true;
	if (letter->failed)
		debug("gangway: %s", failure.text);
	else
		error("gangway: %s", failure.text);
	return false;
}

static void write_letters(struct gw_engine *engine)
{
	struct gw_letter letter;

	for (int slot = 0; slot < GW_LETTERS; slot++)
		if (take_text(engine, slot, &letter))
			give_back(engine, slot, &letter, !write_letter(engine, &letter));
}

void gw_engine_first_load(struct gw_engine *engine)
{
	if (mkdir(engine->state_directory, 0700) && errno != EEXIST)
		error("gangway: %s: %s", engine->state_directory, strerror(errno));
	load_conf(engine);
	begin_shapes();
	look_for_off(engine);
	write_status(engine);
}

static void *run(void *arg)
{
	struct gw_engine *engine = arg;
	struct pollfd wake = {.fd = engine->wake_fd, .events = POLLIN};
	uint64_t ignored;

	while (!atomic_load(&engine->stop)) {
		look_at_shapes(engine);
		if (poll(&wake, 1, GW_POLL_MS) > 0 &&
		    read(engine->wake_fd, &ignored, sizeof(ignored)) < 0)
			debug("gangway: %s", strerror(errno));
		if (atomic_exchange(&engine->reload, false)) {
			load_conf(engine);
			engine->written_at = 0;
		}
		look_for_off(engine);
		write_letters(engine);
		write_status(engine);
	}
	write_letters(engine);
	return NULL;
}

int gw_engine_thread_start(struct gw_engine *engine)
{
	sigset_t all, before;
	int rc;

	engine->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (engine->wake_fd < 0)
		return -1;
	atomic_store(&engine->stop, false);
	/* slurmctld handles its signals in threads of its own. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	rc = pthread_create(&engine->thread, NULL, run, engine);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (rc) {
		close(engine->wake_fd);
		engine->wake_fd = -1;
	}
	return rc ? -1 : 0;
}

void gw_engine_thread_stop(struct gw_engine *engine)
{
	uint64_t one = 1;

	if (engine->wake_fd < 0)
		return;
	atomic_store(&engine->stop, true);
	if (write(engine->wake_fd, &one, sizeof(one)) < 0)
		debug("gangway: %s", strerror(errno));
	pthread_join(engine->thread, NULL);
	close(engine->wake_fd);
	engine->wake_fd = -1;
}
