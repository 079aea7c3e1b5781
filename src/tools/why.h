// SPDX-License-Identifier: GPL-2.0-or-later
/* The parts of gangway why: what is known of one job, and the facts that core explains. */
#ifndef GW_TOOLS_WHY_H
#define GW_TOOLS_WHY_H

#include "../core/explain.h"
#include "../core/job.h"
#include "site.h"
#include "slurmctld.h"

/* All that is known of the job. Any of it may be missing. */
struct gw_known_job {
	const struct gw_view_job *view;
	const struct gw_view_pool *pool; /* that its GPUs come from */
	struct gw_asked_job slurm;
	struct gw_asked_nodes nodes;
	bool nodes_known;
	const struct gw_conf *conf;
};

/* Facts, and the arrays that they point to. */
struct gw_why_facts {
	struct gw_explain_facts facts;
	struct gw_quota_answer quota;
	struct gw_explain_end *ends;
	struct gw_explain_flavor *flavors;
	char words[160]; /* of misconfigured or hold_on */
};

/*
 * Of a pending job that is in the view. Points into site and job. Returns 0, or -1 with error
 * when memory is out; always to be freed.
 */
int gw_why_facts(const struct gw_site *site, const struct gw_known_job *job,
		 struct gw_why_facts *why, struct gw_error *error);
void gw_why_facts_free(struct gw_why_facts *why);

#endif
