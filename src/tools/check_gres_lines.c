// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of gres.conf as such: keys that Slurm does not know, nodes that it does not have. */
#include <string.h>

#include "../util/hostlist.h"
#include "check_gres.h"

/* What may follow Name= or NodeName= (_gres_options of Slurm). */
static const char *const keys[] = {"AutoDetect", "Count", "CPUs",  "Cores",         "File", "Files",
				   "Flags",      "Link",  "Links", "MultipleFiles", "Name", "Type"};

struct guess {
	const char *key; /* NULL: none is near */
	unsigned int distance;
};

static struct guess guess_key(const char *word)
{
	struct guess guess = {.distance = (unsigned int)strlen(word) / 3 + 1};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		unsigned int distance = gw_edit_distance(word, keys[i]);

		if (distance < guess.distance)
			guess = (struct guess){keys[i], distance};
	}
	return guess;
}

/* Of a key where Slurm does not look for it slurmd dies, whichever nodes the line is for. */
static void refuse_key(const struct gw_check *check, const char *file, int line,
		       const struct guess *guess, const char *key, const char *value)
{
	struct gw_str text = {0};

	if (gw_same(key, "NodeName") || gw_same(key, "Name"))
		gw_str_append(&text, "must be the first on its line");
	else if (guess->key && !guess->distance)
		gw_str_append(&text, "must follow Name= or NodeName= on its line");
	else if (guess->key)
		gw_str_appendf(&text, "unknown key; did you mean %s?", guess->key);
	else
		gw_str_append(&text, "unknown key");
	gw_findings_add(check->findings, GW_ERROR, file, line,
			"%.64s=%.128s: %s: slurmd does not start", key, value, gw_str_text(&text));
	gw_str_free(&text);
}

static void check_detect(const struct gw_check *check, const char *file, int line,
			 const char *detect)
{
	uint32_t since = gw_gres_detects_since(detect);
	char version[GW_SLURM_VERSION_TEXT];
	struct gw_str words = {0};

	gw_gres_detectors(check->slurm_version, &words);
	if (!since && !gw_same(detect, "off"))
		gw_findings_add(check->findings, GW_ERROR, file, line,
				"AutoDetect=%.64s: must be %s or off: Slurm detects nothing by it",
				detect, gw_str_text(&words));
	else if (since > check->slurm_version)
		gw_findings_add(check->findings, GW_ERROR, file, line,
				"AutoDetect=%.64s: Slurm %s does not know it, and detects nothing",
				detect, gw_slurm_version_text(check->slurm_version, version));
	gw_str_free(&words);
}

static void check_settings(const struct gw_check *check, const struct gw_slurm_conf *gres)
{
	for (size_t i = 0; i < gres->setting_count; i++) {
		const struct gw_setting *setting = &gres->setting[i];
		struct guess guess = guess_key(setting->key);

		if (gw_same(setting->key, "AutoDetect"))
			check_detect(check, setting->file, setting->line, setting->value);
		else
			refuse_key(check, setting->file, setting->line, &guess, setting->key,
				   setting->value);
	}
}

static void check_pair(const struct gw_check *check, const struct gw_slurm_line *line, size_t at)
{
	const struct gw_pair *pair = &line->record.pair[at];
	bool of_nodes = gw_same(line->record.pair[0].key, "NodeName");
	struct guess guess = guess_key(pair->key);

	if (!at && (of_nodes || gw_same(pair->key, "Name")))
		return;
	if (!at || !guess.key || guess.distance)
		refuse_key(check, line->file, pair->line, &guess, pair->key, pair->value);
	else if (gw_same(pair->key, "AutoDetect") && of_nodes)
		check_detect(check, line->file, pair->line, pair->value);
	else if (gw_same(pair->key, "AutoDetect"))
		gw_findings_add(
			check->findings, GW_WARNING, line->file, pair->line,
			"AutoDetect=%.64s: without NodeName= as the first on its line, or a "
			"line of its own, Slurm takes no notice of it",
			pair->value);
}

static void check_nodes(const struct gw_check *check, const struct gw_slurm_line *line,
			const struct gw_strings *known)
{
	const struct gw_pair *first = &line->record.pair[0];
	struct gw_strings names = {0};
	struct gw_str what = {0};

	if (gw_hostlist_expand(first->value, GW_HOSTLIST_MAX, &names, NULL))
		return;
	gw_str_appendf(&what, "NodeName=%.128s", first->value);
	gw_check_names(check, known, &names, line->file, first->line, gw_str_text(&what));
	gw_str_free(&what);
	gw_strings_free(&names);
	if (gw_record_value(&line->record, "Name") || gw_record_value(&line->record, "AutoDetect"))
		return;
	gw_findings_add(check->findings, GW_WARNING, line->file, first->line,
			"NodeName=%.128s: without Name= Slurm leaves this line out", first->value);
}

void gw_check_gres_lines(const struct gw_check *check, const struct gw_slurm_conf *gres)
{
	struct gw_strings known = {0};

	gw_slurm_nodes(check->slurm, &known);
	check_settings(check, gres);
	for (size_t i = 0; i < gres->line_count; i++) {
		const struct gw_slurm_line *line = &gres->line[i];

		for (size_t k = 0; k < line->record.count; k++)
			check_pair(check, line, k);
		if (gw_same(line->record.pair[0].key, "NodeName"))
			check_nodes(check, line, &known);
	}
	gw_strings_free(&known);
}
