// SPDX-License-Identifier: GPL-2.0-or-later
#include "alloc.h"

#include <stddef.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

static unsigned int calls, fail_at;
static bool failed;

static bool fails(void)
{
	if (!fail_at || ++calls < fail_at)
		return false;
	failed = true;
	return true;
}

void alloc_fail_at(unsigned int n)
{
	calls = 0;
	fail_at = n;
	failed = false;
}

bool alloc_failed(void)
{
	fail_at = 0;
	return failed;
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return fails() ? NULL : __real_realloc(old, size);
}
