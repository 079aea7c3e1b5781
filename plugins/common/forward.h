// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Typed forwards made from one table a plugin interface and Slurm version.
 *
 * The plugin defines GW_TABLE (the table's file name) and GW_TABLE_PLUGIN (its enum
 * gw_plugin) and includes this once. It gets stock_NAME() for every row, and for every
 * GW_FORWARD row the exported NAME() that calls it. GW_HOOKED rows it writes itself.
 */
#include "plugins/common/stock.h"

#define GW_ROW_INDEX(name) GW_FUNCTION_##name

#define GW_FORWARD(ret, name, params, args) GW_ROW_INDEX(name),
#define GW_HOOKED(ret, name, params, args)  GW_ROW_INDEX(name),
enum {
#include GW_TABLE
	GW_FUNCTION_COUNT
};
#undef GW_FORWARD
#undef GW_HOOKED

_Static_assert(GW_FUNCTION_COUNT <= GW_STOCK_FUNCTIONS, "GW_STOCK_FUNCTIONS is too small");

#define GW_FORWARD(ret, name, params, args) #name,
#define GW_HOOKED(ret, name, params, args)  #name,
static const char *const gw_stock_names[GW_FUNCTION_COUNT] = {
#include GW_TABLE
};
#undef GW_FORWARD
#undef GW_HOOKED

#define GW_STOCK_CALL(ret, name, params, args)                                                     \
	static inline ret stock_##name params                                                      \
	{                                                                                          \
		ret(*function) params =                                                            \
			(ret(*) params)gw_stock_function(GW_TABLE_PLUGIN, GW_ROW_INDEX(name));     \
		return function args;                                                              \
	}
#define GW_DECLARE(ret, name, params) GW_EXPORT extern ret name params;

#define GW_FORWARD(ret, name, params, args)                                                        \
	GW_STOCK_CALL(ret, name, params, args)                                                     \
	GW_DECLARE(ret, name, params)                                                              \
	ret name params                                                                            \
	{                                                                                          \
		return stock_##name args;                                                          \
	}
#define GW_HOOKED(ret, name, params, args)                                                         \
	GW_STOCK_CALL(ret, name, params, args)                                                     \
	GW_DECLARE(ret, name, params)
#include GW_TABLE
#undef GW_FORWARD
#undef GW_HOOKED
