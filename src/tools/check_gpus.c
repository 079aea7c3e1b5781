// SPDX-License-Identifier: GPL-2.0-or-later
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "../util/hostlist.h"

static bool is_kind(const struct gw_slurm_line *line, const char *key)
{
	return gw_same(line->record.pair[0].key, key);
}

/* GPUs in one item of Gres= that belong to flavor: "gpu:h100:8(S:0-1)" and gpu:h100 give 8. */
static uint64_t item_gpus(const char *item, const char *flavor)
{
	size_t length = strlen(flavor);
	unsigned long long count;
	const char *last;
	char *end;

	if (!gw_same_n(item, flavor, length))
		return 0;
	if (item[length] == '\0')
		return 1;
	if (item[length] != ':')
		return 0;
	last = strrchr(item, ':') + 1;
	count = strtoull(last, &end, 10);
	/* A type alone, without a count, is one device; that of a slice begins with a digit. */
	return end == last || *end ? 1 : count;
}

bool gw_gres_next(const char **at, char item[GW_GRES_ITEM_SIZE])
{
	while (**at) {
		size_t length = 0, plain = strcspn(*at, "(,");
		const char *from = *at;
		bool inside = false;

		for (; from[length] && (inside || from[length] != ','); length++)
			inside = from[length] == '(' || (inside && from[length] != ')');
		*at += length + (from[length] == ',');
		if (plain >= GW_GRES_ITEM_SIZE)
			continue;
		memcpy(item, from, plain);
		item[plain] = '\0';
		return true;
	}
	return false;
}

uint64_t gw_gres_count(const char *gres, const char *flavor)
{
	char item[GW_GRES_ITEM_SIZE];
	uint64_t gpus = 0;

	while (gw_gres_next(&gres, item))
		gpus += item_gpus(item, flavor);
	return gpus;
}

static const struct gw_slurm_line *find_partition(const struct gw_slurm_conf *slurm,
						  const char *name, size_t *at)
{
	for (size_t i = 0; i < slurm->line_count; i++) {
		if (is_kind(&slurm->line[i], "PartitionName") &&
		    gw_list_has(slurm->line[i].record.pair[0].value, name)) {
			*at = i;
			return &slurm->line[i];
		}
	}
	return NULL;
}

/* GPUs of flavor on the nodes of one NodeName line that are among members (NULL: all are). */
static uint64_t line_gpus(const struct gw_slurm_conf *slurm, size_t at, const char *flavor,
			  const struct gw_strings *members, size_t *matched)
{
	const char *gres = gw_slurm_line_value(slurm, at, "Gres");
	struct gw_strings names = {0};
	uint64_t gpus = 0, each = gres ? gw_gres_count(gres, flavor) : 0;

	if (gw_hostlist_expand(slurm->line[at].record.pair[0].value, GW_HOSTLIST_MAX, &names, NULL))
		return 0;
	for (size_t i = 0; i < names.count; i++) {
		if (members && !gw_strings_have(members, names.item[i]))
			continue;
		(*matched)++;
		gpus += each;
	}
	gw_strings_free(&names);
	return gpus;
}

/* Whether all lines of nodes could be read. */
static bool nodes_are_known(const struct gw_check *check)
{
	for (size_t i = 0; i < check->slurm->line_count; i++) {
		const struct gw_slurm_line *line = &check->slurm->line[i];

		if (is_kind(line, "NodeName") &&
		    gw_findings_have(check->findings, check->findings->count, line->file,
				     line->record.pair[0].line, NULL))
			return false;
	}
	return true;
}

/* GPUs of a flavor in its partition; false when slurm.conf alone does not tell (NodeSet). */
static bool count_gpus(const struct gw_slurm_conf *slurm, size_t partition, const char *flavor,
		       uint64_t *gpus)
{
	const char *nodes = gw_slurm_line_value(slurm, partition, "Nodes");
	struct gw_strings members = {0};
	bool all = nodes && gw_same(nodes, "ALL");
	size_t matched = 0, expected;

	if (!nodes || (!all && gw_hostlist_expand(nodes, GW_HOSTLIST_MAX, &members, NULL)))
		return false;
	*gpus = 0;
	for (size_t i = 0; i < slurm->line_count; i++)
		if (is_kind(&slurm->line[i], "NodeName") &&
		    !gw_same(slurm->line[i].record.pair[0].value, "DEFAULT"))
			*gpus += line_gpus(slurm, i, flavor, all ? NULL : &members, &matched);
	expected = members.count;
	gw_strings_free(&members);
	return all || matched == expected;
}

static void check_flavor(const struct gw_check *check, size_t index)
{
	const struct gw_flavor *flavor = &check->conf->flavors[index];
	size_t partition = 0;
	uint64_t gpus, quotas = 0;

	if (!find_partition(check->slurm, flavor->partition, &partition)) {
		gw_findings_add(check->findings, GW_WARNING, flavor->where.file, flavor->where.line,
				"FlavorName=%s: slurm.conf has no partition %s", flavor->name,
				flavor->partition);
		return;
	}
	if (!nodes_are_known(check) || !count_gpus(check->slurm, partition, flavor->gres, &gpus))
		return;
	for (size_t i = 0; i < check->conf->pool_count; i++)
		if (check->conf->pools[i].quota.gpus[index] != GW_NOT_GIVEN)
			quotas += check->conf->pools[i].quota.gpus[index];
	if (!gpus)
		gw_findings_add(check->findings, GW_WARNING, flavor->where.file, flavor->where.line,
				"FlavorName=%s: no node of partition %s has Gres=%s", flavor->name,
				flavor->partition, flavor->gres);
	else if (quotas > gpus)
		gw_findings_add(
			check->findings, GW_WARNING, flavor->where.file, flavor->where.line,
			"FlavorName=%s: the quotas of all pools sum to %llu GPUs, partition "
			"%s has %llu",
			flavor->name, (unsigned long long)quotas, flavor->partition,
			(unsigned long long)gpus);
}

static void check_tres(const struct gw_check *check, const char *tres)
{
	const struct gw_setting *setting = gw_slurm_setting(check->slurm, "AccountingStorageTRES");
	const char *file = setting ? setting->file : check->slurm->files.item[0];

	if (setting && gw_list_has(setting->value, tres))
		return;
	gw_findings_add(
		check->findings, GW_WARNING, file, setting ? setting->line : 0,
		"AccountingStorageTRES has no %s: such GPUs are in no limit and no history; "
		"both gres/gpu and the type are needed",
		tres);
}

/* What slurmctld counts beside these is what AccountingStorageTRES names. */
static void check_weights(const struct gw_check *check)
{
	const struct gw_conf *conf = check->conf;
	const char *list = gw_slurm_value(check->slurm, "AccountingStorageTRES", "");

	for (size_t i = 0; i < conf->usage_weights.count; i++) {
		const char *name = conf->usage_weights.entry[i].name;

		if (!strchr(name, '/') || gw_same_n(name, "gres/gpu:", 9) ||
		    gw_same(name, "gres/gpu") || gw_list_has(list, name))
			continue;
		gw_findings_add(check->findings, GW_WARNING, conf->usage_weights_where.file,
				conf->usage_weights_where.line,
				"UsageWeights: %s has no effect: AccountingStorageTRES of "
				"slurm.conf does not name it",
				name);
	}
}

static bool seen_before(const struct gw_conf *conf, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (gw_same(conf->flavors[i].gres, conf->flavors[index].gres))
			return true;
	return false;
}

void gw_check_gpus(const struct gw_check *check)
{
	const struct gw_conf *conf = check->conf;

	if (!conf)
		return;
	check_weights(check);
	if (!conf->flavor_count)
		return;
	check_tres(check, "gres/gpu");
	for (size_t i = 0; i < conf->flavor_count; i++) {
		struct gw_str tres = {0};

		gw_str_appendf(&tres, "gres/%s", conf->flavors[i].gres);
		if (tres.failed)
			check->findings->failed = true;
		else if (!gw_same(conf->flavors[i].gres, "gpu") && !seen_before(conf, i))
			check_tres(check, gw_str_text(&tres));
		gw_str_free(&tres);
		check_flavor(check, i);
	}
}
