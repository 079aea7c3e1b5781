// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/compat/compat.h"

#include "plugins/common/gres_name.h"
#include "plugins/common/hardware.h"
#include "plugins/common/weak.h"

static void add_node(struct gw_route_hardware *hardware, uint64_t gpus)
{
	if (!gpus || gpus == NO_CONSUME_VAL64)
		return;
	hardware->nodes++;
	if (gpus > hardware->node_gpus)
		hardware->node_gpus = (uint32_t)gpus;
}

/* Nodes that a flavor's jobs can be on; NULL: all. */
static bitstr_t *nodes_of(const struct gw_flavor *flavor)
{
	const part_record_t *part =
		flavor->partition ? find_part_record((char *)flavor->partition) : NULL;

	return part ? part->node_bitmap : NULL;
}

void gw_hardware_of_flavors(const struct gw_policy *policy,
			    const struct gw_tres_positions *positions,
			    struct gw_route_hardware *hardware)
{
	const struct gw_conf *conf = gw_policy_conf(policy);

	for (size_t flavor = 0; flavor < conf->flavor_count; flavor++) {
		bitstr_t *nodes = nodes_of(&conf->flavors[flavor]);

		for (int i = 0; positions->flavor[flavor] >= 0 && i < node_record_count; i++) {
			const node_record_t *node = node_record_table_ptr[i];

			if (!node || !node->tres_cnt || (nodes && !bit_test(nodes, i)))
				continue;
			add_node(&hardware[flavor], node->tres_cnt[positions->flavor[flavor]]);
		}
	}
}

static void add(struct gw_order_gpus *gpus, uint64_t all, uint64_t held)
{
	if (all == NO_CONSUME_VAL64)
		return;
	gpus->all += (uint32_t)all;
	gpus->free += (uint32_t)(all - MIN(all, held));
}

/* Adds those of a node; type NULL: of any. */
static void add_gpus(const node_record_t *node, const char *type, struct gw_order_gpus *gpus)
{
	const gres_state_t *state = gw_gres_gpu_of(node->gres_list);
	const gres_node_state_t *has = state ? state->gres_data : NULL;

	if (has && !type)
		add(gpus, has->gres_cnt_avail, has->gres_cnt_alloc);
	for (int i = 0; has && type && i < has->type_cnt; i++)
		if (!xstrcmp(has->type_name[i], type))
			add(gpus, has->type_cnt_avail[i], has->type_cnt_alloc[i]);
}

/* Of the nodes that take jobs; returns the most on one node. */
static uint32_t count_gpus(const struct gw_policy *policy, size_t flavor,
			   struct gw_order_gpus *gpus)
{
	const char *type = gw_policy_flavor_type(policy, (int32_t)flavor);
	bitstr_t *nodes = nodes_of(&gw_policy_conf(policy)->flavors[flavor]);
	uint32_t before, most = 0;

	*gpus = (struct gw_order_gpus){0};
	for (int i = 0; avail_node_bitmap && i < node_record_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (!node || !bit_test(avail_node_bitmap, i) || (nodes && !bit_test(nodes, i)))
			continue;
		before = gpus->all;
		add_gpus(node, type, gpus);
		most = MAX(most, gpus->all - before);
	}
	return most;
}

void gw_hardware_gpus(struct gw_policy *policy, struct gw_order_gpus *gpus)
{
	const struct gw_conf *conf = gw_policy_conf(policy);
	uint32_t most;

	for (size_t flavor = 0; flavor < conf->flavor_count; flavor++) {
		most = count_gpus(policy, flavor, &gpus[flavor]);
		/* Without a node that takes jobs the last count holds. */
		if (most)
			gw_policy_set_node_gpus(policy, (int32_t)flavor, most);
	}
}

/* The first flavor that has GPUs on a node that is broken, and what is left of them. */
static bool find_gap(const struct gw_policy *policy, int index, struct gw_order_gap *gap)
{
	const struct gw_conf *conf = gw_policy_conf(policy);
	const node_record_t *node = node_record_table_ptr[index];

	for (size_t flavor = 0; flavor < conf->flavor_count; flavor++) {
		bitstr_t *nodes = nodes_of(&conf->flavors[flavor]);
		struct gw_order_gpus gpus = {0};

		if (nodes && !bit_test(nodes, index))
			continue;
		add_gpus(node, gw_policy_flavor_type(policy, (int32_t)flavor), &gpus);
		if (!gpus.free || gpus.free == gpus.all)
			continue;
		gap->flavor = (int32_t)flavor;
		gap->free = gpus.free;
		return true;
	}
	return false;
}

static bool may_take_more(int index)
{
	return bit_test(avail_node_bitmap, index) &&
	       (!share_node_bitmap || bit_test(share_node_bitmap, index));
}

struct gw_order_gap *gw_hardware_gaps(const struct gw_policy *policy, const time_t *until,
				      size_t *count)
{
	struct gw_order_gap *gaps;

	*count = 0;
	if (!until || !avail_node_bitmap)
		return NULL;
	gaps = xcalloc(node_record_count + 1, sizeof(*gaps));
	for (int i = 0; i < node_record_count; i++) {
		if (!node_record_table_ptr[i] || !until[i] || !may_take_more(i) ||
		    !find_gap(policy, i, &gaps[*count]))
			continue;
		gaps[(*count)++].until = until[i];
	}
	return gaps;
}
