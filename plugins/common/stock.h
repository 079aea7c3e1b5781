// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The stock plugin behind one of ours: found, opened, its functions in a table.
 *
 * The stock file of a name is looked for in the directories of PluginDir other than our
 * own, opened RTLD_LAZY|RTLD_LOCAL, and must be of the very Slurm version we are built for.
 */
#ifndef GW_STOCK_H
#define GW_STOCK_H

#include <stddef.h>

#include "plugins/common/engine.h"
#include "plugins/common/export.h"

/* The most functions any plugin interface has. */
#define GW_STOCK_FUNCTIONS 48

/*
 * Opens file ("select_cons_tres.so") for plugin, looks up count names (in order) for
 * gw_stock_function(), and calls its init(). self is any address in the calling plugin.
 * Returns 0, or -1 after one error line. A second call keeps what is open and only calls
 * the stock init() again, as Slurm would.
 */
GW_EXPORT int gw_stock_open(enum gw_plugin plugin, const void *self, const char *file,
			    const char *const *names, size_t count);

/* Function number index of the names given to gw_stock_open(). */
GW_EXPORT void *gw_stock_function(enum gw_plugin plugin, size_t index);

/* Any other symbol of the stock plugin, or NULL. */
GW_EXPORT void *gw_stock_symbol(enum gw_plugin plugin, const char *name);

/* Calls the stock fini() and closes it. Returns what fini() said. */
GW_EXPORT int gw_stock_close(enum gw_plugin plugin);

#endif
