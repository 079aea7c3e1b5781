// SPDX-License-Identifier: GPL-2.0-or-later
/* A question put back after an answer that changed it: also where the answer sorted GRES. */
#include "plugins/common/snapshot.h"
#include "unit.h"

enum { NODES = 2, SOCKETS = 2, GPUS = 4, CORES = 8 };

static struct {
	job_record_t job;
	bitstr_t *avail_core[NODES];
	avail_res_t resources;
	avail_res_t *avail_res[NODES]; /* of node 1 alone */
	uint16_t cores[SOCKETS];
	sock_gres_t gpu, nic; /* by socket, and by number alone */
	bitstr_t *by_sock[SOCKETS];
	uint64_t cnt_by_sock[SOCKETS];
	int ask;
	struct gw_placement question;
} asked;

/* Nics come first in the list. */
static void make_question(void)
{
	memset(&asked, 0, sizeof(asked));
	for (int s = 0; s < SOCKETS; s++) {
		asked.by_sock[s] = bit_alloc(GPUS);
		bit_nset(asked.by_sock[s], s * GPUS / SOCKETS, (s + 1) * GPUS / SOCKETS - 1);
		asked.cnt_by_sock[s] = GPUS / SOCKETS;
		asked.cores[s] = CORES / SOCKETS;
	}
	asked.gpu = (sock_gres_t){.bits_by_sock = asked.by_sock,
				  .cnt_by_sock = asked.cnt_by_sock,
				  .sock_cnt = SOCKETS,
				  .total_cnt = GPUS};
	asked.nic = (sock_gres_t){.cnt_any_sock = 1, .total_cnt = 1};
	asked.resources = (avail_res_t){.avail_cpus = CORES,
					.sock_cnt = SOCKETS,
					.avail_cores_per_sock = asked.cores,
					.sock_gres_list = list_create(NULL)};
	list_append(asked.resources.sock_gres_list, &asked.nic);
	list_append(asked.resources.sock_gres_list, &asked.gpu);
	asked.avail_core[1] = bit_alloc(CORES);
	bit_set_all(asked.avail_core[1]);
	asked.avail_res[1] = &asked.resources;
	asked.question = (struct gw_placement){.job = &asked.job,
					       .node_map = bit_alloc(NODES),
					       .avail_core = asked.avail_core,
					       .avail_res = asked.avail_res,
					       .ask = &asked.ask,
					       .ask_size = sizeof(asked.ask)};
	bit_set(asked.question.node_map, 1);
}

static void free_question(void)
{
	FREE_NULL_LIST(asked.resources.sock_gres_list);
	FREE_NULL_BITMAP(asked.avail_core[1]);
	FREE_NULL_BITMAP(asked.question.node_map);
	for (int s = 0; s < SOCKETS; s++)
		FREE_NULL_BITMAP(asked.by_sock[s]);
}

static void sort_list(void)
{
	list_append(asked.resources.sock_gres_list, list_pop(asked.resources.sock_gres_list));
}

static void take_gpus(void)
{
	bit_clear_all(asked.by_sock[0]);
	asked.cnt_by_sock[0] = 0;
	asked.gpu.total_cnt -= GPUS / SOCKETS;
}

static void take_nics(void)
{
	asked.nic.cnt_any_sock = 0;
}

static void take_cores(void)
{
	bit_nclear(asked.avail_core[1], 0, 3);
	asked.cores[0] = 0;
}

static void take_cpus(void)
{
	asked.resources.avail_cpus = 1;
}

static void take_node(void)
{
	bit_clear(asked.question.node_map, 1);
}

static void wait_for_switches(void)
{
	asked.job.best_switch = true;
}

static const struct {
	void (*answer)(void);
	const char *differs;
} answers[] = {
	{take_gpus, "GPUs"},       {take_nics, "GPUs"},  {take_cores, "cores"},
	{take_cpus, "CPU counts"}, {take_node, "nodes"}, {wait_for_switches, "switches"},
};

START_TEST(an_answer_is_seen_and_put_back)
{
	struct gw_snapshot *before = gw_snapshot_create();

	for (int sorted = 0; sorted < 2; sorted++) {
		make_question();
		gw_snapshot_take(before, &asked.question, NULL);
		ck_assert_ptr_null(gw_snapshot_differs(before, &asked.question));
		answers[_i].answer();
		if (sorted)
			sort_list();
		ck_assert_str_eq(gw_snapshot_differs(before, &asked.question), answers[_i].differs);
		gw_snapshot_restore(before, &asked.question);
		ck_assert_ptr_null(gw_snapshot_differs(before, &asked.question));
		ck_assert_int_eq(asked.gpu.sock_cnt, SOCKETS);
		ck_assert_uint_eq(asked.gpu.total_cnt, GPUS);
		ck_assert_uint_eq(asked.nic.cnt_any_sock, 1);
		ck_assert_ptr_null(asked.nic.bits_by_sock);
		free_question();
	}
	gw_snapshot_free(before);
}
END_TEST

UNIT_MAIN("snapshot", UNIT_ROWS(an_answer_is_seen_and_put_back, answers))
