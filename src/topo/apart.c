// SPDX-License-Identifier: GPL-2.0-or-later
#include "apart.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECONDS_MORE 5   /* until a child that did not even set its alarm is ended */
#define LOOK_MS      100 /* how often stop is looked at */
#define REAP_MS      500 /* for a killed child to end, where nobody has time */

static bool is_stopped(const struct gw_apart *apart)
{
	return apart->stop && atomic_load(apart->stop);
}

/* The signals of the process it came from are not for the child. */
static void be_nobody(unsigned int seconds)
{
	struct rlimit none = {0, 0};
	sigset_t all;

	setrlimit(RLIMIT_CORE, &none);
	signal(SIGALRM, SIG_DFL);
	signal(SIGSEGV, SIG_DFL);
	signal(SIGABRT, SIG_DFL);
	sigemptyset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	alarm(seconds);
}

static void answer_and_exit(const struct gw_apart *apart, int to)
{
	size_t done = 0;

	be_nobody(apart->seconds);
	apart->ask(apart->question, apart->answer);
	while (done < apart->size) {
		ssize_t written = write(to, (char *)apart->answer + done, apart->size - done);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			_exit(1);
		done += written;
	}
	_exit(0);
}

/* False: not in time, or not wanted any more. */
static bool wait_for_answer(int from, const struct gw_apart *apart)
{
	struct pollfd ready = {.fd = from, .events = POLLIN};
	int left = (int)(apart->seconds + SECONDS_MORE) * 1000;
	int rc = 0;

	for (; !rc && left > 0 && !is_stopped(apart); left -= LOOK_MS) {
		rc = poll(&ready, 1, LOOK_MS);
		if (rc < 0 && errno == EINTR)
			rc = 0;
	}
	return rc > 0;
}

static bool read_answer(int from, const struct gw_apart *apart)
{
	size_t have = 0;

	while (have < apart->size) {
		ssize_t length;

		if (!wait_for_answer(from, apart))
			return false;
		length = read(from, (char *)apart->answer + have, apart->size - have);
		if (length < 0 && errno == EINTR)
			continue;
		if (length <= 0)
			return false;
		have += length;
	}
	return true;
}

/* It has answered or was killed: mostly it is over at once. */
static void reap(pid_t child, const struct gw_apart *apart)
{
	int waited = 0, pause = 1;
	pid_t ended;

	while (!(ended = waitpid(child, NULL, WNOHANG)) || (ended < 0 && errno == EINTR)) {
		if (waited >= REAP_MS && is_stopped(apart))
			return;
		poll(NULL, 0, pause);
		waited += pause;
		pause = pause < LOOK_MS ? pause * 2 : LOOK_MS;
	}
}

bool gw_apart_ask(const struct gw_apart *apart)
{
	int ends[2];
	bool answered;
	pid_t child;

	/* Of no use to programs that other threads start meanwhile. */
	if (pipe2(ends, O_CLOEXEC) < 0)
		return false;
	child = fork();
	if (!child)
		answer_and_exit(apart, ends[1]);
	close(ends[1]);
	answered = child > 0 && read_answer(ends[0], apart);
	if (child > 0 && !answered)
		kill(child, SIGKILL);
	close(ends[0]);
	if (child > 0)
		reap(child, apart);
	return answered;
}
