// SPDX-License-Identifier: GPL-2.0-or-later
/* What gangway.conf says against this host: its directories, and its clock. */
#include "check.h"

#include <sys/stat.h>
#include <time.h>

#include "../util/parse.h"

static void check_publish_dir(const struct gw_check *check)
{
	const struct gw_conf *conf = check->conf;
	struct stat st;

	if (!conf->publish_dir || (!stat(conf->publish_dir, &st) && S_ISDIR(st.st_mode)))
		return;
	gw_findings_add(check->findings, GW_WARNING, conf->publish_dir_where.file,
			conf->publish_dir_where.line,
			"PublishDir=%.200s: is not a directory here; slurmctld publishes nothing "
			"where it is not",
			conf->publish_dir);
}

static void check_grants(const struct gw_check *check)
{
	int64_t now = gw_civil_time(time(NULL));

	for (size_t i = 0; i < check->conf->grant_count; i++) {
		const struct gw_grant *grant = &check->conf->grants[i];

		if (grant->until <= now)
			gw_findings_add(check->findings, GW_WARNING, grant->where.file,
					grant->where.line,
					"ClassGrant=%s: its Until is past: it grants class %s no "
					"more",
					grant->who, grant->class_ref.name);
	}
}

void gw_check_conf(const struct gw_check *check)
{
	if (!check->conf)
		return;
	check_publish_dir(check);
	check_grants(check);
}
