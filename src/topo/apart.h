// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A question to a child process: what may crash or hang there leaves the asker unharmed.
 *
 * Owns: the child from its birth to its end. Does not own: what it is asked.
 */
#ifndef GW_TOPO_APART_H
#define GW_TOPO_APART_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct gw_apart {
	/* Runs in the child, which may call whatever a forked one may. */
	void (*ask)(const void *question, void *answer);
	const void *question;
	void *answer; /* size bytes without pointers in them */
	size_t size;
	unsigned int seconds;    /* that it may take */
	const atomic_bool *stop; /* or NULL; once it is true, nobody wants the answer any more */
};

/*
 * False: there is no answer, and what is in its place means nothing. With stop it returns within
 * a second of that. The child has ended, unless stop was set and a disk keeps it from ending. Not
 * while a lock is held that others wait for.
 */
bool gw_apart_ask(const struct gw_apart *apart);

#endif
