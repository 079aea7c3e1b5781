// SPDX-License-Identifier: GPL-2.0-or-later
/* The domains of one question: how many nodes each could give, and how many it shall. */
#include "place_impl.h"

void gw_domains_begin(struct gw_place *place)
{
	place->used_count = 0;
	if (++place->stamp)
		return;
	/* Once in four thousand million questions old stamps would look new. */
	for (uint32_t slot = 0; slot <= place->slot_mask; slot++)
		place->slots[slot].stamp = place->wide[slot].stamp = 0;
	place->stamp = 1;
}

/* Where a domain is, or is to be when it is new. */
static uint32_t find(const struct gw_place *place, const struct gw_domain *slots, uint32_t id)
{
	uint32_t slot = (id * UINT32_C(2654435769)) >> 7 & place->slot_mask;

	while (slots[slot].stamp == place->stamp && slots[slot].id != id)
		slot = (slot + 1) & place->slot_mask;
	return slot;
}

/* Neighbours in the list of nodes mostly are in one domain. */
static bool is_last_used(const struct gw_place *place, uint32_t id)
{
	return place->used_count && place->slots[place->used[place->used_count - 1]].id == id;
}

uint32_t gw_domains_add(struct gw_place *place, const struct gw_node *node)
{
	uint32_t slot = is_last_used(place, node->domain) ? place->used[place->used_count - 1]
							  : find(place, place->slots, node->domain);
	struct gw_domain *domain = &place->slots[slot];

	if (domain->stamp != place->stamp) {
		*domain = (struct gw_domain){
			.id = node->domain, .stamp = place->stamp, .wider = node->wider};
		place->used[place->used_count++] = slot;
	}
	domain->count++;
	return slot;
}

/* Nodes that could serve in all that a domain is part of. */
static uint32_t around(const struct gw_place *place, const struct gw_domain *domain)
{
	return place->wide[find(place, place->wide, domain->wider)].count;
}

static void count_wide(struct gw_place *place)
{
	for (uint32_t i = 0; i < place->used_count; i++) {
		const struct gw_domain *domain = &place->slots[place->used[i]];
		struct gw_domain *wide = &place->wide[find(place, place->wide, domain->wider)];

		if (wide->stamp != place->stamp)
			*wide = (struct gw_domain){.id = domain->wider, .stamp = place->stamp};
		wide->count += domain->count;
	}
}

static bool is_tighter(const struct gw_place *place, const struct gw_domain *domain,
		       const struct gw_domain *best)
{
	uint32_t own, its;

	if (domain->count != best->count)
		return domain->count < best->count;
	own = around(place, domain);
	its = around(place, best);
	return own != its ? own < its : domain->id < best->id;
}

/* The domain with the fewest nodes that is enough, of equal ones where fewest are around; or NULL.
 */
static struct gw_domain *tightest(struct gw_place *place, uint32_t nodes)
{
	struct gw_domain *best = NULL;

	count_wide(place);
	for (uint32_t i = 0; i < place->used_count; i++) {
		struct gw_domain *domain = &place->slots[place->used[i]];

		if (domain->count >= nodes && (!best || is_tighter(place, domain, best)))
			best = domain;
	}
	return best;
}

/* Puts the domains of at least `least` nodes in order of size; returns their number. */
static size_t order_domains(struct gw_place *place, uint32_t least, bool largest_first)
{
	size_t count = 0;

	for (uint32_t i = 0; i < place->used_count; i++) {
		const struct gw_domain *domain = &place->slots[place->used[i]];

		if (domain->count < least)
			continue;
		place->order[count++] = (struct gw_rank){
			.major = largest_first ? UINT32_MAX - domain->count : domain->count,
			.index = domain->id,
			.position = place->used[i],
		};
	}
	gw_heap_make(place->order, count);
	return count;
}

/* Pops from the order until so many nodes are held; returns the number of domains that takes. */
static uint32_t fewest_domains(struct gw_place *place, uint32_t nodes)
{
	size_t left = order_domains(place, 1, true);
	uint32_t domains = 0;

	for (uint64_t held = 0; held < nodes && left; left--, domains++)
		held += place->slots[gw_heap_pop(place->order, left).position].count;
	return domains;
}

/* Gives out nodes to the first `domains` of the order, as evenly as their sizes allow. */
static void share_evenly(struct gw_place *place, size_t ordered, uint32_t domains, uint32_t nodes)
{
	/* The smallest take what they can, so that the others share what is left. */
	struct gw_rank *chosen = &place->order[ordered - domains];

	for (uint32_t i = 0; i < domains; i++)
		gw_heap_pop(place->order, ordered - i);
	for (uint32_t i = 0; i < domains; i++)
		chosen[i].major = place->slots[chosen[i].position].count;
	gw_heap_make(chosen, domains);
	for (uint32_t left = domains; left; left--) {
		struct gw_domain *domain = &place->slots[gw_heap_pop(chosen, left).position];
		uint32_t even = (nodes + left - 1) / left;

		domain->take = even < domain->count ? even : domain->count;
		nodes -= domain->take;
	}
}

void gw_domains_share(struct gw_place *place, uint32_t nodes)
{
	struct gw_domain *one = tightest(place, nodes);
	uint32_t domains;
	size_t ordered;

	if (one) {
		one->take = nodes;
		return;
	}
	domains = fewest_domains(place, nodes);
	ordered = order_domains(place, (nodes + domains - 1) / domains, false);
	if (ordered < domains)
		ordered = order_domains(place, 1, true);
	share_evenly(place, ordered, domains, nodes);
}
