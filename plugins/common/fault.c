// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/fault.h"

#include <string.h>

struct gw_fault gw_fault_parse(const char *text)
{
	static const char *const kinds[] = {
		[GW_FAULT_ERROR] = "error", [GW_FAULT_SLOW] = "slow", [GW_FAULT_TIER] = "tier"};
	struct gw_fault fault = {GW_FAULT_NONE, GW_HOOK_PLACEMENT};
	const char *colon = text ? strchr(text, ':') : NULL;

	if (!colon)
		return fault;
	for (int hook = 0; hook < GW_HOOK_COUNT; hook++) {
		const char *name = gw_hook_name(hook);

		if (strlen(name) != (size_t)(colon - text) || strncmp(name, text, colon - text))
			continue;
		fault.hook = hook;
		for (int kind = GW_FAULT_ERROR; kind <= GW_FAULT_TIER; kind++)
			if (!strcmp(kinds[kind], colon + 1))
				fault.kind = kind;
	}
	return fault;
}
