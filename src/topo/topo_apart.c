// SPDX-License-Identifier: GPL-2.0-or-later
/* hwloc trusts its files: some make it crash. A daemon lets a child read them. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "topo_impl.h"

#define SECONDS_MAX      10
#define SECONDS_MAX_LIVE 30 /* drivers may have to wake up */
#define SECONDS_MORE     5  /* until a child that did not even set its alarm is ended */

/* What the child is to do, and where its answer, which has no pointers, is. */
struct question {
	const char *path;
	void (*ask)(const struct question *question);
	void *answer;
	size_t size;
	unsigned int seconds;
};

struct shape_answer {
	int rc;
	struct gw_shape_info shape;
	struct gw_topo_cores cores;
	struct gw_error error;
};

struct node_answer {
	int rc;
	struct gw_topo_node node;
	struct gw_error error;
};

static void ask_shape(const struct question *question)
{
	struct shape_answer *answer = question->answer;

	answer->rc = gw_topo_shape_from_xml(question->path, &answer->shape, &answer->cores,
					    &answer->error);
}

static void ask_node(const struct question *question)
{
	struct node_answer *answer = question->answer;

	answer->rc = gw_topo_describe_node(question->path, &answer->node, &answer->error);
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

static void answer_and_exit(const struct question *question, int to)
{
	size_t done = 0;

	be_nobody(question->seconds);
	question->ask(question);
	while (done < question->size) {
		ssize_t written = write(to, (char *)question->answer + done, question->size - done);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			_exit(1);
		done += written;
	}
	_exit(0);
}

static bool read_answer(int from, const struct question *question)
{
	struct pollfd ready = {.fd = from, .events = POLLIN};
	int wait = (int)(question->seconds + SECONDS_MORE) * 1000;
	size_t have = 0;

	while (have < question->size) {
		char *room = (char *)question->answer + have;
		ssize_t length = poll(&ready, 1, wait);

		if (length > 0)
			length = read(from, room, question->size - have);
		if (length < 0 && errno == EINTR)
			continue;
		if (length <= 0)
			return false;
		have += length;
	}
	return true;
}

static bool ask_child(const struct question *question)
{
	int ends[2];
	bool answered;
	pid_t child;

	/* Of no use to programs that other threads start meanwhile. */
	if (pipe2(ends, O_CLOEXEC) < 0)
		return false;
	child = fork();
	if (!child)
		answer_and_exit(question, ends[1]);
	close(ends[1]);
	answered = child > 0 && read_answer(ends[0], question);
	if (child > 0 && !answered)
		kill(child, SIGKILL);
	close(ends[0]);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	return answered;
}

int gw_topo_shape_from_xml_apart(const char *path, struct gw_shape_info *shape,
				 struct gw_topo_cores *cores, struct gw_error *error)
{
	struct shape_answer answer = {0};
	struct question question = {path, ask_shape, &answer, sizeof(answer), SECONDS_MAX};

	if (!ask_child(&question))
		return gw_error_set(error, "%s: hwloc does not survive reading it", path);
	if (answer.rc < 0)
		return gw_error_set(error, "%s", answer.error.text);
	*shape = answer.shape;
	if (cores)
		*cores = answer.cores;
	return 0;
}

int gw_topo_node_read(const char *path, struct gw_topo_node *node, struct gw_error *error)
{
	struct node_answer *answer = calloc(1, sizeof(*answer));
	struct question question = {path, ask_node, answer, sizeof(*answer),
				    path ? SECONDS_MAX : SECONDS_MAX_LIVE};
	int rc = -1;

	if (!answer)
		return gw_error_memory(error);
	if (!ask_child(&question))
		gw_error_set(error, "%s: hwloc does not survive reading it",
			     path ? path : "this machine");
	else if (answer->rc < 0)
		gw_error_set(error, "%s", answer->error.text);
	else
		rc = 0;
	if (!rc)
		*node = answer->node;
	free(answer);
	return rc;
}
