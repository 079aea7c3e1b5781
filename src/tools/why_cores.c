// SPDX-License-Identifier: GPL-2.0-or-later
#include "why_cores.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../topo/topo.h"
#include "../util/hostlist.h"

/* So many different answers are told; a gang has the same on most nodes. */
#define ANSWERS_MAX 4

/* What is true of some nodes of the job, in CPUs. */
struct answer {
	uint32_t all, same_socket, elsewhere;
	char *first; /* of these nodes */
	uint32_t nodes;
};

struct telling {
	gw_core_map_function *ask;
	void *arg;
	struct answer answer[ANSWERS_MAX];
	size_t count;
	uint32_t nodes; /* of the job */
	bool failed;
};

/* The word after key, up to a blank; NULL: there is no such key. */
static char *word_after(const char *line, const char *key)
{
	const char *at = strstr(line, key);

	return at ? gw_strndup(at + strlen(key), strcspn(at + strlen(key), " \n")) : NULL;
}

/* The GPUs of "0-1" in "(IDX:0-1)", so many characters. None where it is no list. */
static gw_gpus gpus_of_index(const char *index, size_t length)
{
	uint8_t marked[GW_SHAPE_GPUS_MAX] = {0};
	char list[128];
	gw_gpus set = 0;

	snprintf(list, sizeof(list), "%.*s", (int)length, index);
	if (length >= sizeof(list) || !gw_topo_mark_list(list, GW_SHAPE_GPUS_MAX, marked))
		return 0;
	for (uint32_t gpu = 0; gpu < GW_SHAPE_GPUS_MAX; gpu++)
		set |= (gw_gpus)marked[gpu] << gpu;
	return set;
}

/* Of "gpu:h100:2(IDX:0-1),nic:1(IDX:0)" the GPUs, of all types. */
static gw_gpus gpus_of(const char *gres)
{
	gw_gpus set = 0;

	while (*gres) {
		size_t name = strcspn(gres, ":(,");
		const char *index = strstr(gres, "(IDX:"), *end = strchr(gres, ')');

		if (!index || !end || end < index)
			break;
		if (name == 3 && !strncmp(gres, "gpu", 3))
			set |= gpus_of_index(index + 5, (size_t)(end - index) - 5);
		gres = end + 1 + (end[1] == ',');
	}
	return set;
}

/* The cores on which CPUs are, which Slurm numbers core by core. False: the node lacks some. */
static bool cores_of(const struct gw_core_map *map, const char *cpu_list, struct gw_cores *cores,
		     struct telling *telling)
{
	uint32_t cpus = map->cores * map->threads;
	uint8_t *marked = calloc(cpus, 1);
	bool known = marked && gw_topo_mark_list(cpu_list, cpus, marked);

	telling->failed |= !marked;
	for (uint32_t cpu = 0; known && cpu < cpus; cpu++)
		if (marked[cpu])
			gw_cores_add(cores, cpu / map->threads);
	free(marked);
	return known;
}

static bool near_of(const struct gw_core_map *map, gw_gpus gpus, struct gw_cores *near)
{
	memset(near, 0, sizeof(*near));
	for (uint32_t gpu = 0; gpu < GW_SHAPE_GPUS_MAX; gpu++) {
		if (!(gpus >> gpu & 1))
			continue;
		if (gpu >= map->gpus || !gw_cores_count(&map->near[gpu]))
			return false;
		for (int i = 0; i < GW_CORES_WORDS; i++)
			near->word[i] |= map->near[gpu].word[i];
	}
	return gpus != 0;
}

static void add_answer(struct telling *telling, const struct answer *like, const char *node)
{
	struct answer *answer = telling->answer;
	size_t i = 0;

	while (i < telling->count &&
	       (answer[i].all != like->all || answer[i].same_socket != like->same_socket ||
		answer[i].elsewhere != like->elsewhere))
		i++;
	if (i == ANSWERS_MAX)
		return;
	if (i == telling->count) {
		answer[i] = *like;
		answer[i].first = gw_strdup(node);
		telling->failed |= !answer[i].first;
		telling->count++;
	}
	answer[i].nodes++;
}

static void tell_node(struct telling *telling, const char *node, const char *cpu_list, gw_gpus gpus)
{
	struct gw_core_map map = {0};
	struct gw_coreset_count count;
	struct answer answer = {0};
	struct gw_cores near, held = {{0}};

	if (!telling->ask(telling->arg, node, &map) || !map.threads || !near_of(&map, gpus, &near))
		return;
	if (map.cores > GW_CORES_MAX || !cores_of(&map, cpu_list, &held, telling))
		return;
	count = gw_coreset_count(&held, &near, map.per_socket);
	if (!(count.same_socket + count.elsewhere))
		return;
	answer.all = (count.near + count.same_socket + count.elsewhere) * map.threads;
	answer.same_socket = count.same_socket * map.threads;
	answer.elsewhere = count.elsewhere * map.threads;
	add_answer(telling, &answer, node);
}

/* One line of the record: nodes that were given the same. */
static void tell_line(struct telling *telling, const char *line)
{
	char *nodes = word_after(line, " Nodes="), *cpus = word_after(line, " CPU_IDs=");
	char *gres = word_after(line, " GRES=");
	struct gw_strings names = {0};

	if (nodes && cpus && gres && !gw_hostlist_expand(nodes, GW_HOSTLIST_MAX, &names, NULL))
		for (size_t i = 0; i < names.count; i++)
			tell_node(telling, names.item[i], cpus, gpus_of(gres));
	telling->nodes += (uint32_t)names.count;
	gw_strings_free(&names);
	free(nodes);
	free(cpus);
	free(gres);
}

static void say_some(uint32_t cpus, const char *where, struct gw_str *text)
{
	if (cpus)
		gw_str_appendf(text, ", %u %s of %s", cpus, cpus == 1 ? "is" : "are", where);
}

static void say_answer(const struct telling *telling, const struct answer *answer,
		       struct gw_str *text)
{
	uint32_t near = answer->all - answer->same_socket - answer->elsewhere;

	gw_str_appendf(text, "%s%u of %u CPUs are near its GPUs", text->length ? "; " : "", near,
		       answer->all);
	say_some(answer->same_socket, "the same socket", text);
	say_some(answer->elsewhere, "another socket", text);
	if (telling->nodes > 1)
		gw_str_appendf(text, " on %s", answer->first);
	if (answer->nodes > 1)
		gw_str_appendf(text, " and %u more node%s", answer->nodes - 1,
			       answer->nodes > 2 ? "s" : "");
}

void gw_why_cores(const char *record, gw_core_map_function *ask, void *arg, struct gw_str *text)
{
	struct telling telling = {.ask = ask, .arg = arg};
	const char *at = record;

	while ((at = strstr(at, " Nodes="))) {
		const char *next = strstr(at + 1, " Nodes=");
		char *line = gw_strndup(at, next ? (size_t)(next - at) : strlen(at));

		telling.failed |= !line;
		if (line)
			tell_line(&telling, line);
		free(line);
		at++;
	}
	for (size_t i = 0; i < telling.count; i++) {
		say_answer(&telling, &telling.answer[i], text);
		free(telling.answer[i].first);
	}
	text->failed |= telling.failed;
}
