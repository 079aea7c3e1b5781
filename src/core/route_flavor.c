// SPDX-License-Identifier: GPL-2.0-or-later
/* Which flavors a job may use: what it names, what its queue has, what fits, what quota allows. */
#include <stdio.h>

#include "route_impl.h"

/* Where the job may go, if it names no partition, is for the user's associations to say. */
static bool by_association(const struct gw_route_job *job)
{
	return !job->partition && job->partitions_open;
}

/* Whether the types and partitions a job names leave room for a flavor. */
static bool flavor_meets(const struct gw_route_pass *pass, const struct gw_flavor *flavor)
{
	const struct gw_gpus *gpus = &pass->answer->gpus;
	const char *type = gw_route_type(flavor);

	if (pass->job->partition && !gw_route_listed(pass->job->partition, flavor->partition))
		return false;
	if (by_association(pass->job) &&
	    !gw_route_listed(pass->job->partitions_open, flavor->partition))
		return false;
	for (uint32_t i = 0; type && i < gpus->types; i++)
		if (*gpus->of[i].type && !gw_same(gpus->of[i].type, type))
			return false;
	return true;
}

static unsigned int types_named(const struct gw_gpus *gpus)
{
	unsigned int count = 0;

	for (uint32_t i = 0; i < gpus->types; i++)
		count += *gpus->of[i].type != '\0';
	return count;
}

/* What the queue has, for a job that asked for something else. */
static bool refuse_flavor(struct gw_route_pass *pass, const char *what)
{
	const struct gw_refs *flavors = &pass->queue->flavors;
	struct gw_str list = {0};

	for (size_t i = 0; i < flavors->names.count; i++) {
		const struct gw_flavor *flavor = &pass->conf->flavors[flavors->index[i]];
		char text[160];

		snprintf(text, sizeof(text), "%.48s in partition %.48s", flavor->gres,
			 flavor->partition);
		gw_route_list(&list, text);
	}
	pass->failed = list.failed;
	gw_route_refuse(pass, GW_REFUSAL_FLAVOR_NOT_IN_QUEUE, "%s: queue %.64s has %s", what,
			pass->queue->name, gw_str_text(&list));
	gw_str_free(&list);
	return false;
}

static bool refuse_other(struct gw_route_pass *pass, const struct gw_flavor *flavor)
{
	char what[192];

	snprintf(what, sizeof(what), "%.48s in partition %.48s is not for queue %.48s",
		 flavor->gres, flavor->partition, pass->queue->name);
	return refuse_flavor(pass, what);
}

/* Hardware that no queue knows is outside, unless the site wants it otherwise. */
static bool no_flavor(struct gw_route_pass *pass)
{
	if (types_named(&pass->answer->gpus) > 1)
		return refuse_flavor(pass, "one job asks for GPUs of several types");
	for (size_t i = 0; i < pass->conf->flavor_count; i++) {
		const struct gw_flavor *flavor = &pass->conf->flavors[i];

		if (flavor_meets(pass, flavor))
			return refuse_other(pass, flavor);
	}
	if (pass->conf->unmatched == GW_UNMATCHED_OUTSIDE)
		return false;
	return refuse_flavor(pass, "no queue has these GPUs in this partition");
}

/* Two flavors of one partition: without a type the job could take either, so the first. */
static void settle_partition(struct gw_route_pass *pass)
{
	struct gw_route_answer *answer = pass->answer;

	for (uint32_t i = 1; i < answer->flavor_count; i++) {
		for (uint32_t j = 0; j < i; j++) {
			const struct gw_flavor *a = &pass->conf->flavors[answer->flavors[i]];
			const struct gw_flavor *b = &pass->conf->flavors[answer->flavors[j]];

			if (gw_same(a->partition, b->partition)) {
				answer->flavor_count = 1;
				return;
			}
		}
	}
}

bool gw_route_flavors(struct gw_route_pass *pass)
{
	const struct gw_refs *flavors = &pass->queue->flavors;
	struct gw_route_answer *answer = pass->answer;

	for (size_t i = 0; i < flavors->names.count; i++) {
		size_t flavor = flavors->index[i];

		if (flavor_meets(pass, &pass->conf->flavors[flavor]) &&
		    answer->flavor_count < GW_ROUTE_FLAVORS_MAX)
			answer->flavors[answer->flavor_count++] = (int32_t)flavor;
	}
	if (!answer->flavor_count)
		return no_flavor(pass);
	settle_partition(pass);
	/* Slurm refuses several partitions of several associations. */
	if (by_association(pass->job))
		answer->flavor_count = 1;
	return true;
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static bool hardware_fits(const struct gw_gpus *gpus, const struct gw_route_hardware *hardware)
{
	uint32_t nodes =
		gpus->nodes_max ? least(gpus->nodes_max, hardware->nodes) : hardware->nodes;

	if (!hardware->nodes || !hardware->node_gpus)
		return true;
	return gpus->nodes_min <= hardware->nodes && gpus->per_node <= hardware->node_gpus &&
	       gpus->total <= (uint64_t)nodes * hardware->node_gpus;
}

/* The nearest shape that does fit: as few nodes as hold the GPUs, evenly. */
static bool refuse_shape(struct gw_route_pass *pass, const struct gw_flavor *flavor,
			 const struct gw_route_hardware *hardware)
{
	const struct gw_gpus *gpus = &pass->answer->gpus;
	uint64_t all = (uint64_t)hardware->nodes * hardware->node_gpus;
	uint32_t nodes = (gpus->total - 1) / hardware->node_gpus + 1;
	bool even = gpus->total % nodes == 0;

	if (gpus->total > all || gpus->nodes_min > hardware->nodes)
		return gw_route_refuse(pass, GW_REFUSAL_NEVER_FITS,
				       "%u GPUs on %u nodes never fit: there are %u nodes of %u "
				       "%.48s: submit with at most -N%u --gpus-per-node=%u",
				       gpus->total, gpus->nodes_min, hardware->nodes,
				       hardware->node_gpus, flavor->name, hardware->nodes,
				       hardware->node_gpus);
	return gw_route_refuse(pass, GW_REFUSAL_NEVER_FITS,
			       "%u GPUs never fit the nodes asked for: a node has %u %.48s: "
			       "submit with -N%u --gpus%s=%u",
			       gpus->total, hardware->node_gpus, flavor->name, nodes,
			       even ? "-per-node" : "", even ? gpus->total / nodes : gpus->total);
}

/* Drops the flavor at position i; later ones move up. */
static void drop(struct gw_route_answer *answer, uint32_t i)
{
	for (answer->flavor_count--; i < answer->flavor_count; i++)
		answer->flavors[i] = answer->flavors[i + 1];
}

bool gw_route_fits(struct gw_route_pass *pass)
{
	const struct gw_route_hardware *hardware = pass->site->hardware;
	struct gw_route_answer *answer = pass->answer;
	int32_t first = answer->flavors[0];

	for (uint32_t i = answer->flavor_count; hardware && i-- > 0;)
		if (!hardware_fits(&answer->gpus, &hardware[answer->flavors[i]]))
			drop(answer, i);
	return answer->flavor_count ||
	       refuse_shape(pass, &pass->conf->flavors[first], &hardware[first]);
}

/* The most GPUs of a flavor that the queue's pool could ever hold. */
static uint32_t largest_of(const struct gw_route_pass *pass, int32_t flavor)
{
	int32_t pool = gw_quota_pool_of(pass->conf, pass->answer->queue, flavor);

	return gw_quota_largest(pass->site->quota, pool, flavor);
}

static bool refuse_quota(struct gw_route_pass *pass, int32_t flavor, uint32_t largest)
{
	int32_t pool = gw_quota_pool_of(pass->conf, pass->answer->queue, flavor);
	const char *name = pool < 0 ? "none" : pass->conf->pools[pool].name;

	return gw_route_refuse(pass, GW_REFUSAL_ABOVE_QUOTA,
			       "%u GPUs are more than pool %.64s can ever hold, quota and all it "
			       "may borrow: submit with at most %u %.48s",
			       pass->answer->gpus.total, name, largest,
			       pass->conf->flavors[flavor].name);
}

bool gw_route_quota(struct gw_route_pass *pass)
{
	struct gw_route_answer *answer = pass->answer;
	int32_t best = answer->flavors[0];

	if (!pass->site->quota)
		return true;
	for (uint32_t i = answer->flavor_count; i-- > 0;) {
		int32_t flavor = answer->flavors[i];

		if (largest_of(pass, flavor) >= largest_of(pass, best))
			best = flavor;
		if (answer->gpus.total > largest_of(pass, flavor))
			drop(answer, i);
	}
	return answer->flavor_count || refuse_quota(pass, best, largest_of(pass, best));
}

static bool queue_has_partition(const struct gw_route_pass *pass, const char *partition)
{
	const struct gw_refs *flavors = &pass->queue->flavors;

	for (size_t i = 0; i < flavors->names.count; i++)
		if (gw_same(pass->conf->flavors[flavors->index[i]].partition, partition))
			return true;
	return false;
}

bool gw_route_partitions(struct gw_route_pass *pass)
{
	const struct gw_route_answer *answer = pass->answer;
	const struct gw_conf *conf = pass->conf;

	/* With a type, its own or the one that is filled in, it gets no others there. */
	if (!pass->job->partition || types_named(&answer->gpus) ||
	    (answer->flavor_count == 1 && gw_route_type(&conf->flavors[answer->flavors[0]])))
		return true;
	for (size_t i = 0; i < conf->flavor_count; i++) {
		const struct gw_flavor *flavor = &conf->flavors[i];

		if (gw_route_listed(pass->job->partition, flavor->partition) &&
		    !queue_has_partition(pass, flavor->partition))
			return refuse_other(pass, flavor);
	}
	return true;
}
