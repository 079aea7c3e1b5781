// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/compat/compat.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "plugins/common/stock.h"
#include "plugins/common/weak.h"

struct stock {
	void *handle;
	void *function[GW_STOCK_FUNCTIONS];
};

/* Written by a plugin's init() and fini() only, which Slurm never runs beside its calls. */
static struct stock *stock_of(enum gw_plugin plugin)
{
	static struct stock table[GW_PLUGIN_COUNT];

	return &table[plugin];
}

/* True if both paths name the same existing directory. */
static bool same_directory(const char *a, const char *b)
{
	struct stat sa, sb;

	return !stat(a, &sa) && !stat(b, &sb) && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

/* The directory of the object that holds address, in path[PATH_MAX]. */
static bool directory_of(const void *address, char *path)
{
	Dl_info info;
	char *slash;

	if (!dladdr(address, &info) || !info.dli_fname || !realpath(info.dli_fname, path))
		return false;
	slash = strrchr(path, '/');
	if (!slash)
		return false;
	*slash = '\0';
	return true;
}

/* Finds file in a PluginDir entry that is not ours; the path in path[PATH_MAX]. */
static bool find_stock_file(const char *own_directory, const char *file, char *path)
{
	char *entries = xstrdup(slurm_conf.plugindir), *rest = entries, *entry;
	struct stat st;
	bool found = false;

	while (!found && (entry = strsep(&rest, ":"))) {
		if (!entry[0] || same_directory(entry, own_directory))
			continue;
		if (snprintf(path, PATH_MAX, "%s/%s", entry, file) >= PATH_MAX)
			continue;
		found = !stat(path, &st) && S_ISREG(st.st_mode);
	}
	xfree(entries);
	return found;
}

static int look_up(struct stock *stock, const char *path, const char *const *names, size_t count)
{
	const uint32_t *version = dlsym(stock->handle, "plugin_version");

	if (!version || *version != SLURM_VERSION_NUMBER) {
		error("gangway: %s is not of Slurm %s", path, SLURM_VERSION_STRING);
		return -1;
	}
	for (size_t i = 0; i < count; i++) {
		stock->function[i] = dlsym(stock->handle, names[i]);
		if (!stock->function[i]) {
			error("gangway: %s has no %s", path, names[i]);
			return -1;
		}
	}
	return 0;
}

static int call_init(struct stock *stock)
{
	int (*init_function)(void) = (int (*)(void))dlsym(stock->handle, "init");

	return init_function ? init_function() : 0;
}

static void forget(struct stock *stock)
{
	if (stock->handle)
		dlclose(stock->handle);
	memset(stock, 0, sizeof(*stock));
}

int gw_stock_open(enum gw_plugin plugin, const void *self, const char *file,
		  const char *const *names, size_t count)
{
	struct stock *stock = stock_of(plugin);
	char own[PATH_MAX], path[PATH_MAX];

	if (stock->handle)
		return call_init(stock);
	if (!directory_of(self, own) || !find_stock_file(own, file, path)) {
		error("gangway: Slurm's own %s is in no directory of PluginDir=%s", file,
		      slurm_conf.plugindir);
		return -1;
	}
	stock->handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
	if (!stock->handle) {
		error("gangway: %s: %s", path, dlerror());
		return -1;
	}
	if (look_up(stock, path, names, count) || call_init(stock)) {
		forget(stock);
		return -1;
	}
	return 0;
}

void *gw_stock_function(enum gw_plugin plugin, size_t index)
{
	return stock_of(plugin)->function[index];
}

void *gw_stock_symbol(enum gw_plugin plugin, const char *name)
{
	struct stock *stock = stock_of(plugin);

	return stock->handle ? dlsym(stock->handle, name) : NULL;
}

int gw_stock_close(enum gw_plugin plugin)
{
	struct stock *stock = stock_of(plugin);
	int (*fini_function)(void);
	int rc = 0;

	if (!stock->handle)
		return 0;
	fini_function = (int (*)(void))dlsym(stock->handle, "fini");
	if (fini_function)
		rc = fini_function();
	forget(stock);
	return rc;
}
