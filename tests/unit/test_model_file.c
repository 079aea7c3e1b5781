// SPDX-License-Identifier: GPL-2.0-or-later
/* A cluster to simulate out of a site's files, written into a directory of the test's own. */
#include "src/tools/model_file.h"

#include <stdio.h>
#include <unistd.h>

#include "src/util/parse.h"
#include "files.h"
#include "unit.h"

struct site {
	char directory[64], slurm[96], topology[96], gres[96], yaml[96];
	struct gw_model model;
	struct gw_findings notes;
	struct gw_error error;
};

static void begin(struct site *site, const char *slurm)
{
	*site = (struct site){.directory = "gangway-model-XXXXXX"};
	ck_assert_ptr_nonnull(mkdtemp(site->directory));
	snprintf(site->slurm, sizeof(site->slurm), "%s/slurm.conf", site->directory);
	snprintf(site->topology, sizeof(site->topology), "%s/topology.conf", site->directory);
	snprintf(site->gres, sizeof(site->gres), "%s/gres.conf", site->directory);
	snprintf(site->yaml, sizeof(site->yaml), "%s/topology.yaml", site->directory);
	write_file(site->slurm, slurm);
}

static int read_site(struct site *site)
{
	return gw_model_read(site->slurm, &site->model, &site->notes, &site->error);
}

static void finish(struct site *site)
{
	gw_model_free(&site->model);
	gw_findings_free(&site->notes);
	unlink(site->slurm);
	unlink(site->topology);
	unlink(site->gres);
	unlink(site->yaml);
	ck_assert_int_eq(rmdir(site->directory), 0);
}

static bool noted(const struct site *site, const char *text)
{
	for (size_t i = 0; i < site->notes.count; i++)
		if (strstr(site->notes.item[i].text, text))
			return true;
	return false;
}

/* Which nodes a partition has, as 0 and 1. */
static const char *has(const struct site *site, size_t partition, char text[32])
{
	for (size_t i = 0; i < site->model.node_count; i++)
		text[i] = site->model.partition[partition].has[i] ? '1' : '0';
	text[site->model.node_count] = '\0';
	return text;
}

#define NODES                                                                                      \
	"NodeName=DEFAULT Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=1000000\n"       \
	"NodeName=h[1-4] Gres=gpu:h100:8(S:0-1),nic:8 Feature=fast,big Weight=10\n"                \
	"NodeName=a[1-2] Gres=gpu:4 CPUs=48 RealMemory=500000 Feature=small\n"                     \
	"NodeName=cpu1\n"

START_TEST(nodes_have_what_their_lines_say)
{
	struct site site;
	const struct gw_model_node *node;

	begin(&site, NODES "PartitionName=main Nodes=ALL Default=YES\n");
	ck_assert_msg(!read_site(&site), "%s", site.error.text);
	ck_assert_uint_eq(site.model.node_count, 7);
	node = site.model.node;
	ck_assert_str_eq(node[3].name, "h4");
	ck_assert_uint_eq(node[3].gpus, 8);
	ck_assert_uint_eq(node[3].cpus, 64);
	ck_assert_uint_eq(node[3].memory, 1000000);
	ck_assert_uint_eq(node[3].weight, 10);
	ck_assert_str_eq(node[3].gpu_type, "h100");
	ck_assert_uint_eq(node[4].gpus, 4);
	ck_assert_uint_eq(node[4].cpus, 48);
	ck_assert_uint_eq(node[4].memory, 500000);
	ck_assert_uint_eq(node[4].weight, 1);
	ck_assert_ptr_null(node[4].gpu_type);
	ck_assert_uint_eq(node[6].gpus, 0);
	ck_assert_int_eq(node[0].shape, -1);
	ck_assert_uint_eq(node[0].domain, 0);
	ck_assert_uint_eq(site.notes.count, 0);
	finish(&site);
}
END_TEST

START_TEST(memory_that_is_not_shared_out_is_no_bound)
{
	struct site site;

	begin(&site, "SelectTypeParameters=CR_Core\n" NODES "PartitionName=main Nodes=ALL\n");
	ck_assert_msg(!read_site(&site), "%s", site.error.text);
	ck_assert_uint_gt(site.model.node[0].memory, UINT64_C(1) << 32);
	finish(&site);
	begin(&site, "SelectTypeParameters=CR_Core_Memory,CR_LLN\n" NODES
		     "PartitionName=main Nodes=ALL\n");
	ck_assert_msg(!read_site(&site), "%s", site.error.text);
	ck_assert_uint_eq(site.model.node[0].memory, 1000000);
	ck_assert(site.model.partition[0].lln);
	finish(&site);
}
END_TEST

START_TEST(partitions_have_nodes_sets_and_limits)
{
	char text[32];
	struct site site;
	const struct gw_model_partition *partition;

	begin(&site, NODES "NodeSet=fast Feature=fast\n"
			   "NodeSet=both Nodes=a1,cpu1\n"
			   "PartitionName=DEFAULT MaxTime=7-00:00:00 DefaultTime=60\n"
			   "PartitionName=h Nodes=fast\n"
			   "PartitionName=mixed Nodes=h[2-3],both MaxTime=UNLIMITED "
			   "DefaultTime=NONE PriorityTier=5 LLN=YES Default=YES\n"
			   "PartitionName=none\n");
	ck_assert_msg(!read_site(&site), "%s", site.error.text);
	ck_assert_uint_eq(site.model.partition_count, 3);
	partition = site.model.partition;
	ck_assert_str_eq(partition[0].name, "h");
	ck_assert_str_eq(has(&site, 0, text), "1111000");
	ck_assert_int_eq(partition[0].max_time, 7 * 86400);
	ck_assert_int_eq(partition[0].default_time, 3600);
	ck_assert_uint_eq(partition[0].tier, 1);
	ck_assert(!partition[0].is_default && !partition[0].lln);
	ck_assert_str_eq(has(&site, 1, text), "0110101");
	ck_assert_int_eq(partition[1].max_time, GW_TIME_INFINITE);
	ck_assert_int_eq(partition[1].default_time, GW_TIME_NONE);
	ck_assert_uint_eq(partition[1].tier, 5);
	ck_assert(partition[1].is_default && partition[1].lln);
	ck_assert_str_eq(has(&site, 2, text), "0000000");
	finish(&site);
}
END_TEST

START_TEST(the_first_partition_stands_in_for_a_default)
{
	struct site site;

	begin(&site, NODES "PartitionName=a Nodes=ALL\nPartitionName=b Nodes=ALL MaxNodes=4\n");
	ck_assert_msg(!read_site(&site), "%s", site.error.text);
	ck_assert(site.model.partition[0].is_default && !site.model.partition[1].is_default);
	ck_assert(noted(&site, "no partition has Default=YES: jobs of none go to a"));
	ck_assert(noted(&site, "PartitionName=b: not simulated: MaxNodes"));
	finish(&site);
}
END_TEST

START_TEST(the_schedulers_parameters)
{
	struct site site;
	const struct gw_model_sched *sched = &site.model.sched;

	begin(&site, "SchedulerParameters=batch_sched_delay=1,sched_interval=30,"
		     "default_queue_depth=7,bf_interval=10,bf_window=2880,bf_resolution=300,"
		     "bf_window_linear=60,"
		     "bf_max_job_test=1000,bf_max_job_user=20,bf_max_job_part=40,bf_continue,"
		     "defer,bf_yield_interval=1000000,nohold_on_prolog_fail\n"
		     "CompleteWait=5\n" NODES "PartitionName=main Nodes=ALL Default=YES\n");
	ck_assert_msg(!read_site(&site), "%s", site.error.text);
	ck_assert_int_eq(sched->batch_sched_delay, 1);
	ck_assert_int_eq(sched->sched_interval, 30);
	ck_assert_uint_eq(sched->default_queue_depth, 7);
	ck_assert_int_eq(sched->bf_interval, 10);
	ck_assert_int_eq(sched->bf_window, 2 * 86400);
	ck_assert_int_eq(sched->bf_window_linear, 60);
	ck_assert_int_eq(sched->bf_resolution, 300);
	ck_assert_uint_eq(sched->bf_max_job_test, 1000);
	ck_assert_uint_eq(sched->bf_max_job_user, 20);
	ck_assert_uint_eq(sched->bf_max_job_part, 40);
	ck_assert(sched->bf_continue && sched->defer && sched->backfill);
	ck_assert_int_eq(sched->complete_wait, 5);
	ck_assert_uint_eq(site.notes.count, 1);
	ck_assert_str_eq(site.notes.item[0].text,
			 "SchedulerParameters: not simulated: bf_yield_interval=1000000, "
			 "nohold_on_prolog_fail");
	ck_assert_int_eq(site.notes.item[0].line, 1);
	finish(&site);
}
END_TEST

START_TEST(what_is_not_said_is_as_slurm_has_it)
{
	struct site site;
	struct gw_model_sched sched;

	gw_model_sched_default(&sched);
	begin(&site, NODES "PartitionName=main Nodes=ALL Default=YES\n");
	ck_assert_msg(!read_site(&site), "%s", site.error.text);
	ck_assert_mem_eq(&site.model.sched, &sched, sizeof(sched));
	finish(&site);
	begin(&site, "SchedulerType=sched/builtin\nSelectType=select/linear\n" NODES
		     "PartitionName=main Nodes=ALL Default=YES\n");
	ck_assert_msg(!read_site(&site), "%s", site.error.text);
	ck_assert(!site.model.sched.backfill);
	ck_assert(noted(&site, "SelectType=select/linear is not simulated: as select/cons_tres"));
	finish(&site);
}
END_TEST

#define PARTITION "PartitionName=main Nodes=ALL Default=YES\n"

START_TEST(leaf_switches_are_domains)
{
	struct site site;

	begin(&site, "TopologyPlugin=topology/tree\n" NODES PARTITION);
	write_file(site.topology, "SwitchName=leaf1 Nodes=h[1-2]\n"
				  "SwitchName=leaf2 Nodes=h[3-4],a1\n"
				  "SwitchName=spine Switches=leaf[1-2]\n");
	ck_assert_msg(!read_site(&site), "%s", site.error.text);
	ck_assert_uint_eq(site.model.node[0].domain, 0);
	ck_assert_uint_eq(site.model.node[1].domain, 0);
	ck_assert_uint_eq(site.model.node[2].domain, 1);
	ck_assert_uint_eq(site.model.node[4].domain, 1);
	ck_assert_uint_eq(site.model.node[5].domain, 2);
	ck_assert_uint_eq(site.model.node[6].domain, 2);
	ck_assert(noted(&site, "2 nodes are on no switch or block"));
	finish(&site);
}
END_TEST

START_TEST(of_two_switches_the_smaller_is_the_domain)
{
	struct site site;

	begin(&site, "TopologyPlugin=topology/tree\n" NODES PARTITION);
	write_file(site.topology, "SwitchName=all Nodes=h[1-4],a[1-2],cpu1\n"
				  "SwitchName=near Nodes=h[1-2]\n");
	ck_assert_msg(!read_site(&site), "%s", site.error.text);
	ck_assert_uint_eq(site.model.node[0].domain, 1);
	ck_assert_uint_eq(site.model.node[2].domain, 0);
	ck_assert_uint_eq(site.notes.count, 0);
	finish(&site);
}
END_TEST

START_TEST(blocks_are_domains)
{
	struct site site;

	begin(&site, "TopologyPlugin=topology/block\n" NODES PARTITION);
	write_file(site.topology, "BlockName=b1 Nodes=h[1-2]\nBlockName=b2 Nodes=h[3-4]\n"
				  "BlockName=b3 Nodes=a[1-2],cpu1\nBlockSizes=2\n");
	ck_assert_msg(!read_site(&site), "%s", site.error.text);
	ck_assert_uint_eq(site.model.node[1].domain, 0);
	ck_assert_uint_eq(site.model.node[3].domain, 1);
	ck_assert_uint_eq(site.model.node[6].domain, 2);
	finish(&site);
}
END_TEST

START_TEST(a_topology_that_is_not_read_is_told)
{
	struct site site;

	begin(&site, "TopologyPlugin=topology/3d_torus\n" NODES PARTITION);
	write_file(site.yaml, "- topology: default\n");
	ck_assert_msg(!read_site(&site), "%s", site.error.text);
	ck_assert(noted(&site, "TopologyPlugin=topology/3d_torus is not simulated"));
	ck_assert(noted(&site, "is not supported: topology.conf is read"));
	finish(&site);
	begin(&site, "TopologyPlugin=topology/tree\n" NODES PARTITION);
	ck_assert_msg(!read_site(&site), "%s", site.error.text);
	ck_assert(noted(&site, "there is no topology.conf beside"));
	finish(&site);
}
END_TEST

START_TEST(nodes_alike_share_a_shape)
{
	struct site site;
	const struct gw_model_node *node = NULL;

	begin(&site, NODES PARTITION);
	write_file(site.gres,
		   "NodeName=h[1-3] Name=gpu Type=h100 File=/dev/nvidia[0-3] Cores=0-15\n"
		   "NodeName=h[1-3] Name=gpu Type=h100 File=/dev/nvidia[4-7] "
		   "Cores=16-31\n"
		   "NodeName=a[1-2] Name=gpu File=/dev/nvidia[0-1] Cores=0-15\n");
	ck_assert_msg(!read_site(&site), "%s", site.error.text);
	node = site.model.node;
	ck_assert_uint_eq(site.model.shape_count, 1);
	ck_assert_int_eq(node[0].shape, 0);
	ck_assert_int_eq(node[2].shape, 0);
	ck_assert_int_eq(node[3].shape, -1);
	ck_assert_int_eq(node[4].shape, -1);
	ck_assert_uint_eq(site.model.shape[0].gpus, 8);
	ck_assert_uint_eq(site.model.shape[0].socket[3], 0);
	ck_assert_uint_eq(site.model.shape[0].socket[4], 1);
	ck_assert(noted(&site, "node a1 has 4 GPUs here and 2 in gres.conf"));
	finish(&site);
}
END_TEST

/* Error: what it ends with, after "DIRECTORY/FILE:". */
static const struct {
	const char *slurm, *topology, *gres, *error;
} bad[] = {
	{"PartitionName=main Nodes=ALL\n", NULL, NULL,
	 "slurm.conf: has no NodeName line with nodes"},
	{NODES, NULL, NULL, "slurm.conf: has no PartitionName line"},
	{NODES "NodeName=h2\n" PARTITION, NULL, NULL,
	 "slurm.conf:5: NodeName: h2 has a line already"},
	{"NodeName=h[1- Gres=gpu:8\n" PARTITION, NULL, NULL, "slurm.conf:1: NodeName=h[1-: "},
	{"NodeName=h1 Gres=gpu:65\n" PARTITION, NULL, NULL,
	 "slurm.conf:1: Gres=gpu:65: a node may have at most 64 GPUs"},
	{"NodeName=h1 Gres=gpu:h100:8x\n" PARTITION, NULL, NULL,
	 "slurm.conf:1: Gres=gpu:h100:8x: its count must be a whole number"},
	{"NodeName=h1 RealMemory=1TB\n" PARTITION, NULL, NULL,
	 "slurm.conf:1: RealMemory=1TB: must be a whole number from 0 to 1099511627776"},
	{"NodeName=h1 RealMemory=K\n" PARTITION, NULL, NULL, "slurm.conf:1: RealMemory=K: "},
	{"NodeName=h1 RealMemory=18014398509481985K\n" PARTITION, NULL, NULL,
	 "slurm.conf:1: RealMemory=18014398509481985K: "},
	{"NodeName=h1 CPUs=many\n" PARTITION, NULL, NULL,
	 "slurm.conf:1: CPUs=many: must be a whole number from 0 to 65535"},
	{"NodeName=h1\nPartitionName=p MaxTime=long\n", NULL, NULL, "slurm.conf:2: MaxTime=long: "},
	{"NodeName=h1\nPartitionName=p LLN=maybe\n", NULL, NULL,
	 "slurm.conf:2: LLN=maybe: must be YES or NO"},
	{"NodeName=h1\nPartitionName=p PriorityTier=-1\n", NULL, NULL,
	 "slurm.conf:2: PriorityTier=-1: must be a whole number from 0 to 65535"},
	{"SchedulerParameters=bf_window=0\n" NODES PARTITION, NULL, NULL,
	 "slurm.conf:1: SchedulerParameters: bf_window=0: must be a whole number from 1 to 43200"},
	{"SchedulerParameters=bf_interval\n" NODES PARTITION, NULL, NULL,
	 "slurm.conf:1: SchedulerParameters: bf_interval: must be a whole number from 1 to 10800"},
	{"CompleteWait=soon\n" NODES PARTITION, NULL, NULL,
	 "slurm.conf:1: CompleteWait=soon: must be a whole number from 0 to 65535"},
	{"TopologyPlugin=topology/tree\n" NODES PARTITION, "SwitchName=s Nodes=h[1\n", NULL,
	 "topology.conf:1: Nodes=h[1: "},
	{NODES PARTITION, NULL, "NodeName=h[1 Name=gpu File=/dev/null\n",
	 "gres.conf:1: NodeName=h[1: "},
	{NODES PARTITION, NULL, "NodeName=h1 Name=gpu File=/dev/nvidia[0-7] Cores=0-500\n",
	 "gres.conf:1: Cores=0-500: must be a list such as 0-15,32-47; the node has cores 0-31"},
	{NODES PARTITION, NULL, "NodeName=h1 Name=gpu File=/dev/nvidia[0-7] Cores=abc\n",
	 "gres.conf:1: Cores=abc: must be a list such as 0-15,32-47; "},
	{"NodeName=\"h1\n" PARTITION, NULL, NULL, "slurm.conf:1: "},
};

START_TEST(errors_say_where_and_what_is_allowed)
{
	struct site site;
	char prefix[128];

	begin(&site, bad[_i].slurm);
	if (bad[_i].topology)
		write_file(site.topology, bad[_i].topology);
	if (bad[_i].gres)
		write_file(site.gres, bad[_i].gres);
	ck_assert_int_eq(read_site(&site), -1);
	snprintf(prefix, sizeof(prefix), "%s/", site.directory);
	ck_assert_msg(!strncmp(site.error.text, prefix, strlen(prefix)), "%s", site.error.text);
	ck_assert_msg(
		!strncmp(site.error.text + strlen(prefix), bad[_i].error, strlen(bad[_i].error)),
		"%s", site.error.text);
	ck_assert_uint_eq(site.model.node_count, 0);
	finish(&site);
}
END_TEST

START_TEST(what_is_not_there_is_told)
{
	struct site site;

	begin(&site, NODES "NodeName=later1 State=FUTURE\n"
			   "PartitionName=main Nodes=h[1-4],later1 Default=YES\n");
	ck_assert_msg(!read_site(&site), "%s", site.error.text);
	ck_assert_uint_eq(site.model.node_count, 7);
	ck_assert(noted(&site, "State=FUTURE nodes are left out"));
	ck_assert(noted(&site, "Nodes: there is no node later1"));
	finish(&site);
	begin(&site, NODES);
	unlink(site.slurm);
	ck_assert_int_eq(read_site(&site), -1);
	ck_assert_ptr_nonnull(strstr(site.error.text, "slurm.conf"));
	finish(&site);
}
END_TEST

START_TEST(spellings_that_slurm_takes)
{
	struct site site;

	begin(&site, "NodeName=h1 Procs=112 RealMemory=1000K\n"
		     "PartitionName=main Nodes=ALL MaxTime=-1\n");
	ck_assert_msg(!read_site(&site), "%s", site.error.text);
	ck_assert_uint_eq(site.model.node[0].cpus, 112);
	ck_assert_uint_eq(site.model.node[0].memory, 1024000);
	ck_assert_int_eq(site.model.partition[0].max_time, GW_TIME_INFINITE);
	finish(&site);
}
END_TEST

static void check_site(struct site *site, const char *text)
{
	struct gw_slurm_conf slurm;

	begin(site, text);
	ck_assert_int_eq(gw_slurm_conf_read(site->slurm, &slurm, &site->notes, &site->error), 0);
	ck_assert_int_eq(gw_model_check(&slurm, &site->notes, &site->error), 0);
	gw_slurm_conf_free(&slurm);
}

START_TEST(all_that_is_refused_is_found)
{
	struct site site;

	check_site(&site, "NodeName=h[1-4] CPUs=many Gres=gpu:x:72 RealMemory=1TB\n"
			  "NodeName=f1 State=FUTURE\n"
			  "PartitionName=p Nodes=h[1-9],f1 MaxTime=long\n");
	ck_assert_uint_eq(site.notes.count, 4);
	ck_assert(noted(&site, "CPUs=many: ") && noted(&site, "RealMemory=1TB: ") &&
		  noted(&site, "MaxTime=long: "));
	ck_assert_str_eq(
		site.notes.item[3].text,
		"Nodes: 5 of these nodes have no NodeName line in slurm.conf, the first h5");
	ck_assert_int_eq(site.notes.item[3].line, 3);
	finish(&site);
	check_site(&site, "NodeName=h[1-\nPartitionName=p Nodes=h[1-9]\n");
	ck_assert_uint_eq(site.notes.count, 1);
	finish(&site);
	check_site(&site, "NodeName=\"h1\nPartitionName=p Nodes=h1\n");
	ck_assert_uint_eq(site.notes.count, 1);
	finish(&site);
	check_site(&site, "ClusterName=none\n");
	ck_assert_uint_eq(site.notes.count, 0);
	finish(&site);
}
END_TEST

START_TEST(memory_may_run_out_anywhere)
{
	struct site site;
	unsigned int n = 0;
	bool failed;
	int result;

	begin(&site, "TopologyPlugin=topology/tree\nSchedulerParameters=defer\n" NODES
		     "NodeSet=fast Feature=fast\nPartitionName=main Nodes=fast,a1 Default=YES\n");
	write_file(site.topology, "SwitchName=s Nodes=h[1-4],a[1-2],cpu1\n");
	write_file(site.gres,
		   "NodeName=h[1-4] Name=gpu Type=h100 File=/dev/nvidia[0-7] Cores=0-15\n");
	do {
		gw_error_clear(&site.error);
		alloc_fail_at(++n);
		result = gw_model_read(site.slurm, &site.model, NULL, &site.error);
		failed = alloc_failed();
		ck_assert_msg(result == (failed ? -1 : 0), "%u: %s", n, site.error.text);
		gw_model_free(&site.model);
	} while (failed && n < 5000);
	ck_assert_uint_gt(n, 50);
	finish(&site);
}
END_TEST

UNIT_MAIN("model_file", UNIT(nodes_have_what_their_lines_say),
	  UNIT(memory_that_is_not_shared_out_is_no_bound),
	  UNIT(partitions_have_nodes_sets_and_limits),
	  UNIT(the_first_partition_stands_in_for_a_default), UNIT(the_schedulers_parameters),
	  UNIT(what_is_not_said_is_as_slurm_has_it), UNIT(leaf_switches_are_domains),
	  UNIT(of_two_switches_the_smaller_is_the_domain), UNIT(blocks_are_domains),
	  UNIT(a_topology_that_is_not_read_is_told), UNIT(nodes_alike_share_a_shape),
	  UNIT_ROWS(errors_say_where_and_what_is_allowed, bad), UNIT(what_is_not_there_is_told),
	  UNIT(spellings_that_slurm_takes), UNIT(all_that_is_refused_is_found),
	  UNIT(memory_may_run_out_anywhere))
