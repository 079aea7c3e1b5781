// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where each pending job stands since the last ranks: what the hooks ask between two passes.
 * A table by job id, replaced as a whole; only the turns that are left change in between.
 */
#ifndef GW_STANDING_H
#define GW_STANDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gw_standing_entry {
	uint32_t job;
	uint32_t number; /* its priority number */
	uint32_t rank;   /* 1 goes first; 0: not ranked yet */
	uint32_t again;  /* an array: the last rank before its next turn; 0: it has none */
	int32_t flavor;
	int32_t turn;   /* tasks of an array that may still start in a row; below 1: none */
	bool array;     /* turn counts */
	bool for_nodes; /* nodes are all it waits for: the order has a place and quota for it */
};

struct gw_standing {
	struct gw_standing_entry *entry; /* sorted by job */
	size_t count;
	/* By flavor: jobs of a higher rank are behind the next turn of an array that has had one.
	 */
	uint32_t *barrier;
	size_t flavor_count;
};

/* Room for so many entries, which are to be filled in. -1: memory is out. */
int gw_standing_make(struct gw_standing *standing, size_t count, size_t flavors);

/* Sorts what was filled in. */
void gw_standing_sort(struct gw_standing *standing);

/* Puts one more entry in its place. -1: memory is out, nothing changed. */
int gw_standing_insert(struct gw_standing *standing, const struct gw_standing_entry *entry);

/* The job's entry, or NULL. */
struct gw_standing_entry *gw_standing_find(const struct gw_standing *standing, uint32_t job);

/* A job starts. */
void gw_standing_began(struct gw_standing *standing, uint32_t job);

/* True if the job is an array that has had its turn, or behind the next turn of such a one. */
bool gw_standing_waits_for_turn(const struct gw_standing *standing, uint32_t job);

void gw_standing_free(struct gw_standing *standing);

#endif
