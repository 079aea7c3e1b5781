// SPDX-License-Identifier: GPL-2.0-or-later
#include "gres_shape.h"

#include <stdlib.h>
#include <string.h>

#include "../topo/topo.h"
#include "../util/hostlist.h"
#include "../util/parse.h"

/* Slurm's own bound for GRES of one name on a node. */
#define GRES_MAX 1024

/* Links= as numbers. */
struct links {
	int number[GW_SHAPE_GPUS_MAX];
	size_t count;
};

static uint32_t number_at(const struct gw_slurm_conf *slurm, size_t at, const char *key)
{
	const char *value = gw_slurm_line_value(slurm, at, key);
	uint64_t number;

	if (!value || gw_parse_count(value, &number, NULL) || number > UINT16_MAX)
		return 0;
	return (uint32_t)number;
}

static uint32_t at_least_one(uint32_t number)
{
	return number ? number : 1;
}

/* Slurm takes either spelling. */
static uint32_t cpus_at(const struct gw_slurm_conf *slurm, size_t at)
{
	uint32_t cpus = number_at(slurm, at, "CPUs");

	return cpus ? cpus : number_at(slurm, at, "Procs");
}

struct gw_gres_cores gw_gres_cores_of_line(const struct gw_slurm_conf *slurm, size_t at)
{
	uint32_t boards = at_least_one(number_at(slurm, at, "Boards"));
	uint32_t on_board = number_at(slurm, at, "SocketsPerBoard");
	uint32_t sockets = number_at(slurm, at, "Sockets"), cpus = cpus_at(slurm, at);
	struct gw_gres_cores cores = {
		.per_socket = at_least_one(number_at(slurm, at, "CoresPerSocket")),
		.threads = at_least_one(number_at(slurm, at, "ThreadsPerCore")),
	};

	/* Slurm takes the sockets from CPUs when nothing else says them and it comes out even. */
	if (on_board)
		sockets = boards * on_board;
	if (!sockets && !(cpus % (cores.per_socket * cores.threads)))
		sockets = cpus / (cores.per_socket * cores.threads);
	if (!sockets)
		sockets = boards;
	cores.sockets = at_least_one(sockets);
	return cores;
}

static int complain(const struct gw_gres_gpu *gpu, struct gw_error *error)
{
	return gw_error_prefix(error, "%s:%d: ", gpu->line->file, gpu->line->record.pair[0].line);
}

static int add_gpu(struct gw_gres_gpus *gpus, const struct gw_gres_gpu *like, const char *directory,
		   size_t length, const char *file, struct gw_error *error)
{
	struct gw_gres_gpu *items = gw_array_room(gpus->item, gpus->count, sizeof(*items));
	struct gw_str device = {0};

	if (!items)
		return gw_error_memory(error);
	gpus->item = items;
	items[gpus->count] = *like;
	if (file) {
		gw_str_append_n(&device, directory, length);
		gw_str_append(&device, file);
		items[gpus->count].device = gw_str_take(&device);
		if (!items[gpus->count].device)
			return gw_error_memory(error);
	}
	gpus->count++;
	return 0;
}

/* One item of File=, such as /dev/nvidia[0-7]. */
static int add_files(struct gw_gres_gpus *gpus, const struct gw_gres_gpu *like, const char *path,
		     struct gw_error *error)
{
	size_t plain = strcspn(path, "["), directory = plain;
	struct gw_strings names = {0};
	int rc = 0;

	while (directory && path[directory - 1] != '/')
		directory--;
	if (gw_hostlist_expand(path + directory, GRES_MAX, &names, NULL))
		return gw_error_set(error,
				    "File=%s: must be one device file or at most %d, such as "
				    "/dev/nvidia[0-7]",
				    path, GRES_MAX);
	for (size_t i = 0; !rc && i < names.count; i++)
		rc = add_gpu(gpus, like, path, directory, names.item[i], error);
	gw_strings_free(&names);
	return rc;
}

static int add_all_files(struct gw_gres_gpus *gpus, const struct gw_gres_gpu *like,
			 const char *files, struct gw_error *error)
{
	while (*files) {
		bool inside = false;
		size_t length;
		char *item;
		int rc;

		for (length = 0; files[length] && (inside || files[length] != ','); length++)
			inside = files[length] == '[' || (inside && files[length] != ']');
		item = gw_strndup(files, length);
		rc = item ? add_files(gpus, like, item, error) : gw_error_memory(error);
		free(item);
		if (rc)
			return rc;
		files += length + (files[length] == ',');
	}
	return 0;
}

static int add_count(struct gw_gres_gpus *gpus, const struct gw_gres_gpu *like, const char *count,
		     struct gw_error *error)
{
	uint64_t number = 1;

	if (count && (gw_parse_count_k(count, &number, NULL) || number > GRES_MAX))
		return gw_error_set(error, "Count=%s: must be a number up to %d", count, GRES_MAX);
	for (uint64_t i = 0; i < number; i++)
		if (add_gpu(gpus, like, NULL, 0, NULL, error))
			return -1;
	return 0;
}

/* Slurm takes either spelling, and of two the first. */
static const char *either(const struct gw_record *record, const char *key, const char *other)
{
	const char *value = gw_record_value(record, key);

	return value ? value : gw_record_value(record, other);
}

static int add_line(struct gw_gres_gpus *gpus, const struct gw_slurm_line *line,
		    struct gw_error *error)
{
	const struct gw_record *record = &line->record;
	const char *files = either(record, "File", "Files");
	const struct gw_gres_gpu like = {
		.type = gw_record_value(record, "Type"),
		.cores = either(record, "Cores", "CPUs"),
		.links = either(record, "Links", "Link"),
		.line = line,
		.slice = gw_record_value(record, "MultipleFiles") != NULL,
	};
	int rc;

	if (like.slice)
		rc = add_gpu(gpus, &like, NULL, 0, NULL, error);
	else if (files)
		rc = add_all_files(gpus, &like, files, error);
	else
		rc = add_count(gpus, &like, gw_record_value(record, "Count"), error);
	return rc ? complain(&like, error) : 0;
}

/* By the Slurm that has it first; 22.05 is the first one that is supported. */
static const struct {
	const char *word;
	uint32_t since;
} detectors[] = {
	{"nvml", GW_SLURM_VERSION(22, 5, 0)},    {"rsmi", GW_SLURM_VERSION(22, 5, 0)},
	{"oneapi", GW_SLURM_VERSION(22, 5, 0)},  {"nrt", GW_SLURM_VERSION(23, 11, 0)},
	{"nvidia", GW_SLURM_VERSION(24, 11, 0)},
};

#define DETECTORS (sizeof(detectors) / sizeof(detectors[0]))

uint32_t gw_gres_detects_since(const char *detect)
{
	for (size_t i = 0; i < DETECTORS; i++)
		for (const char *at = detect; *at; at++)
			if (gw_same_n(at, detectors[i].word, strlen(detectors[i].word)))
				return detectors[i].since;
	return 0;
}

void gw_gres_detectors(uint32_t slurm_version, struct gw_str *words)
{
	for (size_t i = 0; i < DETECTORS; i++)
		if (detectors[i].since <= slurm_version)
			gw_str_appendf(words, "%s%s", words->length ? ", " : "", detectors[i].word);
}

static bool is_on(const char *detect)
{
	return detect && gw_gres_detects_since(detect);
}

/* Whether a line is for the node. -1: it can not be told. */
static int line_is_for(const struct gw_slurm_line *line, const char *node, struct gw_error *error)
{
	const struct gw_pair *first = &line->record.pair[0];
	struct gw_strings names = {0};
	bool is_for;

	if (!gw_same(first->key, "NodeName"))
		return true;
	if (gw_hostlist_expand(first->value, GW_HOSTLIST_MAX, &names, error))
		return gw_error_prefix(error, "%s:%d: NodeName=%s: ", line->file, first->line,
				       first->value);
	is_for = gw_strings_have(&names, node);
	gw_strings_free(&names);
	return is_for;
}

static int read_line(struct gw_gres_gpus *gpus, const struct gw_slurm_line *line, const char *node,
		     struct gw_error *error)
{
	const char *name = gw_record_value(&line->record, "Name");
	const char *detect = gw_record_value(&line->record, "AutoDetect");
	int is_for = line_is_for(line, node, error);

	if (is_for <= 0)
		return is_for;
	/* A word that Slurm does not know leaves what is said for all nodes. */
	if (detect && gw_same(line->record.pair[0].key, "NodeName") &&
	    (is_on(detect) || gw_same(detect, "off")))
		gpus->detected = is_on(detect);
	return name && gw_same(name, "gpu") ? add_line(gpus, line, error) : 0;
}

int gw_gres_gpus_of_node(const struct gw_slurm_conf *gres, const char *node,
			 struct gw_findings *refused, struct gw_gres_gpus *gpus,
			 struct gw_error *error)
{
	*gpus = (struct gw_gres_gpus){.detected = is_on(gw_slurm_value(gres, "AutoDetect", NULL))};
	for (size_t i = 0; i < gres->line_count; i++) {
		struct gw_error why = {0};

		if (!read_line(gpus, &gres->line[i], node, &why))
			continue;
		if (!refused)
			return gw_error_set(error, "%s", why.text);
		gw_findings_add_error(refused, gres->line[i].file, why.text);
	}
	return 0;
}

void gw_gres_gpus_free(struct gw_gres_gpus *gpus)
{
	for (size_t i = 0; i < gpus->count; i++)
		free(gpus->item[i].device);
	free(gpus->item);
	*gpus = (struct gw_gres_gpus){0};
}

/* A place without a number is an error: Slurm reads 0 there, or skips it, by version. */
static int read_links(const struct gw_gres_gpu *gpu, struct links *links, struct gw_error *error)
{
	const char *at = gpu->links;

	for (links->count = 0;; links->count++) {
		char *end;
		long number = strtol(at, &end, 10);

		if (end == at && (*at == ',' || !*at))
			return gw_error_set(error, "Links=%s: place %zu is empty", gpu->links,
					    links->count);
		if (end == at || gw_is_space(*at) || (*end && *end != ','))
			return gw_error_set(error, "Links=%s: place %zu is no number", gpu->links,
					    links->count);
		if (number < -1 || number > UINT16_MAX)
			return gw_error_set(error,
					    "Links=%s: place %zu must be -1, for the GPU itself, "
					    "or from 0 to %d",
					    gpu->links, links->count, UINT16_MAX);
		if (links->count == GW_SHAPE_GPUS_MAX)
			return gw_error_set(error, "Links=%s: more than %d numbers", gpu->links,
					    GW_SHAPE_GPUS_MAX);
		links->number[links->count] = (int)number;
		if (!*end)
			break;
		at = end + 1;
	}
	links->count++;
	return 0;
}

/* Cores= as cores, or as the threads that Slurm 22.05 takes for them. False: they are neither. */
static bool mark_cores(const struct gw_gres_gpu *gpu, const struct gw_gres_cores *cores,
		       uint8_t *marked)
{
	uint32_t count = cores->sockets * cores->per_socket;
	char translated[GW_TOPO_CORES_SIZE];
	const char *list = gpu->cores;

	if (gw_topo_cores_of_threads(list, count, cores->threads, translated, sizeof(translated)))
		list = translated;
	return gw_topo_mark_list(list, count, marked);
}

static int find_cores(const struct gw_gres_gpu *gpu, const struct gw_gres_cores *cores,
		      struct gw_topo_row *row, struct gw_error *error)
{
	uint32_t count = cores->sockets * cores->per_socket, marks = 0;
	uint8_t *marked;

	row->core = GW_TOPO_NO_CORE;
	if (!gpu->cores)
		return 0;
	marked = calloc(count, 1);
	if (!marked)
		return gw_error_memory(error);
	mark_cores(gpu, cores, marked);
	for (uint32_t core = count; core-- > 0;) {
		if (!marked[core])
			continue;
		row->core = core;
		marks++;
	}
	row->everywhere = marks == count;
	free(marked);
	return 0;
}

static int cores_fit(const struct gw_gres_gpu *gpu, const struct gw_gres_cores *cores,
		     struct gw_error *error)
{
	uint32_t count = cores->sockets * cores->per_socket;
	uint8_t *marked = calloc(count, 1);
	bool good;

	if (!marked)
		return gw_error_memory(error);
	good = mark_cores(gpu, cores, marked);
	free(marked);
	if (good)
		return 0;
	return gw_error_set(error,
			    "Cores=%s: must be a list such as 0-15,32-47; the node has cores 0-%u",
			    gpu->cores, count - 1);
}

/* Where the GPU says that it stands itself; count when it does not. */
static size_t own_place(const struct links *links)
{
	size_t place = 0;

	while (place < links->count && links->number[place] != -1)
		place++;
	return place;
}

/* slurmd sorts GPUs that it has detected by their own place in Links=; a stable sort. */
static void sort_as_slurmd(struct gw_gres_gpus *gpus, struct links *links)
{
	for (size_t i = 1; i < gpus->count; i++) {
		for (size_t k = i; k && own_place(&links[k]) < own_place(&links[k - 1]); k--) {
			struct gw_gres_gpu gpu = gpus->item[k];
			struct links moved = links[k];

			gpus->item[k] = gpus->item[k - 1];
			gpus->item[k - 1] = gpu;
			links[k] = links[k - 1];
			links[k - 1] = moved;
		}
	}
}

static int make_shape(struct gw_gres_gpus *gpus, struct links *links, bool have_links,
		      const struct gw_gres_cores *cores, struct gw_shape_info *shape,
		      struct gw_error *error)
{
	uint32_t count = (uint32_t)gpus->count;
	struct gw_topo_row rows[GW_SHAPE_GPUS_MAX];

	if (have_links && gpus->detected)
		sort_as_slurmd(gpus, links);
	for (size_t i = 0; i < gpus->count; i++) {
		rows[i] =
			(struct gw_topo_row){.link = links[i].number, .link_count = links[i].count};
		if (find_cores(&gpus->item[i], cores, &rows[i], error))
			return -1;
	}
	for (uint32_t i = 0; i < count; i++)
		if (gw_topo_check_row(rows, count, i, error))
			return complain(&gpus->item[i], error);
	return gw_topo_shape_from_links(rows, count, cores->sockets, cores->per_socket, shape,
					error);
}

int gw_gres_shape(struct gw_gres_gpus *gpus, const struct gw_gres_cores *cores,
		  struct gw_shape_info *shape, struct gw_error *error)
{
	struct links links[GW_SHAPE_GPUS_MAX] = {0};
	bool have_links = false, have_cores = false;

	if (gpus->count > GW_SHAPE_GPUS_MAX)
		return 1;
	for (size_t i = 0; i < gpus->count; i++) {
		const struct gw_gres_gpu *gpu = &gpus->item[i];

		if (gpu->cores && cores_fit(gpu, cores, error))
			return complain(gpu, error);
		if (gpu->slice)
			return 1;
		have_links = have_links || gpu->links;
		have_cores = have_cores || gpu->cores;
		if (gpu->links && read_links(gpu, &links[i], error))
			return complain(gpu, error);
	}
	if (!have_links && !have_cores)
		return 1;
	return make_shape(gpus, links, have_links, cores, shape, error);
}

int gw_gres_shape_of_node(const struct gw_slurm_conf *gres, const char *node,
			  const struct gw_gres_cores *cores, struct gw_shape_info *shape,
			  struct gw_error *error)
{
	struct gw_gres_gpus gpus;
	int rc = gw_gres_gpus_of_node(gres, node, NULL, &gpus, error);

	if (!rc)
		rc = gw_gres_shape(&gpus, cores, shape, error);
	gw_gres_gpus_free(&gpus);
	return rc;
}
