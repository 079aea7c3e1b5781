// SPDX-License-Identifier: GPL-2.0-or-later
/* Case 6: nodes whose GPUs slurmctld does not know yet are no place to start a GPU job. */
#include "plugins/common/gpus_registered.h"
#include "plugins/common/weak.h"
#include "unit.h"

/* slurmctld's table of nodes, and what the engine is asked and told. */
node_record_t **node_record_table_ptr;
static bool enforces;
static uint32_t counted;

bool gw_engine_enforces(enum gw_subsystem subsystem)
{
	ck_assert_int_eq(subsystem, GW_PLACEMENT);
	return enforces;
}

void gw_engine_count_withheld(uint32_t nodes)
{
	counted += nodes;
}

enum { UNKNOWN, REGISTERED, SAVED }; /* SAVED: with the node's state, by 24.11 */

static gres_node_state_t gpus_of(int known)
{
	return (gres_node_state_t){.gres_cnt_found = known == REGISTERED ? 8 : NO_VAL64,
				   .topo_cnt = known == UNKNOWN ? 0 : 8};
}

static const struct {
	const char *what;
	char *name; /* of the GRES, by the record of the job; NULL: by that of the node */
	char *node_name;
	int known;
	uint32_t state;
	bool waits;
} rows[] = {
	{"GPUs that slurmd has not told of", "gpu", "gpu", UNKNOWN, NODE_STATE_IDLE, true},
	{"registered", "gpu", "gpu", REGISTERED, NODE_STATE_IDLE, false},
	{"saved with the node", "gpu", "gpu", SAVED, NODE_STATE_IDLE, false},
	{"a job without a record here", NULL, "gpu", UNKNOWN, NODE_STATE_MIXED, true},
	{"a name by the job alone", "gpu", NULL, UNKNOWN, NODE_STATE_IDLE, true},
	{"another GRES", "nic", "nic", UNKNOWN, NODE_STATE_IDLE, false},
	{"another that begins so", "gpus", "gpus", UNKNOWN, NODE_STATE_IDLE, false},
	{"without a name", NULL, NULL, UNKNOWN, NODE_STATE_IDLE, false},
	/* These register because a job starts on them: to wait would be for ever. */
	{"in the cloud", "gpu", "gpu", UNKNOWN, NODE_STATE_IDLE | NODE_STATE_CLOUD, false},
	{"powered down", "gpu", "gpu", UNKNOWN, NODE_STATE_IDLE | NODE_STATE_POWERED_DOWN, false},
	{"to be powered down", "gpu", "gpu", UNKNOWN, NODE_STATE_IDLE | NODE_STATE_POWER_DOWN,
	 false},
	{"powering down", "gpu", "gpu", UNKNOWN, NODE_STATE_IDLE | NODE_STATE_POWERING_DOWN, false},
	{"to be powered up", "gpu", "gpu", UNKNOWN, NODE_STATE_IDLE | NODE_STATE_POWER_UP, false},
	{"powering up", "gpu", "gpu", UNKNOWN, NODE_STATE_IDLE | NODE_STATE_POWERING_UP, false},
	/* Drained, it is not asked about; when it is back it has registered or not. */
	{"drained", "gpu", "gpu", UNKNOWN, NODE_STATE_IDLE | NODE_STATE_DRAIN, true},
};

START_TEST(only_gpus_not_told_of_wait)
{
	gres_node_state_t gpus = gpus_of(rows[_i].known);
	gres_state_t of_job = {.gres_name = rows[_i].name};
	gres_state_t of_node = {.gres_name = rows[_i].node_name, .gres_data = &gpus};
	sock_gres_t gres = {.gres_state_job = rows[_i].name ? &of_job : NULL,
			    .gres_state_node = &of_node};
	node_record_t node = {.node_state = rows[_i].state};

	ck_assert_msg(gw_gpus_must_wait(&gres, &node) == rows[_i].waits, "%s", rows[_i].what);
	of_node.gres_data = NULL;
	ck_assert_msg(!gw_gpus_must_wait(&gres, &node), "%s, nothing known", rows[_i].what);
	gres.gres_state_node = NULL;
	ck_assert_msg(!gw_gpus_must_wait(&gres, &node), "%s, no record", rows[_i].what);
}
END_TEST

#define NODES 5

/* One question about NODES nodes, each with GPUs that are known or not. */
struct site {
	node_record_t node[NODES], *table[NODES];
	gres_node_state_t gpus[NODES];
	gres_state_t state[NODES];
	sock_gres_t gres[NODES];
	avail_res_t resources[NODES], *avail[NODES];
	struct gw_placement question;
};

static void open_site(struct site *site, const int known[NODES])
{
	memset(site, 0, sizeof(*site));
	site->question.avail_res = site->avail;
	site->question.node_map = bit_alloc(NODES);
	for (int i = 0; i < NODES; i++) {
		site->gpus[i] = gpus_of(known[i]);
		site->state[i] = (gres_state_t){.gres_name = "gpu", .gres_data = &site->gpus[i]};
		site->gres[i].gres_state_node = &site->state[i];
		site->resources[i].sock_gres_list = list_create(NULL);
		list_append(site->resources[i].sock_gres_list, &site->gres[i]);
		site->avail[i] = &site->resources[i];
		site->node[i].node_state = NODE_STATE_IDLE;
		site->table[i] = &site->node[i];
		bit_set(site->question.node_map, i);
	}
	node_record_table_ptr = site->table;
	counted = 0;
}

static void close_site(struct site *site)
{
	for (int i = 0; i < NODES; i++)
		list_destroy(site->resources[i].sock_gres_list);
	bit_free(site->question.node_map);
}

static const struct {
	bool enforces;
	const char *left; /* nodes that remain in question */
	uint32_t counted;
} withheld_rows[] = {{true, "123", 1}, {false, "0123", 1}};

START_TEST(they_leave_the_question)
{
	static const int known[NODES] = {UNKNOWN, REGISTERED, UNKNOWN, UNKNOWN, UNKNOWN};
	char left[NODES + 1] = "";
	struct site site;

	open_site(&site, known);
	enforces = withheld_rows[_i].enforces;
	site.node[2].node_state |= NODE_STATE_CLOUD;
	site.avail[3] = NULL; /* Slurm had no answer there */
	bit_clear(site.question.node_map, 4);
	gw_withhold_unregistered(&site.question);
	for (int i = 0; i < NODES; i++)
		if (bit_test(site.question.node_map, i))
			snprintf(left + strlen(left), 2, "%d", i);
	ck_assert_str_eq(left, withheld_rows[_i].left);
	ck_assert_uint_eq(counted, withheld_rows[_i].counted);
	close_site(&site);
}
END_TEST

START_TEST(where_all_are_known_nothing_is_counted)
{
	static const int known[NODES] = {REGISTERED, SAVED, REGISTERED, SAVED, REGISTERED};
	struct site site;

	open_site(&site, known);
	enforces = true;
	gw_withhold_unregistered(&site.question);
	ck_assert_int_eq(bit_set_count(site.question.node_map), NODES);
	bit_clear_all(site.question.node_map);
	gw_withhold_unregistered(&site.question);
	ck_assert_uint_eq(counted, 0);
	close_site(&site);
}
END_TEST

UNIT_MAIN("gpus_registered", UNIT_ROWS(only_gpus_not_told_of_wait, rows),
	  UNIT_ROWS(they_leave_the_question, withheld_rows),
	  UNIT(where_all_are_known_nothing_is_counted))
