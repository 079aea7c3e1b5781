// SPDX-License-Identifier: GPL-2.0-or-later
/* Shared by conf*.c only: the tables of keys and the steps of a load. */
#ifndef GW_CORE_CONF_IMPL_H
#define GW_CORE_CONF_IMPL_H

#include "conf.h"

/* Bounds on what a file may ask for, so that no check on it takes noticeable time. */
#define GW_CONF_RECORDS_MAX       4096 /* of one kind */
#define GW_CONF_INCLUDE_DEPTH_MAX 8
#define GW_CONF_KEYS_MAX          32 /* of one kind */

/* Internal: a queue takes the global value. */
#define GW_TIME_INHERIT INT64_C(-2)

enum gw_key_type {
	GW_KEY_NAME,      /* char *: a name of one word */
	GW_KEY_TEXT,      /* char *: any text but none */
	GW_KEY_GRES,      /* char *: gpu or gpu:TYPE */
	GW_KEY_DIR,       /* char *: the absolute path of a directory */
	GW_KEY_BESIDE,    /* char *: a path, relative to the file that names it */
	GW_KEY_WORD,      /* an enum, by its words */
	GW_KEY_BOOL,      /* bool */
	GW_KEY_NUMBER,    /* uint32_t within min and max */
	GW_KEY_WEIGHT,    /* double; above 0, or not below it with GW_KEY_MAY_BE_ZERO; up to max */
	GW_KEY_TIME,      /* int64_t seconds */
	GW_KEY_DATE,      /* int64_t */
	GW_KEY_WINDOW,    /* struct gw_week_window */
	GW_KEY_WEIGHTS,   /* struct gw_tres, all above 0 */
	GW_KEY_LIMITS,    /* struct gw_limits */
	GW_KEY_REF,       /* struct gw_ref */
	GW_KEY_REFS,      /* struct gw_refs */
	GW_KEY_NODES,     /* struct gw_shape's nodes */
	GW_KEY_GRANT,     /* struct gw_grant's who and to */
	GW_KEY_UNMATCHED, /* struct gw_conf's unmatched and unmatched_queue */
};

enum gw_key_flag {
	GW_KEY_REQUIRED = 1,
	GW_KEY_MAY_BE_ZERO = 2,
	GW_KEY_MAY_BE_INFINITE = 4,
	GW_KEY_MAY_BE_NONE = 8,
};

struct gw_word {
	const char *text;
	unsigned int value;
};

struct gw_key {
	const char *name;
	enum gw_key_type type;
	size_t offset; /* of the field in the record's struct */
	unsigned int flags;
	uint32_t min, max;           /* GW_KEY_NUMBER */
	const struct gw_word *words; /* GW_KEY_WORD; ends with a NULL text */
	const char *allowed; /* what to say of a wrong value; NULL: the parser's own words */
	const char *warning; /* what to say of any value; NULL: nothing */
	const char *quiet;   /* but of this one */
	size_t where_offset; /* of the struct gw_where that is told where it stands; 0: none */
};

/* One kind of record. The first key of its table begins its line. */
struct gw_kind {
	const struct gw_key *keys;
	size_t key_count;
	size_t items_offset, count_offset, where_offset; /* unused for the global kind */
	size_t item_size;
};

enum gw_kind_id {
	GW_KIND_GLOBAL,
	GW_KIND_CLASS,
	GW_KIND_FLAVOR,
	GW_KIND_COHORT,
	GW_KIND_POOL,
	GW_KIND_PEAK, /* begins with PoolName too, and has Peak= */
	GW_KIND_QUEUE,
	GW_KIND_GRANT,
	GW_KIND_SHAPE,
	GW_KIND_COUNT,
};

extern const struct gw_kind gw_conf_kinds[GW_KIND_COUNT];

/* The key of this name in one kind, or NULL. */
const struct gw_key *gw_conf_key(const struct gw_kind *kind, const char *name);

/* Sets the fields of a new item that are not zero by default. */
void gw_conf_item_init(enum gw_kind_id kind, void *item);

/* Parses value into the field of item that key names. Errors carry no place. */
int gw_conf_value(const struct gw_key *key, const char *value, struct gw_where where, void *item,
		  struct gw_error *error);

/* All names, ranges and sums across records; resolves references. Collects warnings. */
int gw_conf_check(struct gw_conf *conf, struct gw_error *error);

/* Parts of gw_conf_check(). */
int gw_conf_check_limits(struct gw_conf *conf, struct gw_error *error);
int gw_conf_check_peaks(const struct gw_conf *conf, struct gw_error *error);
int gw_conf_check_shapes(const struct gw_conf *conf, struct gw_error *error);
int gw_conf_warnings(struct gw_conf *conf, struct gw_error *error);

/* Sets error to "file:line: Key=Value: text". Returns -1. */
int gw_conf_error(struct gw_error *error, struct gw_where where, const char *key, const char *value,
		  const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Adds a warning. Returns 0, or -1 when memory is out. */
int gw_conf_warn(struct gw_conf *conf, struct gw_where where, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* path itself when absolute, else in the directory of file; freed by the caller. */
char *gw_conf_beside(const char *file, const char *path);

#endif
