// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A connection to slurmdbd, the job records of one cluster, and the tables that they refer to.
 * Private to src/acct.
 */
#ifndef GW_ACCT_RECORDS_H
#define GW_ACCT_RECORDS_H

#include <slurm/slurm.h>
#include <slurm/slurmdb.h>
#include <stdint.h>

#include "../core/conf.h"
#include "../util/error.h"
#include "../util/str.h"

struct gw_records;

/* libslurm must have been pointed to slurm.conf. NULL with error. */
struct gw_records *gw_records_open(const char *cluster, struct gw_error *error);
void gw_records_close(struct gw_records *records);

/* The account above, or NULL. Texts are the table's. */
const char *gw_records_parent(const struct gw_records *records, const char *account);

/* Index of the queue that owns an account (NULL: none), or GW_INDEX_NONE. */
int32_t gw_records_queue(const struct gw_records *records, const struct gw_conf *conf,
			 const char *account);

/* The name of a QOS, or NULL. The first call asks slurmdbd. */
const char *gw_records_qos(struct gw_records *records, uint32_t id);

/*
 * Appends what "1=4,1001=8" means: "cpu=4,gres/gpu=8". Counts that are not known, as energy,
 * are left out. NULL is "".
 */
int gw_records_tres(const struct gw_records *records, const char *ids, struct gw_str *text,
		    struct gw_error *error);

/*
 * Each run that was eligible before until and not over before since; a requeued job has several.
 * each() returns 0 to go on. Returns 0, or -1 with error.
 */
int gw_records_jobs(const struct gw_records *records, int64_t since, int64_t until,
		    int (*each)(void *arg, const slurmdb_job_rec_t *job, struct gw_error *error),
		    void *arg, struct gw_error *error);

#endif
