// SPDX-License-Identifier: GPL-2.0-or-later
/* Nodes as slurmctld has them, and what Slurm's select plugin finds on each for one job. */
#include "tests/bench.d/hook.h"

#include "plugins/common/learned_state.h"
#include "plugins/common/weak.h"

#define LINKS_NEAR 4 /* of two GPUs of a socket */
#define LINKS_FAR  2

static int links(int gpu, int other)
{
	if (gpu == other)
		return -1;
	return gpu / HOOK_GPUS_A_SOCKET == other / HOOK_GPUS_A_SOCKET ? LINKS_NEAR : LINKS_FAR;
}

static void make_gpu(gres_node_state_t *gpus, int gpu)
{
	int first = gpu * HOOK_CORES_A_GPU;

	gpus->links_cnt[gpu] = xcalloc(HOOK_GPUS, sizeof(int));
	for (int other = 0; other < HOOK_GPUS; other++)
		gpus->links_cnt[gpu][other] = links(gpu, other);
	gpus->topo_core_bitmap[gpu] = bit_alloc(HOOK_CORES);
	bit_nset(gpus->topo_core_bitmap[gpu], first, first + HOOK_CORES_A_GPU - 1);
	gpus->topo_gres_bitmap[gpu] = bit_alloc(HOOK_GPUS);
	bit_set(gpus->topo_gres_bitmap[gpu], gpu);
}

static gres_state_t *make_gpus(void)
{
	gres_state_t *state = xcalloc(1, sizeof(*state));
	gres_node_state_t *gpus = xcalloc(1, sizeof(*gpus));

	gpus->gres_cnt_found = gpus->gres_cnt_config = gpus->gres_cnt_avail = HOOK_GPUS;
	gpus->gres_bit_alloc = bit_alloc(HOOK_GPUS);
	gpus->topo_cnt = HOOK_GPUS;
	gpus->link_len = HOOK_GPUS;
	gpus->links_cnt = xcalloc(HOOK_GPUS, sizeof(*gpus->links_cnt));
	gpus->topo_core_bitmap = xcalloc(HOOK_GPUS, sizeof(*gpus->topo_core_bitmap));
	gpus->topo_gres_bitmap = xcalloc(HOOK_GPUS, sizeof(*gpus->topo_gres_bitmap));
	gpus->topo_type_id = xcalloc(HOOK_GPUS, sizeof(*gpus->topo_type_id));
	for (int gpu = 0; gpu < HOOK_GPUS; gpu++)
		make_gpu(gpus, gpu);
	state->gres_name = xstrdup("gpu");
	state->gres_data = gpus;
	return state;
}

static node_record_t *make_node(uint32_t index)
{
	node_record_t *node = xcalloc(1, sizeof(*node));

	node->name = xstrdup_printf("node%05u", index);
	node->index = index;
	node->boards = 1;
	node->tot_sockets = HOOK_SOCKETS;
	node->cores = HOOK_CORES / HOOK_SOCKETS;
	node->tot_cores = HOOK_CORES;
	node->tpc = 1;
	node->real_memory = HOOK_MEMORY;
	node->last_response = 1;
	node->sched_weight = 1 << 16;
	node->gres_list = list_create(NULL);
	list_append(node->gres_list, make_gpus());
	return node;
}

/* What select makes of a node for the job: nothing of it yet. */
static avail_res_t *make_resources(struct hook_cluster *cluster, uint32_t node)
{
	avail_res_t *resources = xcalloc(1, sizeof(*resources));
	sock_gres_t *gres = xcalloc(1, sizeof(*gres));

	gres->sock_cnt = HOOK_SOCKETS;
	gres->bits_by_sock = xcalloc(HOOK_SOCKETS, sizeof(*gres->bits_by_sock));
	gres->cnt_by_sock = xcalloc(HOOK_SOCKETS, sizeof(*gres->cnt_by_sock));
	for (int socket = 0; socket < HOOK_SOCKETS; socket++)
		gres->bits_by_sock[socket] = bit_alloc(HOOK_GPUS);
	gres->gres_state_node = list_peek(node_record_table_ptr[node]->gres_list);
	gres->gres_state_job = &cluster->request_state;
	gres->max_node_gres = HOOK_GPUS;
	resources->tpc = 1;
	resources->sock_cnt = HOOK_SOCKETS;
	resources->avail_cores_per_sock =
		xcalloc(HOOK_SOCKETS, sizeof(*resources->avail_cores_per_sock));
	resources->sock_gres_list = list_create(NULL);
	list_append(resources->sock_gres_list, gres);
	return resources;
}

static void offer_gpu(sock_gres_t *gres, avail_res_t *resources, bitstr_t *cores, int gpu)
{
	int socket = gpu / HOOK_GPUS_A_SOCKET, first = gpu * HOOK_CORES_A_GPU;

	bit_set(gres->bits_by_sock[socket], gpu);
	gres->cnt_by_sock[socket]++;
	gres->total_cnt++;
	bit_nset(cores, first, first + HOOK_CORES_A_GPU - 1);
	resources->avail_cores_per_sock[socket] += HOOK_CORES_A_GPU;
	resources->avail_cpus += HOOK_CORES_A_GPU;
}

static void offer_nothing(sock_gres_t *gres, avail_res_t *resources, bitstr_t *cores)
{
	gres->total_cnt = 0;
	resources->avail_cpus = 0;
	bit_clear_all(cores);
	for (int socket = 0; socket < HOOK_SOCKETS; socket++) {
		bit_clear_all(gres->bits_by_sock[socket]);
		gres->cnt_by_sock[socket] = 0;
		resources->avail_cores_per_sock[socket] = 0;
	}
}

void hook_node_set(struct hook_cluster *cluster, uint32_t node, gw_gpus busy)
{
	avail_res_t *resources = cluster->question.avail_res[node];
	bitstr_t *cores = cluster->question.avail_core[node];
	sock_gres_t *gres = list_peek(resources->sock_gres_list);
	gres_node_state_t *gpus = gres->gres_state_node->gres_data;

	offer_nothing(gres, resources, cores);
	bit_clear_all(gpus->gres_bit_alloc);
	for (int gpu = 0; gpu < HOOK_GPUS; gpu++) {
		if (busy >> gpu & 1)
			bit_set(gpus->gres_bit_alloc, gpu);
		else
			offer_gpu(gres, resources, cores, gpu);
	}
	gpus->gres_cnt_alloc = gw_gpus_count(busy);
	cluster->usage[node].alloc_memory = HOOK_MEMORY / HOOK_GPUS * gw_gpus_count(busy);
	cluster->busy[node] = busy;
}

static int answer_as_given(struct gw_placement *question)
{
	(void)question;
	return SLURM_SUCCESS;
}

static void make_job(struct hook_cluster *cluster)
{
	job_record_t *job = &cluster->job;

	cluster->request_state.gres_name = xstrdup("gpu");
	cluster->request_state.gres_data = &cluster->request;
	cluster->details.pn_min_cpus = 1;
	cluster->details.cpus_per_task = 1;
	cluster->details.core_spec = NO_VAL16;
	cluster->details.max_cpus = NO_VAL;
	job->details = &cluster->details;
	job->part_ptr = &cluster->partition;
	job->gres_list_req = list_create(NULL);
	list_append(job->gres_list_req, &cluster->request_state);
	job->job_id = 1;
	job->user_id = 1000;
	job->time_limit = 600;
}

static void make_question(struct hook_cluster *cluster)
{
	struct gw_placement *question = &cluster->question;

	make_job(cluster);
	question->job = &cluster->job;
	question->avail_res = xcalloc(cluster->count, sizeof(*question->avail_res));
	question->avail_core = xcalloc(cluster->count, sizeof(*question->avail_core));
	question->node_map = bit_alloc(cluster->count);
	question->cr_type = CR_CORE | CR_MEMORY;
	question->stock = answer_as_given;
	question->ask = &cluster->asked_of_stock;
	question->ask_size = sizeof(cluster->asked_of_stock);
	for (uint32_t node = 0; node < cluster->count; node++) {
		question->avail_res[node] = make_resources(cluster, node);
		question->avail_core[node] = bit_alloc(HOOK_CORES);
	}
}

static gw_gpus random_busy(struct gw_random *random)
{
	enum { ALL = (1 << HOOK_GPUS) - 1 };
	uint64_t of_ten = gw_random_below(random, 10);

	if (of_ten < 1)
		return 0;
	return of_ten < 4 ? ALL : 1 + (gw_gpus)gw_random_below(random, ALL - 1);
}

/* Each node that is in use has had a job for up to an hour, of a limit up to two days. */
static void learn(struct hook_cluster *cluster)
{
	struct gw_learned *learned = gw_learned_get();
	struct gw_error why = {{0}};
	time_t now = time(NULL);

	learned->predict = gw_predict_create(0, &why);
	learned->drain = gw_drain_create(&why);
	for (uint32_t node = 0; node < cluster->count; node++) {
		const struct gw_predict_running job = {
			.kind = {.queue = 1,
				 .user = 1000,
				 .gpus = 1,
				 .limit = 3600 *
					  (1 + (int64_t)gw_random_below(&cluster->random, 48))},
			.start = now - (int64_t)gw_random_below(&cluster->random, 3600)};

		if (cluster->busy[node])
			gw_drain_start(learned->drain, learned->predict, node + 1, &job, &node, 1,
				       now, &why);
	}
}

struct hook_cluster *hook_cluster_create(uint32_t nodes)
{
	struct hook_cluster *cluster = xcalloc(1, sizeof(*cluster));

	cluster->count = nodes;
	cluster->busy = xcalloc(nodes, sizeof(*cluster->busy));
	cluster->usage = xcalloc(nodes, sizeof(*cluster->usage));
	cluster->candidates = bit_alloc(nodes);
	gw_random_seed(&cluster->random, 1);
	node_record_count = (int)nodes;
	node_record_table_ptr = xcalloc(nodes, sizeof(*node_record_table_ptr));
	for (uint32_t node = 0; node < nodes; node++)
		node_record_table_ptr[node] = make_node(node);
	make_question(cluster);
	for (uint32_t node = 0; node < nodes; node++)
		hook_node_set(cluster, node, random_busy(&cluster->random));
	learn(cluster);
	return cluster;
}
