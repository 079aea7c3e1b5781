// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/identity.h"

#include <string.h>

#include "plugins/common/snap.h"
#include "plugins/common/weak.h"
#include "src/common/assoc_mgr.h"

/* One look-up, while the associations are locked. */
struct search {
	const struct gw_asked *asked;
	struct gw_identity *identity;
	struct gw_str found; /* partitions with an association */
	bool some_lack, several;
};

/* The user's name and, where the job names no account, the default one. */
static void copy_user(uint32_t uid, struct gw_identity *identity)
{
	slurmdb_user_rec_t key = {.uid = uid}, *user = NULL;

	if (assoc_mgr_fill_in_user(NULL, &key, 0, &user, true) != SLURM_SUCCESS || !user)
		return;
	identity->user = xstrdup(user->name);
	if (!identity->account)
		identity->account = xstrdup(user->default_acct);
}

static void copy_association(const slurmdb_assoc_rec_t *assoc, struct gw_identity *identity)
{
	identity->associated = true;
	identity->association = assoc->id;
	if (assoc->usage->valid_qos && assoc_mgr_qos_list)
		identity->qos =
			get_qos_complete_str_bitstr(assoc_mgr_qos_list, assoc->usage->valid_qos);
	for (assoc = assoc->usage->parent_assoc_ptr; assoc && assoc->usage;
	     assoc = assoc->usage->parent_assoc_ptr)
		if (assoc->acct &&
		    gw_strings_add(&identity->ancestors, assoc->acct, strlen(assoc->acct)))
			break;
}

/* The first association found is the one; partition NULL: one for no partition. */
static void try_partition(struct search *search, const char *partition)
{
	struct gw_identity *identity = search->identity;
	slurmdb_assoc_rec_t key = {0}, *assoc = NULL;

	key.acct = identity->account;
	key.cluster = slurm_conf.cluster_name;
	key.partition = (char *)partition;
	key.uid = search->asked->uid;
	assoc_mgr_fill_in_assoc(NULL, &key, 0, &assoc, true);
	if (!assoc || !assoc->usage) {
		search->some_lack = true;
		return;
	}
	if (identity->associated)
		search->several |= assoc->id != identity->association;
	else
		copy_association(assoc, identity);
	if (partition)
		gw_str_appendf(&search->found, "%s%s", search->found.length ? "," : "", partition);
}

static void try_list(struct search *search, const char *list)
{
	char *names = xstrdup(list), *rest = NULL;

	for (char *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest))
		try_partition(search, name);
	xfree(names);
}

/* What routing may fill in, and where the job goes if it fills in nothing. */
static void try_all(struct search *search, const struct gw_conf *conf)
{
	for (size_t i = 0; i < conf->flavor_count; i++)
		try_partition(search, conf->flavors[i].partition);
	if (!search->identity->associated)
		try_partition(search, default_part_name);
	if (search->found.length && (search->some_lack || search->several))
		search->identity->partitions = xstrdup(gw_str_text(&search->found));
}

static void search_associations(const struct gw_conf *conf, const struct gw_asked *asked,
				struct gw_identity *identity)
{
	struct search search = {.asked = asked, .identity = identity};

	if (asked->partition && *asked->partition)
		try_list(&search, asked->partition);
	else
		try_all(&search, conf);
	gw_str_free(&search.found);
}

void gw_identity_look_up(const struct gw_conf *conf, const struct gw_asked *asked,
			 struct gw_call *call, struct gw_identity *identity)
{
	assoc_mgr_lock_t locks = {.assoc = READ_LOCK, .qos = READ_LOCK, .user = READ_LOCK};

	memset(identity, 0, sizeof(*identity));
	identity->account = xstrdup(asked->account);
	gw_snap_lock(NULL, NULL, &locks, call);
	copy_user(asked->uid, identity);
	if (identity->account)
		search_associations(conf, asked, identity);
	assoc_mgr_unlock(&locks);
}

void gw_identity_free(struct gw_identity *identity)
{
	xfree(identity->user);
	xfree(identity->account);
	xfree(identity->qos);
	xfree(identity->partitions);
	gw_strings_free(&identity->ancestors);
}

void gw_identity_describe(const struct gw_identity *identity, struct gw_route_job *job)
{
	job->user = identity->user;
	job->account = identity->account;
	job->ancestors = (const char *const *)identity->ancestors.item;
	job->ancestor_count = identity->ancestors.count;
	job->associated = identity->associated;
	job->qos_allowed = identity->qos;
	job->partitions_open = identity->partitions;
}
