// SPDX-License-Identifier: GPL-2.0-or-later
/* What one record says against another: names that are unique, references that lead somewhere. */
#include <string.h>

#include "conf_impl.h"

struct items {
	const struct gw_kind *kind;
	char *first;
	size_t count;
};

static struct items items_of(const struct gw_conf *conf, enum gw_kind_id kind_id)
{
	struct items items = {.kind = &gw_conf_kinds[kind_id]};
	const char *base = (const char *)conf;

	memcpy(&items.first, base + items.kind->items_offset, sizeof(items.first));
	memcpy(&items.count, base + items.kind->count_offset, sizeof(items.count));
	return items;
}

static const char *text_at(const struct items *items, size_t i, size_t offset)
{
	const char *text;

	memcpy(&text, items->first + i * items->kind->item_size + offset, sizeof(text));
	return text;
}

static struct gw_where where_of(const struct items *items, size_t i)
{
	struct gw_where where;

	memcpy(&where, items->first + i * items->kind->item_size + items->kind->where_offset,
	       sizeof(where));
	return where;
}

/* No two items of a kind may have the same text in one field. */
static int check_unique(const struct gw_conf *conf, enum gw_kind_id kind_id, const char *key_name,
			struct gw_error *error)
{
	struct items items = items_of(conf, kind_id);
	size_t offset = gw_conf_key(items.kind, key_name)->offset;

	for (size_t i = 1; i < items.count; i++) {
		for (size_t j = 0; j < i; j++) {
			struct gw_where first = where_of(&items, j);

			if (gw_same(text_at(&items, i, offset), text_at(&items, j, offset)))
				return gw_conf_error(error, where_of(&items, i), key_name,
						     text_at(&items, i, offset),
						     "given before, at %.200s:%d", first.file,
						     first.line);
		}
	}
	return 0;
}

static int check_names(const struct gw_conf *conf, struct gw_error *error)
{
	static const struct {
		enum gw_kind_id kind;
		const char *key;
	} unique[] = {
		{GW_KIND_CLASS, "ClassName"},   {GW_KIND_CLASS, "QOS"},
		{GW_KIND_FLAVOR, "FlavorName"}, {GW_KIND_COHORT, "CohortName"},
		{GW_KIND_POOL, "PoolName"},     {GW_KIND_QUEUE, "QueueName"},
		{GW_KIND_QUEUE, "Account"},     {GW_KIND_SHAPE, "ShapeName"},
	};

	for (size_t i = 0; i < sizeof(unique) / sizeof(unique[0]); i++)
		if (check_unique(conf, unique[i].kind, unique[i].key, error))
			return -1;
	return 0;
}

/* Fields that default to the item's own name. */
static int fill_names(struct gw_conf *conf, struct gw_error *error)
{
	for (size_t i = 0; i < conf->class_count; i++) {
		struct gw_class *class = &conf->classes[i];

		if (!class->qos && !(class->qos = gw_strdup(class->name)))
			return gw_error_memory(error);
	}
	for (size_t i = 0; i < conf->queue_count; i++) {
		struct gw_queue *queue = &conf->queues[i];

		if (!queue->account && !(queue->account = gw_strdup(queue->name)))
			return gw_error_memory(error);
		if (queue->within == GW_WITHIN_INHERIT)
			queue->within = conf->within;
		if (queue->max_wait == GW_TIME_INHERIT)
			queue->max_wait = conf->queue_max_wait;
	}
	return 0;
}

static size_t find_item(const struct items *items, const char *name)
{
	for (size_t i = 0; i < items->count; i++)
		if (gw_same(text_at(items, i, items->kind->keys[0].offset), name))
			return i;
	return GW_NO_INDEX;
}

/* What there is to choose from, for a name that leads nowhere. */
static int refuse_ref(const struct items *items, struct gw_where where, const char *key,
		      const char *name, struct gw_error *error)
{
	struct gw_str known = {0};
	const char *kind = items->kind->keys[0].name;

	for (size_t i = 0; i < items->count && known.length < 200; i++)
		gw_str_appendf(&known, "%s%s", i ? ", " : "",
			       text_at(items, i, items->kind->keys[0].offset));
	if (known.failed)
		gw_error_memory(error);
	else if (!items->count)
		gw_conf_error(error, where, key, name, "no such %s; there is none", kind);
	else
		gw_conf_error(error, where, key, name, "no such %s; there is %.250s", kind,
			      gw_str_text(&known));
	gw_str_free(&known);
	return -1;
}

static int resolve(const struct gw_conf *conf, struct gw_ref *ref, enum gw_kind_id to,
		   const char *key, struct gw_error *error)
{
	struct items items = items_of(conf, to);

	if (!ref->name)
		return 0;
	ref->index = find_item(&items, ref->name);
	if (ref->index != GW_NO_INDEX)
		return 0;
	return refuse_ref(&items, ref->where, key, ref->name, error);
}

static int resolve_list(const struct gw_conf *conf, struct gw_refs *refs, enum gw_kind_id to,
			const char *key, struct gw_error *error)
{
	struct items items = items_of(conf, to);

	for (size_t i = 0; i < refs->names.count; i++) {
		refs->index[i] = find_item(&items, refs->names.item[i]);
		if (refs->index[i] == GW_NO_INDEX)
			return refuse_ref(&items, refs->where, key, refs->names.item[i], error);
	}
	return 0;
}

static int resolve_queue(const struct gw_conf *conf, struct gw_queue *queue, struct gw_error *error)
{
	if (resolve_list(conf, &queue->pools, GW_KIND_POOL, "Pool", error) ||
	    resolve_list(conf, &queue->flavors, GW_KIND_FLAVOR, "Flavor", error))
		return -1;
	return resolve(conf, &queue->default_class, GW_KIND_CLASS, "DefaultClass", error);
}

static int resolve_all(struct gw_conf *conf, struct gw_error *error)
{
	int failed = 0;

	for (size_t i = 0; !failed && i < conf->cohort_count; i++)
		failed = resolve(conf, &conf->cohorts[i].parent, GW_KIND_COHORT, "Parent", error);
	for (size_t i = 0; !failed && i < conf->pool_count; i++)
		failed = resolve(conf, &conf->pools[i].cohort, GW_KIND_COHORT, "Cohort", error);
	for (size_t i = 0; !failed && i < conf->peak_count; i++)
		failed = resolve(conf, &conf->peaks[i].pool, GW_KIND_POOL, "PoolName", error);
	for (size_t i = 0; !failed && i < conf->queue_count; i++)
		failed = resolve_queue(conf, &conf->queues[i], error);
	for (size_t i = 0; !failed && i < conf->grant_count; i++)
		failed = resolve(conf, &conf->grants[i].class_ref, GW_KIND_CLASS, "Class", error);
	if (failed)
		return -1;
	return resolve(conf, &conf->unmatched_queue, GW_KIND_QUEUE, "Unmatched", error);
}

/* Following parents from any cohort must end: more steps than cohorts means a cycle. */
static int check_cohort_cycles(const struct gw_conf *conf, struct gw_error *error)
{
	for (size_t i = 0; i < conf->cohort_count; i++) {
		const struct gw_ref *parent = &conf->cohorts[i].parent;
		size_t at = i, steps = 0;

		while (at != GW_NO_INDEX && steps++ <= conf->cohort_count)
			at = conf->cohorts[at].parent.index;
		if (at != GW_NO_INDEX)
			return gw_conf_error(error, parent->where, "Parent", parent->name,
					     "the parents of cohort %s go round in a circle",
					     conf->cohorts[i].name);
	}
	return 0;
}

static const struct gw_class *default_class(const struct gw_conf *conf)
{
	for (size_t i = 0; i < conf->class_count; i++)
		if (conf->classes[i].is_default)
			return &conf->classes[i];
	return NULL;
}

/* With classes, every queue has a default one: its own, else that of Default=yes. */
static int check_classes(struct gw_conf *conf, struct gw_error *error)
{
	const struct gw_class *by_default = default_class(conf);

	for (size_t i = 0; i < conf->class_count; i++)
		if (conf->classes[i].is_default && &conf->classes[i] != by_default)
			return gw_conf_error(error, conf->classes[i].where, "ClassName",
					     conf->classes[i].name,
					     "only one class may have Default=yes; %s has it too",
					     by_default->name);
	for (size_t i = 0; i < conf->queue_count; i++) {
		struct gw_queue *queue = &conf->queues[i];

		if (queue->default_class.name || !conf->class_count)
			continue;
		if (!by_default)
			return gw_conf_error(error, queue->where, "QueueName", queue->name,
					     "DefaultClass= is missing, and no ClassName has "
					     "Default=yes");
		queue->default_class.index = (size_t)(by_default - conf->classes);
	}
	for (size_t i = 0; i < conf->grant_count; i++)
		conf->classes[conf->grants[i].class_ref.index].needs_grant = true;
	return 0;
}

/* Whether two kinds of GPU request could mean the same devices of one partition. */
static bool flavors_overlap(const struct gw_flavor *a, const struct gw_flavor *b)
{
	bool untyped = gw_same(a->gres, "gpu") || gw_same(b->gres, "gpu");

	return gw_same(a->partition, b->partition) && (untyped || gw_same(a->gres, b->gres));
}

static int check_flavors(const struct gw_conf *conf, struct gw_error *error)
{
	for (size_t i = 1; i < conf->flavor_count; i++) {
		for (size_t j = 0; j < i; j++) {
			const struct gw_flavor *a = &conf->flavors[i], *b = &conf->flavors[j];

			if (flavors_overlap(a, b))
				return gw_conf_error(error, a->where, "FlavorName", a->name,
						     "the same GPUs as flavor %s (%s:%d), which "
						     "would be counted twice",
						     b->name, b->where.file, b->where.line);
		}
	}
	return 0;
}

int gw_conf_check(struct gw_conf *conf, struct gw_error *error)
{
	if (fill_names(conf, error) || check_names(conf, error) || resolve_all(conf, error) ||
	    check_cohort_cycles(conf, error) || check_classes(conf, error) ||
	    check_flavors(conf, error) || gw_conf_check_limits(conf, error) ||
	    gw_conf_check_peaks(conf, error) || gw_conf_check_shapes(conf, error))
		return -1;
	return gw_conf_warnings(conf, error);
}
