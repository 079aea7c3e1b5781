// SPDX-License-Identifier: GPL-2.0-or-later
/* hwloc trusts its files: some make it crash. A daemon lets a child read them. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "topo.h"

#define SECONDS_MAX 10

/* What the child says; smaller than a pipe holds, so that its one write never waits. */
struct answer {
	int rc;
	struct gw_shape_info shape;
	struct gw_topo_cores cores;
	struct gw_error error;
};

/* The signals of the process it came from are not for the child. */
static void be_nobody(void)
{
	struct rlimit none = {0, 0};
	sigset_t all;

	setrlimit(RLIMIT_CORE, &none);
	signal(SIGALRM, SIG_DFL);
	signal(SIGSEGV, SIG_DFL);
	signal(SIGABRT, SIG_DFL);
	sigemptyset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	alarm(SECONDS_MAX);
}

static void answer_and_exit(const char *path, int to)
{
	struct answer answer = {0};
	ssize_t written;

	be_nobody();
	answer.rc = gw_topo_shape_from_xml(path, &answer.shape, &answer.cores, &answer.error);
	written = write(to, &answer, sizeof(answer));
	_exit(written == (ssize_t)sizeof(answer) ? 0 : 1);
}

static bool read_answer(int from, struct answer *answer)
{
	size_t have = 0;

	while (have < sizeof(*answer)) {
		ssize_t length = read(from, (char *)answer + have, sizeof(*answer) - have);

		if (length < 0 && errno == EINTR)
			continue;
		if (length <= 0)
			return false;
		have += length;
	}
	return true;
}

static bool ask_child(const char *path, struct answer *answer)
{
	int ends[2];
	bool answered;
	pid_t child;

	if (pipe(ends) < 0)
		return false;
	child = fork();
	if (!child)
		answer_and_exit(path, ends[1]);
	close(ends[1]);
	answered = child > 0 && read_answer(ends[0], answer);
	close(ends[0]);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	return answered;
}

int gw_topo_shape_from_xml_apart(const char *path, struct gw_shape_info *shape,
				 struct gw_topo_cores *cores, struct gw_error *error)
{
	struct answer answer;

	if (!ask_child(path, &answer))
		return gw_error_set(error, "%s: hwloc does not survive reading it", path);
	if (answer.rc < 0)
		return gw_error_set(error, "%s", answer.error.text);
	*shape = answer.shape;
	if (cores)
		*cores = answer.cores;
	return 0;
}
