// SPDX-License-Identifier: GPL-2.0-or-later
/* FGD's inflation test (tests/bench openb) on nodes and pods that can be reckoned by hand. */
#include "unit.h"

#include <unistd.h>

#include "tests/bench.d/openb.h"

#define WHOLE OPENB_WHOLE

static struct openb_shape shapes[] = {
	{{.cpu = 4000, .gpus = 1, .part = WHOLE}, 0.5},
	{{.cpu = 2000, .gpus = 1, .part = 500}, 0.3},
	{{.cpu = 1000}, 0.2},
};
static const struct openb_mix mix = {shapes, COUNT(shapes)};

/* Of {1000, 400} a whole GPU and a half one leave 400 unused, a pod without GPUs all 1,400. */
static const struct frag_row {
	struct openb_node node;
	double frag;
} frag_rows[] = {
	{{.cpu = 8000, .gpus = 2, .left = {1000, 400}}, 0.5 * 400 + 0.3 * 400 + 0.2 * 1400},
	/* Too few CPUs for a whole GPU, then for any. */
	{{.cpu = 3000, .gpus = 2, .left = {1000, 400}}, 0.5 * 1400 + 0.3 * 400 + 0.2 * 1400},
	{{.cpu = 1999, .gpus = 2, .left = {1000, 400}}, 1400},
	/* No whole GPU; then no half one either. */
	{{.cpu = 8000, .gpus = 2, .left = {900, 400}}, 0.5 * 1300 + 0.3 * 400 + 0.2 * 1300},
	{{.cpu = 8000, .gpus = 2, .left = {400, 400}}, 800},
	/* Nothing left is nothing lost; no GPU is no loss. */
	{{.cpu = 8000, .gpus = 2, .left = {0, 0}}, 0},
	{{.cpu = 8000}, 0},
	/* An idle node is lost to pods without GPUs only. */
	{{.cpu = 8000, .gpus = 2, .left = {1000, 1000}}, 0.2 * 2000},
};

START_TEST(frag_by_hand)
{
	ck_assert_double_eq_tol(openb_frag(&frag_rows[_i].node, &mix), frag_rows[_i].frag, 1e-9);
}
END_TEST

START_TEST(frag_of_pairs_and_models)
{
	struct openb_shape pair = {{.cpu = 1, .gpus = 2, .part = WHOLE, .models = 2}, 1};
	const struct openb_mix pairs = {&pair, 1};
	struct openb_node node = {.cpu = 9, .gpus = 3, .model = 2, .left = {1000, 300, 1000}};

	ck_assert_double_eq(openb_frag(&node, &pairs), 300);
	node.left[0] = 900;
	ck_assert_double_eq(openb_frag(&node, &pairs), 2200);
	node.left[0] = 1000;
	node.model = 1;
	ck_assert_double_eq(openb_frag(&node, &pairs), 2300);
}
END_TEST

START_TEST(mix_leaves_out_the_rarest)
{
	struct openb_pods pods = {0};
	struct openb_mix made;

	for (int i = 0; i < 20; i++)
		openb_pods_add(&pods, &shapes[i == 7].pod);
	ck_assert(openb_mix_make(&pods, &made));
	ck_assert_uint_eq(made.count, 1);
	ck_assert_double_eq(made.shape[0].popularity, 1);
	free(made.shape);
	pods.pod[9] = shapes[1].pod;
	ck_assert(openb_mix_make(&pods, &made));
	ck_assert_uint_eq(made.count, 2);
	ck_assert_double_eq_tol(made.shape[0].popularity, 0.9, 1e-9);
	ck_assert_uint_eq(made.shape[1].pod.part, 500);
	free(made.shape);
	free(pods.pod);
}
END_TEST

/* Of four GPUs 150 % is six pods, whether there are two or eight of them. */
static const size_t arrivals[] = {2, 6, 8};

START_TEST(arrivals_meet_the_ratio)
{
	const struct openb_cluster cluster = {NULL, 0, 4 * WHOLE};
	struct openb_pods pods = {0}, arriving;

	for (size_t i = 0; i < arrivals[_i]; i++)
		openb_pods_add(&pods, &shapes[0].pod);
	ck_assert(openb_arrive(&pods, &cluster, 1.5, 1, &arriving));
	ck_assert_uint_eq(arriving.count, 6);
	free(arriving.pod);
	free(pods.pod);
}
END_TEST

static struct openb_node node_of(uint32_t rank, uint32_t cpu, uint32_t first, uint32_t second)
{
	struct openb_node node = {.cpu = cpu,
				  .cpu_all = 32000,
				  .memory = 1000,
				  .memory_all = 1000,
				  .gpus = 2,
				  .left = {first, second},
				  .rank = rank};

	node.frag = openb_frag(&node, &mix);
	return node;
}

static struct openb_place ask(const struct openb_policy *policy,
			      const struct openb_cluster *cluster, const struct openb_mix *of,
			      const struct openb_pod *pod)
{
	void *state = policy->start ? policy->start(cluster, of) : NULL;
	struct openb_place place = policy->place(state, cluster, of, pod);

	if (policy->end)
		policy->end(state);
	return place;
}

static const struct choice_row {
	const struct openb_policy *policy;
	size_t heavy, part, full; /* node that is chosen */
} choice_rows[] = {
	/* Best fit strands a GPU without CPUs; so does who does not know what comes. */
	{&openb_best_fit, 0, 0, 1},
	{&openb_fgd, 1, 0, 1},
	{&openb_gangway, 1, 0, 1},
	{&openb_gangway_unknown, 0, 0, 1},
};

START_TEST(choices_of_policies)
{
	const struct choice_row *row = &choice_rows[_i];
	struct openb_shape eight = {{.cpu = 8000, .gpus = 1, .part = WHOLE}, 1};
	const struct openb_mix eights = {&eight, 1};
	const struct openb_pod heavy = {.cpu = 12000, .gpus = 1, .part = WHOLE};
	const struct openb_pod part = {.cpu = 1000, .gpus = 1, .part = 500};
	const struct openb_pod large = {.cpu = 1000, .gpus = 2, .part = WHOLE};
	struct openb_node nodes[2];
	struct openb_cluster cluster = {nodes, 2, 4 * WHOLE};
	struct openb_place place;

	nodes[0] = node_of(0, 16000, 1000, 1000);
	nodes[1] = node_of(1, 24000, 1000, 1000);
	nodes[0].frag = nodes[1].frag = 0; /* to eights */
	ck_assert_ptr_eq(ask(row->policy, &cluster, &eights, &heavy).node, &nodes[row->heavy]);
	/* A half goes to the half that is left, the second GPU of node 0. */
	nodes[0] = node_of(0, 16000, 1000, 500);
	nodes[1] = node_of(1, 24000, 1000, 1000);
	place = ask(row->policy, &cluster, &mix, &part);
	ck_assert_ptr_eq(place.node, &nodes[row->part]);
	ck_assert_uint_eq(place.set, 2);
	place = ask(row->policy, &cluster, &mix, &large);
	ck_assert_ptr_eq(place.node, &nodes[row->full]);
	ck_assert_uint_eq(place.set, 3);
	/* Nowhere. */
	nodes[1].cpu = 0;
	ck_assert_ptr_null(ask(row->policy, &cluster, &mix, &large).node);
}
END_TEST

/* Two pods of one GPU and 8 CPUs come to a node of two GPUs and 10 CPUs: half is in use, half is
 * lost, for the rest has no CPUs. */
START_TEST(a_run_by_hand)
{
	struct openb_shape eight = {{.cpu = 8000, .gpus = 1, .part = WHOLE}, 1};
	const struct openb_mix eights = {&eight, 1};
	struct openb_node node = node_of(0, 10000, 1000, 1000);
	const struct openb_cluster cluster = {&node, 1, 2 * WHOLE};
	struct openb_pods pods = {0};
	struct openb_result result;

	openb_pods_add(&pods, &eight.pod);
	openb_pods_add(&pods, &eight.pod);
	ck_assert(openb_run(choice_rows[_i].policy, &cluster, &pods, &eights, 1, 1, &result));
	ck_assert_double_eq_tol(result.used, 50, 1e-9);
	ck_assert_double_eq_tol(result.lost, 50, 1e-9);
	ck_assert_double_eq_tol(result.frag, 50, 1e-9);
	ck_assert_uint_eq(node.cpu, 10000);
	free(pods.pod);
}
END_TEST

static void write_file(char *path, const char *text)
{
	FILE *file;
	int fd;

	strcpy(path, "test_openb.XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	file = fdopen(fd, "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

START_TEST(tables_are_read)
{
	struct openb_models models = {0};
	struct openb_cluster cluster;
	struct openb_pods pods;
	char path[32];

	write_file(path, "sn,cpu_milli,memory_mib,gpu,model\na,64000,262144,2,P100\n"
			 "b,96000,393216,8,T4\n");
	ck_assert(openb_read_nodes(path, &models, &cluster));
	unlink(path);
	ck_assert_uint_eq(cluster.count, 2);
	ck_assert_uint_eq(cluster.gpus, 10 * WHOLE);
	ck_assert_uint_eq(cluster.node[1].model, 2);
	write_file(path, "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec\n"
			 "p,6000,12288,1,460,\nq,4000,1,0,0,\nr,1,2,2,1000,T4|V100\n");
	ck_assert(openb_read_pods(path, &models, &pods));
	unlink(path);
	ck_assert_uint_eq(pods.count, 3);
	ck_assert_uint_eq(pods.pod[0].part, 460);
	ck_assert_uint_eq(pods.pod[1].part, 0);
	ck_assert_uint_eq(pods.pod[2].models, 2 | 4);
	ck_assert(!openb_fits(&cluster.node[0], &pods.pod[2]));
	ck_assert(openb_fits(&cluster.node[1], &pods.pod[2]));
	free(cluster.node);
	free(pods.pod);
}
END_TEST

UNIT_MAIN("openb", UNIT_ROWS(frag_by_hand, frag_rows), UNIT(frag_of_pairs_and_models),
	  UNIT(mix_leaves_out_the_rarest), UNIT_ROWS(arrivals_meet_the_ratio, arrivals),
	  UNIT_ROWS(choices_of_policies, choice_rows), UNIT_ROWS(a_run_by_hand, choice_rows),
	  UNIT(tables_are_read))
