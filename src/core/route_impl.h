// SPDX-License-Identifier: GPL-2.0-or-later
/* Between the files of route: one job on its way. */
#ifndef GW_CORE_ROUTE_IMPL_H
#define GW_CORE_ROUTE_IMPL_H

#include "job.h"
#include "route.h"

struct gw_route_pass {
	const struct gw_route_site *site;
	const struct gw_conf *conf;
	const struct gw_route_job *job;
	struct gw_route_answer *answer;
	const struct gw_queue *queue;
	bool failed; /* memory ran out */
};

/* The answer is a refusal, with a text that follows its id. Returns false. */
bool gw_route_refuse(struct gw_route_pass *pass, enum gw_refusal refusal, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The type of a flavor's GPUs, or NULL where it takes any. */
const char *gw_route_type(const struct gw_flavor *flavor);

/* Whether name is one of those in list, which has commas between; NULL has none. */
bool gw_route_listed(const char *list, const char *name);

/* Each step fills in its part of the answer; false: refused, outside or failed. */
bool gw_route_flavors(struct gw_route_pass *pass);
bool gw_route_fits(struct gw_route_pass *pass);
bool gw_route_quota(struct gw_route_pass *pass);
bool gw_route_partitions(struct gw_route_pass *pass);
bool gw_route_class(struct gw_route_pass *pass);
bool gw_route_job_type(struct gw_route_pass *pass);
bool gw_route_limit(struct gw_route_pass *pass);

/* What is written into the request, and the sentence that says so. */
void gw_route_fill_in(struct gw_route_pass *pass);
void gw_route_fill_qos(struct gw_route_pass *pass, struct gw_str *told);

/* Names with commas between, cut when they are many. The caller frees list. */
void gw_route_list(struct gw_str *list, const char *name);

#endif
