// SPDX-License-Identifier: GPL-2.0-or-later
#include "route_gpus.h"

#include <string.h>

/* More GPUs than any cluster has; keeps products inside 64 bits. */
#define COUNT_MAX 100000000U

/* One entry of GPUs in a TRES string; positions in that string. */
struct entry {
	const char *name_end; /* behind "gpu" */
	const char *type;     /* NULL: none */
	size_t type_length;
	uint32_t count;
};

/* Slurm's suffixes of counts. */
static uint64_t suffix_unit(const char *text, size_t length)
{
	static const char letters[] = "kmgtp";
	const char *letter;
	uint64_t base = 1024, unit = 1;

	if (!length)
		return 1;
	letter = strchr(letters, gw_to_lower(*text));
	if (!letter || !*letter)
		return 0;
	if (length == 2 && gw_to_lower(text[1]) == 'b')
		base = 1000;
	else if (length != 1 && !(length == 3 && gw_same_n(text + 1, "ib", 2)))
		return 0;
	for (const char *at = letters; at <= letter; at++)
		unit *= base;
	return unit;
}

/* A count as Slurm takes one: digits and a suffix. What is above COUNT_MAX is COUNT_MAX. */
static bool take_count(const char *text, size_t length, uint32_t *count)
{
	uint64_t number = 0, unit;
	size_t digits = 0;

	for (; digits < length && gw_is_digit(text[digits]); digits++)
		if (number < COUNT_MAX)
			number = number * 10 + (uint64_t)(text[digits] - '0');
	unit = suffix_unit(text + digits, length - digits);
	if (!digits || !unit)
		return false;
	*count = number && unit > COUNT_MAX / number ? COUNT_MAX : (uint32_t)(number * unit);
	return true;
}

static const char *last_of(const char *text, size_t length, char c)
{
	while (length--)
		if (text[length] == c)
			return text + length;
	return NULL;
}

/* What follows "gpu": nothing, :COUNT, =COUNT, :TYPE, :TYPE:COUNT or :TYPE=COUNT. */
static bool parse_rest(const char *rest, size_t length, struct entry *entry)
{
	const char *equals = last_of(rest, length, '=');
	const char *split = equals ? equals : last_of(rest, length, ':');
	size_t head, tail;

	entry->count = 1;
	if (!split)
		return true;
	head = (size_t)(split - rest);
	tail = length - head - 1;
	if (!take_count(split + 1, tail, &entry->count)) {
		/* An implied count of 1, behind a type alone. */
		if (equals || head || !tail)
			return false;
		head = length;
	}
	if (!head)
		return true;
	entry->type = rest + 1;
	entry->type_length = head - 1;
	return entry->type_length && entry->type_length < GW_GPU_TYPE_SIZE &&
	       !memchr(entry->type, ':', entry->type_length);
}

enum parsed {
	PARSED_OTHER, /* not GPUs */
	PARSED_BAD,
	PARSED_GPUS,
};

static enum parsed parse_entry(const char *text, size_t length, struct entry *entry)
{
	static const size_t name = 8; /* "gres/gpu" */

	*entry = (struct entry){0};
	if (length < name || !gw_same_n(text, "gres", 4) || (text[4] != ':' && text[4] != '/') ||
	    strncmp(text + 5, "gpu", 3) != 0)
		return PARSED_OTHER;
	if (length > name && text[name] != ':' && text[name] != '=')
		return PARSED_OTHER;
	entry->name_end = text + name;
	return parse_rest(text + name, length - name, entry) ? PARSED_GPUS : PARSED_BAD;
}

static struct gw_gpus_of_type *find_type(struct gw_gpus *gpus, const char *type, size_t length)
{
	struct gw_gpus_of_type *of;

	for (uint32_t i = 0; i < gpus->types; i++) {
		of = &gpus->of[i];
		if (strlen(of->type) == length && !strncmp(of->type, type, length))
			return of;
	}
	if (gpus->types == GW_GPU_TYPES_MAX)
		return NULL;
	of = &gpus->of[gpus->types++];
	memcpy(of->type, type, length);
	return of;
}

static int add_entry(struct gw_gpus *gpus, const struct entry *entry, enum gw_gpus_per per,
		     struct gw_error *error)
{
	struct gw_gpus_of_type *of;

	if (!entry->count)
		return 0;
	of = find_type(gpus, entry->type ? entry->type : "", entry->type_length);
	if (!of)
		return gw_error_set(error, "names more than %d types of GPU", GW_GPU_TYPES_MAX - 1);
	of->per[per] = entry->count;
	return 0;
}

static int read_tres(struct gw_gpus *gpus, const char *tres, enum gw_gpus_per per,
		     struct gw_error *error)
{
	while (*tres) {
		size_t length = strcspn(tres, ",");
		struct entry entry;
		enum parsed parsed = parse_entry(tres, length, &entry);

		if (parsed == PARSED_BAD)
			return gw_error_set(error, "%.*s can not be read",
					    (int)(length < 64 ? length : 64), tres);
		if (parsed == PARSED_GPUS && add_entry(gpus, &entry, per, error))
			return -1;
		tres += length;
		tres += *tres == ',';
	}
	return 0;
}

static uint32_t capped(uint64_t count)
{
	return count < COUNT_MAX ? (uint32_t)count : COUNT_MAX;
}

static uint32_t greater(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static uint32_t at_least_1(uint32_t count)
{
	return count ? count : 1;
}

static uint32_t up(uint32_t count, uint32_t by)
{
	return count / by + (count % by != 0);
}

/* Tasks, where Slurm derives them; 0 where nothing says. */
static uint32_t tasks_of(const struct gw_gpus_request *request, const struct gw_gpus_of_type *of)
{
	uint32_t nodes = request->nodes_min;

	if (request->tasks)
		return request->tasks;
	if (nodes && nodes == request->nodes_max) {
		if (request->tasks_per_gpu)
			return capped((uint64_t)nodes * request->tasks_per_gpu);
		if (request->tasks_per_node)
			return capped((uint64_t)nodes * request->tasks_per_node);
		if (!request->cpus_per_task)
			return nodes;
	}
	if (of->per[GW_PER_JOB] && of->per[GW_PER_TASK])
		return of->per[GW_PER_JOB] / of->per[GW_PER_TASK];
	return 0;
}

/* Sockets that a count per socket stands for, all nodes together. */
static uint64_t sockets_of(const struct gw_gpus_request *request, uint32_t nodes)
{
	if (request->sockets_per_node)
		return (uint64_t)nodes * request->sockets_per_node;
	if (request->tasks && request->tasks_per_socket)
		return up(request->tasks, request->tasks_per_socket);
	return nodes;
}

static uint32_t total_of(const struct gw_gpus_request *request, const struct gw_gpus_of_type *of,
			 uint32_t nodes)
{
	uint32_t tasks = tasks_of(request, of);
	uint64_t per_task = tasks ? tasks : (uint64_t)nodes * at_least_1(request->tasks_per_node);
	uint32_t total = of->per[GW_PER_JOB];

	total = greater(total, capped((uint64_t)of->per[GW_PER_NODE] * nodes));
	total = greater(total, capped(of->per[GW_PER_SOCKET] * sockets_of(request, nodes)));
	return greater(total, capped(of->per[GW_PER_TASK] * per_task));
}

static uint32_t per_node_of(const struct gw_gpus_request *request, const struct gw_gpus_of_type *of)
{
	uint32_t per_socket =
		capped((uint64_t)of->per[GW_PER_SOCKET] * at_least_1(request->sockets_per_node));
	uint32_t per_task =
		capped((uint64_t)of->per[GW_PER_TASK] * at_least_1(request->tasks_per_node));

	return greater(of->per[GW_PER_NODE], greater(per_socket, per_task));
}

/* GPUs per job and per node together say how many nodes. */
static void bound_nodes(struct gw_gpus *gpus)
{
	for (uint32_t i = 0; i < gpus->types; i++) {
		const uint32_t *per = gpus->of[i].per;

		if (per[GW_PER_JOB] && per[GW_PER_NODE] && per[GW_PER_JOB] >= per[GW_PER_NODE]) {
			gpus->nodes_min = per[GW_PER_JOB] / per[GW_PER_NODE];
			gpus->nodes_max = gpus->nodes_min;
		}
	}
}

/* The most it can hold, or 0 where the number of nodes is open. */
static uint32_t total_max_of(const struct gw_gpus_request *request, const struct gw_gpus *gpus)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < gpus->types; i++) {
		const struct gw_gpus_of_type *of = &gpus->of[i];
		bool fixed = of->per[GW_PER_JOB] || of->per[GW_PER_TASK];
		bool one_node = request->tasks <= 1 && !request->nodes_min;

		if (fixed || one_node)
			sum += of->total;
		else if (gpus->nodes_max)
			sum += total_of(request, of, gpus->nodes_max);
		else
			return 0;
	}
	return capped(sum);
}

/* --ntasks-per-gpu alone asks for GPUs by the number of tasks. */
static void imply_by_tasks(const struct gw_gpus_request *request, struct gw_gpus *gpus)
{
	if (gpus->types || !request->tasks_per_gpu || request->tasks < request->tasks_per_gpu)
		return;
	gpus->types = 1;
	gpus->of[0].per[GW_PER_JOB] = request->tasks / request->tasks_per_gpu;
}

int gw_gpus_read(const struct gw_gpus_request *request, struct gw_gpus *gpus,
		 struct gw_error *error)
{
	uint64_t typed = 0, typed_node = 0;
	uint32_t any = 0, any_node = 0;

	*gpus = (struct gw_gpus){.nodes_max = request->nodes_max};
	for (enum gw_gpus_per per = 0; per < GW_PER_COUNT; per++)
		if (request->tres[per] && read_tres(gpus, request->tres[per], per, error))
			return -1;
	imply_by_tasks(request, gpus);
	gpus->nodes_min = at_least_1(request->nodes_min);
	bound_nodes(gpus);
	for (uint32_t i = 0; i < gpus->types; i++) {
		struct gw_gpus_of_type *of = &gpus->of[i];

		of->total = total_of(request, of, gpus->nodes_min);
		if (*of->type) {
			typed += of->total;
			typed_node += per_node_of(request, of);
		} else {
			any = of->total;
			any_node = per_node_of(request, of);
		}
	}
	gpus->total = greater(any, capped(typed));
	gpus->per_node = greater(any_node, capped(typed_node));
	gpus->total_max = total_max_of(request, gpus);
	if (gpus->nodes_max == 1)
		gpus->per_node = greater(gpus->per_node, gpus->total);
	return 0;
}

unsigned int gw_gpus_type_tres(const char *tres, const char *type, struct gw_str *typed)
{
	unsigned int filled = 0;

	while (*tres) {
		size_t length = strcspn(tres, ",");
		size_t item = length + (tres[length] == ',');
		struct entry entry;

		if (parse_entry(tres, length, &entry) == PARSED_GPUS && !entry.type &&
		    entry.count) {
			size_t name = (size_t)(entry.name_end - tres);

			gw_str_append_n(typed, tres, name);
			gw_str_appendf(typed, ":%s", type);
			gw_str_append_n(typed, tres + name, item - name);
			filled++;
		} else {
			gw_str_append_n(typed, tres, item);
		}
		tres += item;
	}
	return filled;
}
