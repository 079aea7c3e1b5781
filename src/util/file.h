// SPDX-License-Identifier: GPL-2.0-or-later
/* Whole text files: read with a bound, replaced so that a reader sees the old or the new one. */
#ifndef GW_UTIL_FILE_H
#define GW_UTIL_FILE_H

#include <stddef.h>
#include <sys/types.h>

#include "error.h"

/* The largest text file anything of ours reads. */
#define GW_FILE_LIMIT ((size_t)16 << 20)

/*
 * Reads the regular file at path. Returns 0 with its text, NUL-terminated, in *text (freed
 * by the caller), or -1 with error: not readable, not a regular file, larger than
 * GW_FILE_LIMIT, or with a NUL byte in it. errno is that of the call that failed, or 0.
 */
int gw_file_read(const char *path, char **text, struct gw_error *error);

/*
 * Replaces path by text: written beside it as path.new, with mode, synced, renamed. What is there
 * under that name, a link for one, is taken away and not written to. Returns 0, or -1 with error;
 * the old file then stays as it was.
 */
int gw_file_replace(const char *path, mode_t mode, const char *text, size_t length,
		    struct gw_error *error);

/* The same for what must outlast a power failure: the directory is synced too. */
int gw_file_keep(const char *path, mode_t mode, const char *text, size_t length,
		 struct gw_error *error);

/* gw_file_read() in the form gw_conf_source wants; arg is not used. */
int gw_file_source(void *arg, const char *path, char **text, struct gw_error *error);

#endif
