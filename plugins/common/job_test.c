// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/job_test.h"

#include "plugins/common/bits.h"
#include "plugins/common/place_memory.h"

/* What a test changes of a job that another test must find as it was. */
struct before {
	bitstr_t *nodes;
	time_t start;
	bool best_switch;
	uint32_t req_switch;
	time_t wait4switch_start;
};

/* What came out of one. */
struct answer {
	int rc;
	time_t start;
	bitstr_t *nodes;
};

static struct before remember(const struct gw_job_test *test, struct gw_place_memory *memory)
{
	const job_record_t *job = test->job;

	gw_bits_put(&memory->tested, test->nodes);
	return (struct before){memory->tested, job->start_time, job->best_switch, job->req_switch,
			       job->wait4switch_start};
}

static void put_back(const struct before *before, struct gw_job_test *test)
{
	bit_copybits(test->nodes, before->nodes);
	test->job->start_time = before->start;
	test->job->best_switch = before->best_switch;
	test->job->req_switch = before->req_switch;
	test->job->wait4switch_start = before->wait4switch_start;
}

static int without_preference(struct gw_job_test *test)
{
	struct gw_test *now = gw_engine_test();
	int rc;

	now->preference_allowed = false;
	rc = test->stock(test);
	now->preference_allowed = true;
	return rc;
}

/*
 * Whether what we preferred could not be used, so that there is no answer, or only one for a time
 * to come though there were nodes for a start now.
 */
static bool may_be_worse(const struct gw_job_test *test, int rc)
{
	const struct gw_test *now = gw_engine_test();

	if (rc != SLURM_SUCCESS)
		return now->followed;
	return now->followed_now && test->job->start_time > time(NULL);
}

/* Ours; stock's where what we preferred could not be used after all. */
static int ours(struct gw_job_test *test, const struct before *before)
{
	struct gw_test *now = gw_engine_test();
	int rc;

	now->followed = now->followed_now = false;
	rc = test->stock(test);
	if (!may_be_worse(test, rc))
		return rc;
	put_back(before, test);
	gw_engine_count_retried();
	return without_preference(test);
}

/* slack: seconds that passed meanwhile, by which each of both may have started "now". */
static struct gw_comparison compare(const struct answer *stock, const struct answer *own,
				    time_t slack)
{
	struct gw_place_memory *memory = gw_engine_place_memory((size_t)bit_size(own->nodes));
	struct gw_comparison found = {0};

	found.stock_places = stock->rc == SLURM_SUCCESS;
	found.refused = found.stock_places && own->rc != SLURM_SUCCESS;
	if (!found.stock_places || own->rc != SLURM_SUCCESS)
		return found;
	found.later = own->start > stock->start + slack;
	/* Where ours starts earlier stock has no other nodes to offer for that time. */
	if (own->start < stock->start - slack)
		return found;
	found.more_nodes = bit_set_count(own->nodes) > bit_set_count(stock->nodes);
	found.more_domains = memory && gw_domains_more(&memory->domains, own->nodes, stock->nodes);
	return found;
}

static void tell(const struct gw_job_test *test, const struct answer *stock,
		 const struct gw_comparison *found)
{
	char *theirs, *ours;

	if (!found->refused && !found->later && !found->more_nodes && !found->more_domains)
		return;
	theirs = bitmap2node_name(stock->nodes);
	ours = bitmap2node_name(test->nodes);
	info("gangway: verify: %pJ:%s%s%s%s: stock has %s at %ld, we %s at %ld", test->job,
	     found->refused ? " refused" : "", found->later ? " later" : "",
	     found->more_nodes ? " more nodes" : "", found->more_domains ? " more domains" : "",
	     theirs, (long)stock->start, ours, (long)test->job->start_time);
	xfree(theirs);
	xfree(ours);
}

static int compared(struct gw_job_test *test, const struct before *before)
{
	time_t begun = time(NULL);
	struct answer stock = {.rc = without_preference(test)}, own;
	struct gw_comparison found;

	stock.start = test->job->start_time;
	stock.nodes = bit_copy(test->nodes);
	put_back(before, test);
	own.rc = ours(test, before);
	own.start = test->job->start_time;
	own.nodes = test->nodes;
	found = compare(&stock, &own, time(NULL) - begun);
	tell(test, &stock, &found);
	gw_engine_count_compared(&found);
	FREE_NULL_BITMAP(stock.nodes);
	return own.rc;
}

int gw_job_test_answer(struct gw_job_test *test)
{
	struct gw_place_memory *memory;
	struct before before;

	if (!gw_engine_test()->preference_allowed || !gw_engine_enforces(GW_PLACEMENT))
		return test->stock(test);
	memory = gw_engine_place_memory((size_t)bit_size(test->nodes));
	if (!memory)
		return without_preference(test);
	before = remember(test, memory);
	return gw_engine_verifies() ? compared(test, &before) : ours(test, &before);
}
