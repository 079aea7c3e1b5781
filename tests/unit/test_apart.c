// SPDX-License-Identifier: GPL-2.0-or-later
/* What becomes of a child that answers, crashes, hangs, or is not wanted any more. */
#include "src/topo/apart.h"

#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "unit.h"

/* Larger than a pipe holds. */
#define SIZE 200000

static char answer[SIZE];
static atomic_bool stop;

static void tell(const void *question, void *to)
{
	memset(to, *(const char *)question, SIZE);
}

static void crash(const void *question, void *to)
{
	(void)question;
	(void)to;
	abort();
}

/* No alarm ends it either. */
static void hang(const void *question, void *to)
{
	sigset_t all;

	(void)question;
	(void)to;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	for (;;)
		pause();
}

static void set_stop(int signal)
{
	(void)signal;
	atomic_store(&stop, true);
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static const struct {
	const char *what;
	void (*ask)(const void *question, void *to);
	unsigned int seconds;
	int stop_ms; /* from now on; -1: never */
	bool answered;
	double least, most; /* seconds; a busy machine takes some more */
} rows[] = {
	{"an answer", tell, 60, -1, true, 0, 30},
	{"a crash", crash, 60, -1, false, 0, 30},
	{"it hangs, and its time is over", hang, 0, -1, false, 4, 45},
	{"it hangs until nobody waits", hang, 60, 200, false, 0.1, 30},
	{"nobody ever waited", hang, 60, 0, false, 0, 30},
};

START_TEST(nothing_is_left_of_a_child)
{
	const struct gw_apart apart = {.ask = rows[_i].ask,
				       .question = "x",
				       .answer = answer,
				       .size = SIZE,
				       .seconds = rows[_i].seconds,
				       .stop = &stop};
	const struct itimerval later = {.it_value = {0, rows[_i].stop_ms * 1000}};
	double begun = seconds(), took;

	atomic_store(&stop, rows[_i].stop_ms == 0);
	signal(SIGALRM, set_stop);
	if (rows[_i].stop_ms > 0)
		setitimer(ITIMER_REAL, &later, NULL);
	ck_assert_msg(gw_apart_ask(&apart) == rows[_i].answered, "%s", rows[_i].what);
	took = seconds() - begun;
	ck_assert_msg(took >= rows[_i].least && took <= rows[_i].most, "%s: %f s", rows[_i].what,
		      took);
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	ck_assert_int_eq(errno, ECHILD);
	if (rows[_i].answered)
		ck_assert(answer[0] == 'x' && answer[SIZE - 1] == 'x');
}
END_TEST

UNIT_MAIN("apart", tcase_set_timeout(tests, 60), UNIT_ROWS(nothing_is_left_of_a_child, rows))
