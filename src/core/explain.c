// SPDX-License-Identifier: GPL-2.0-or-later
#include "explain.h"

#include <stdarg.h>
#include <stdio.h>

#include "explain_impl.h"

void gw_text_time(char text[GW_TEXT_TIME_SIZE], int64_t seconds)
{
	int64_t days = seconds / 86400;
	int rest = (int)(seconds % 86400);

	if (seconds == GW_TIME_INFINITE) {
		snprintf(text, GW_TEXT_TIME_SIZE, "no limit");
		return;
	}
	if (seconds < 0)
		days = rest = 0;
	if (days)
		snprintf(text, GW_TEXT_TIME_SIZE, "%lld-%02d:%02d:%02d", (long long)days,
			 rest / 3600, rest / 60 % 60, rest % 60);
	else
		snprintf(text, GW_TEXT_TIME_SIZE, "%02d:%02d:%02d", rest / 3600, rest / 60 % 60,
			 rest % 60);
}

/* The sentence of a reason, behind the kind of problem it is. */
struct say {
	char *text;
	size_t size;
};

static void say(const struct say *line, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void say(const struct say *line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(line->text, line->size, format, args);
	va_end(args);
}

static const char *name_of(const char *name, const char *otherwise)
{
	return name ? name : otherwise;
}

static bool is_misconfigured(const struct gw_explain_facts *facts)
{
	return facts->misconfigured != NULL;
}

static void say_misconfigured(const struct gw_explain_facts *facts, const struct say *line)
{
	say(line, "%.180s", facts->misconfigured);
}

static bool is_unregistered(const struct gw_explain_facts *facts)
{
	return facts->unregistered_nodes > 0 && facts->placement_known && !facts->fits_now;
}

static void say_unregistered(const struct gw_explain_facts *facts, const struct say *line)
{
	say(line, "the GPUs of %u nodes have not registered since slurmctld started",
	    facts->unregistered_nodes);
}

static bool is_never(const struct gw_explain_facts *facts)
{
	return facts->fitting_shape != NULL;
}

static void say_never(const struct gw_explain_facts *facts, const struct say *line)
{
	say(line, "never fits: no nodes have this shape; %.120s would fit", facts->fitting_shape);
}

static bool is_held(const struct gw_explain_facts *facts)
{
	return facts->hold != GW_HOLD_NONE;
}

static void say_held(const struct gw_explain_facts *facts, const struct say *line)
{
	static const char *const what[GW_HOLD_COUNT] = {
		[GW_HOLD_USER] = "held by its user",
		[GW_HOLD_ADMIN] = "held by an administrator",
		[GW_HOLD_DEPENDENCY] = "waits for its dependency",
		[GW_HOLD_BEGIN_TIME] = "waits for its begin time",
		[GW_HOLD_RESERVATION] = "waits for its reservation",
		[GW_HOLD_QUEUE] = "its queue is held",
		[GW_HOLD_OTHER] = "held",
	};
	char left[GW_TEXT_TIME_SIZE];

	if (facts->hold == GW_HOLD_BEGIN_TIME) {
		gw_text_time(left, facts->hold_left);
		say(line, "%s, in %s", what[facts->hold], left);
	} else if (facts->hold_on) {
		say(line, "%s: %.100s", what[facts->hold], facts->hold_on);
	} else {
		say(line, "%s", what[facts->hold]);
	}
}

static bool is_over_quota(const struct gw_explain_facts *facts)
{
	return facts->quota && facts->quota->why != GW_QUOTA_ALLOWED;
}

static void say_over_quota(const struct gw_explain_facts *facts, const struct say *line)
{
	char text[180];

	gw_explain_quota(facts, text, sizeof(text));
	say(line, "over quota: %s", text);
}

/* GPUs enough are idle, but not where the job could use them. */
static bool is_fragmented(const struct gw_explain_facts *facts)
{
	return facts->placement_known && !facts->fits_now && facts->free >= facts->gpus;
}

static void say_fragmented(const struct gw_explain_facts *facts, const struct say *line)
{
	const char *flavor = name_of(facts->flavor, "GPUs");

	if (facts->gpus_per_node > facts->free_on_a_node)
		say(line, "topology: %u %.32s on a node are needed; %u are free, at most %u on one",
		    facts->gpus_per_node, flavor, facts->free, facts->free_on_a_node);
	else if (facts->free_nodes < facts->nodes)
		say(line, "topology: %u nodes with %u free %.32s are needed; there are %u",
		    facts->nodes, facts->gpus_per_node, flavor, facts->free_nodes);
	else
		say(line,
		    "topology: %u %.32s are free, but no nodes fit its cores, memory and "
		    "constraints",
		    facts->free, flavor);
}

static bool is_stepping_back(const struct gw_explain_facts *facts)
{
	return facts->small_hold_left > 0 && facts->rank != 1;
}

static void say_stepping_back(const struct gw_explain_facts *facts, const struct say *line)
{
	char left[GW_TEXT_TIME_SIZE];

	gw_text_time(left, facts->small_hold_left);
	if (facts->small_batch)
		say(line,
		    "steps back for a whole-node job for %s more (SmallHold), maybe less once jobs "
		    "for %u GPUs do (SmallBatch), takes any gap before",
		    left, facts->small_batch);
	else
		say(line,
		    "steps back for a whole-node job for %s more (SmallHold), takes any gap before",
		    left);
}

static bool is_behind(const struct gw_explain_facts *facts)
{
	return facts->rank > 1;
}

static void say_behind(const struct gw_explain_facts *facts, const struct say *line)
{
	uint32_t ahead = facts->rank - 1;
	const char *jobs = ahead == 1 ? "job goes" : "jobs go";

	if (facts->may_name_others && facts->next_job)
		say(line, "%u %s first; right before it job %u of queue %.48s", ahead, jobs,
		    facts->next_job, name_of(facts->next_queue, "none"));
	else
		say(line, "%u %s first", ahead, jobs);
}

static bool is_first_and_busy(const struct gw_explain_facts *facts)
{
	return facts->placement_known && !facts->fits_now;
}

static void say_busy(const struct gw_explain_facts *facts, const struct say *line)
{
	say(line, "%u %.32s are needed, %u are free; %s", facts->gpus,
	    name_of(facts->flavor, "GPUs"), facts->free,
	    facts->rank == 1 ? "it goes first" : "it is not ranked");
}

static bool always(const struct gw_explain_facts *facts)
{
	(void)facts;
	return true;
}

static void say_nothing(const struct gw_explain_facts *facts, const struct say *line)
{
	(void)facts;
	say(line, "may start in the next scheduling pass");
}

/* The first row that applies is the reason. */
static const struct reason {
	enum gw_explain_tier tier;
	enum gw_problem problem;
	bool (*applies)(const struct gw_explain_facts *facts);
	void (*say)(const struct gw_explain_facts *facts, const struct say *line);
} reasons[] = {
	{GW_TIER_MISCONFIGURED, GW_PROBLEM_INVISIBLE, is_misconfigured, say_misconfigured},
	{GW_TIER_MISCONFIGURED, GW_PROBLEM_INVISIBLE, is_unregistered, say_unregistered},
	{GW_TIER_NEVER_FITS, GW_PROBLEM_UNAVAILABLE, is_never, say_never},
	{GW_TIER_HELD, GW_PROBLEM_UNCONTROLLED, is_held, say_held},
	{GW_TIER_OVER_QUOTA, GW_PROBLEM_UNCONTROLLED, is_over_quota, say_over_quota},
	{GW_TIER_TOPOLOGY, GW_PROBLEM_UNAVAILABLE, is_fragmented, say_fragmented},
	{GW_TIER_BEHIND, GW_PROBLEM_UNCONTROLLED, is_stepping_back, say_stepping_back},
	{GW_TIER_BEHIND, GW_PROBLEM_UNCONTROLLED, is_behind, say_behind},
	{GW_TIER_BEHIND, GW_PROBLEM_UNAVAILABLE, is_first_and_busy, say_busy},
	{GW_TIER_NONE, GW_PROBLEM_NONE, always, say_nothing},
};

static void explain_reason(const struct gw_explain_facts *facts, struct gw_explanation *explanation)
{
	const struct reason *reason = reasons;
	struct say line = {explanation->line, sizeof(explanation->line)};
	int length = 0;

	while (!reason->applies(facts))
		reason++;
	explanation->tier = reason->tier;
	explanation->problem = reason->problem;
	if (reason->problem != GW_PROBLEM_NONE)
		length = snprintf(line.text, line.size, "%s: ", gw_problem_name(reason->problem));
	line.text += length;
	line.size -= (size_t)length;
	reason->say(facts, &line);
}

void gw_explain(const struct gw_explain_facts *facts, struct gw_explanation *explanation)
{
	*explanation = (struct gw_explanation){0};
	explain_reason(facts, explanation);
	gw_explain_figures(facts, explanation);
	gw_explain_changes(facts, explanation);
}

const char *gw_explain_tier_name(enum gw_explain_tier tier)
{
	static const char *const names[GW_TIER_COUNT] = {
		[GW_TIER_MISCONFIGURED] = "misconfigured",
		[GW_TIER_NEVER_FITS] = "never-fits",
		[GW_TIER_HELD] = "held",
		[GW_TIER_OVER_QUOTA] = "over-quota",
		[GW_TIER_TOPOLOGY] = "topology",
		[GW_TIER_BEHIND] = "behind",
		[GW_TIER_NONE] = "none",
	};

	return names[tier];
}

const char *gw_problem_name(enum gw_problem problem)
{
	static const char *const names[GW_PROBLEM_COUNT] = {
		[GW_PROBLEM_INVISIBLE] = "invisible",
		[GW_PROBLEM_UNAVAILABLE] = "unavailable",
		[GW_PROBLEM_UNCONTROLLED] = "uncontrolled",
		[GW_PROBLEM_NONE] = "none",
	};

	return names[problem];
}
