// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One test of a job around the placement hook: never harder to start than stock. A preferred
 * placement may be good for the nodes and still fail in what stock does with it afterwards;
 * then the whole test is made again without a preference.
 *
 * With Verify=yes a test in which a preference is allowed is made without one first, and the two
 * answers are compared.
 */
#ifndef GW_JOB_TEST_H
#define GW_JOB_TEST_H

#include "plugins/common/compat/compat.h"

#include "plugins/common/engine.h"
#include "plugins/common/export.h"

struct gw_job_test {
	job_record_t *job;
	bitstr_t *nodes; /* in: that may be used; out: that were chosen */
	int (*stock)(struct gw_job_test *test);
	void *ask; /* the other parameters */
};

/* The value for Slurm. The calling thread's gw_engine_test() says what is allowed. */
GW_EXPORT int gw_job_test_answer(struct gw_job_test *test);

#endif
