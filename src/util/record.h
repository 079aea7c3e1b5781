// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Text in Slurm's style, one record a line: Key=Value pairs split by blanks, #
 * begins a comment, a line that ends in \ goes on in the next, values with
 * blanks stand in double quotes, where \" and \\ mean the character itself.
 * "Include file" is the one pair that may be written without =.
 * gangway.conf, slurm.conf and Gangway's own status files are all read by this.
 */
#ifndef GW_UTIL_RECORD_H
#define GW_UTIL_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "str.h"

struct gw_pair {
	char *key;
	char *value; /* without the quotes; may be empty */
	int line;    /* where the key stands, from 1 */
};

struct gw_record {
	struct gw_pair *pair;
	size_t count; /* at least 1 after gw_record_next() gave 1 */
};

/* Where reading has come to. The text is the caller's and must outlive it. */
struct gw_record_reader {
	const char *next;
	int line;
	int error_line; /* of the last failure */
};

void gw_record_reader_init(struct gw_record_reader *reader, const char *text);

/*
 * Reads the next record that is not empty. Returns 1 with a record that
 * gw_record_free() frees, 0 at the end, -1 with error (no line in the text: it is
 * in error_line) and an empty record; a caller may go on with the next line.
 */
int gw_record_next(struct gw_record_reader *reader, struct gw_record *record,
		   struct gw_error *error);

void gw_record_free(struct gw_record *record);

/* Takes one record into what the caller builds. Returns 0, or -1 with error. */
typedef int gw_record_taker(void *into, const struct gw_record *record, struct gw_error *error);

/*
 * Hands every record of text to take, up to the first that is not taken. Returns 0, or -1 with
 * error; of one that was not taken it names the line.
 */
int gw_record_each(const char *text, gw_record_taker *take, void *into, struct gw_error *error);

/* The value of the last pair with this key, without regard to case, or NULL. */
const char *gw_record_value(const struct gw_record *record, const char *key);

/* The same, or "". */
const char *gw_record_text(const struct gw_record *record, const char *key);

/* Reads the whole number of key, at most most. Returns 0, or -1 with error. */
int gw_record_count(const struct gw_record *record, const char *key, uint64_t most,
		    uint64_t *number, struct gw_error *error);

/* Appends Key=Value so that gw_record_next() reads it back; a blank first unless at line start. */
void gw_record_append(struct gw_str *str, const char *key, const char *value);

#endif
