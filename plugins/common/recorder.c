// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/recorder.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "plugins/common/engine.h"

struct recorder {
	atomic_uint left[GW_DECISION_KIND_COUNT];
	pthread_mutex_t lock;
	struct gw_str text; /* all of them, under lock */
};

static struct recorder *recorder_get(void)
{
	static struct recorder recorder = {.lock = PTHREAD_MUTEX_INITIALIZER};

	return &recorder;
}

bool gw_recorder_wants(enum gw_decision_kind kind)
{
	return atomic_load_explicit(&recorder_get()->left[kind], memory_order_relaxed) > 0;
}

void gw_recorder_reset(uint32_t count)
{
	struct recorder *recorder = recorder_get();

	pthread_mutex_lock(&recorder->lock);
	gw_str_free(&recorder->text);
	recorder->text = (struct gw_str){0};
	for (int kind = 0; kind < GW_DECISION_KIND_COUNT; kind++)
		atomic_store(&recorder->left[kind], count);
	pthread_mutex_unlock(&recorder->lock);
}

/* Hands all that is recorded so far to the engine's thread. The lock is held. */
static void hand_over(struct recorder *recorder)
{
	char *copy = gw_strndup(gw_str_text(&recorder->text), recorder->text.length);

	if (copy)
		gw_engine_keep_file("decisions", 0600, copy);
}

void gw_recorder_add(const struct gw_policy *policy, struct gw_decision *decision)
{
	struct recorder *recorder = recorder_get();
	struct gw_error why = {{0}};
	size_t before;

	decision->at = time(NULL);
	decision->conf = gw_policy_sum(policy);
	pthread_mutex_lock(&recorder->lock);
	before = recorder->text.length;
	if (gw_recorder_wants(decision->kind)) {
		atomic_fetch_sub(&recorder->left[decision->kind], 1);
		if (!gw_decision_write(decision, &recorder->text, &why))
			hand_over(recorder);
		else if (recorder->text.data)
			/* A part of it may be there. */
			recorder->text.data[recorder->text.length = before] = '\0';
	}
	pthread_mutex_unlock(&recorder->lock);
}
