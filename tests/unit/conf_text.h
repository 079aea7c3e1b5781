// SPDX-License-Identifier: GPL-2.0-or-later
/* Configurations out of memory instead of files. */
#ifndef GW_TESTS_CONF_TEXT_H
#define GW_TESTS_CONF_TEXT_H

#include "src/core/conf.h"

struct text_file {
	const char *path;
	const char *text;
};

#define TEXT_FILES_MAX 4

/* Loads files[0]; unused files have a NULL path. Results as gw_conf_load(). */
int conf_load_files(const struct text_file files[TEXT_FILES_MAX], struct gw_conf **conf,
		    struct gw_error *error);

/* The same for one text, called gangway.conf. */
int conf_load_text(const char *text, struct gw_conf **conf, struct gw_error *error);

/* The same for lines behind a good beginning of three lines: decay, a flavor and a pool. */
int conf_load_lines(const char *lines, struct gw_conf **conf, struct gw_error *error);

/* Every key of the file in use. */
extern const struct text_file conf_full[TEXT_FILES_MAX];

#endif
