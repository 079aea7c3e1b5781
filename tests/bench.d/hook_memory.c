// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts what the C library is asked for, by us and by Slurm's library: all of it goes by here. */
#include "tests/bench.d/hook.h"

#include <stdlib.h>

/* Where glibc has its own when a program brings others. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

static uint64_t *counter(void)
{
	static uint64_t allocations;

	return &allocations;
}

uint64_t hook_allocations(void)
{
	return *counter();
}

GW_EXPORT void *malloc(size_t size)
{
	++*counter();
	return __libc_malloc(size);
}

GW_EXPORT void *calloc(size_t count, size_t size)
{
	++*counter();
	return __libc_calloc(count, size);
}

GW_EXPORT void *realloc(void *memory, size_t size)
{
	++*counter();
	return __libc_realloc(memory, size);
}
