// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Compiled, never run: tests/guards/abi-gate reads these constants out of the assembly and
 * holds them against the offsets that the installed priority_basic.so uses.
 */
#include "plugins/common/compat/compat.h"

#include <stddef.h>

#define GW_ABI(name, value) __asm__("/* gw-abi " name " %c0 */" : : "i"(value))

void gw_abi_probe(void);

void gw_abi_probe(void)
{
	GW_ABI("job direct_set_prio", offsetof(job_record_t, direct_set_prio));
	GW_ABI("job priority", offsetof(job_record_t, priority));
	GW_ABI("job details", offsetof(job_record_t, details));
	GW_ABI("details nice", offsetof(gw_job_details_t, nice));
}
