// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory that runs out when a test says so. The linker sends the malloc, calloc and realloc
 * of the code under test here (--wrap), so the code itself knows nothing of it.
 */
#ifndef GW_TESTS_ALLOC_H
#define GW_TESTS_ALLOC_H

#include <stdbool.h>

/* The call number n from now (1: the next) and all after it fail; 0: none do. */
void alloc_fail_at(unsigned int n);

/*
 * To be called before the next ck_assert: Check needs memory too. Whether a call failed since
 * alloc_fail_at(); lets memory be had again.
 */
bool alloc_failed(void);

#endif
