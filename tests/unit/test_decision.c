// SPDX-License-Identifier: GPL-2.0-or-later
/* Decisions written, read, written again and made again: the same bytes, the same answer. */
#include "conf_text.h"
#include "src/core/decision.h"
#include "src/core/gpuset.h"
#include "src/core/grid.h"
#include "src/core/ledger_line.h"
#include "src/core/place.h"
#include "unit.h"

#define NODES 3

/* Eight GPUs on two sockets; near ones are linked better. */
static struct gw_shape_info shape_of_8(void)
{
	struct gw_shape_info shape = {.gpus = 8, .sockets = 2};

	for (uint8_t i = 0; i < 8; i++) {
		shape.socket[i] = i / 4;
		for (uint8_t j = 0; j < 8; j++)
			if (i != j) {
				shape.link[i][j] = i / 4 == j / 4 ? 4 : 2;
				shape.near[i][j] = i / 2 == j / 2 ? 3 : 0;
			}
	}
	return shape;
}

struct placement {
	struct gw_shape_info shape;
	struct gw_node nodes[NODES];
	struct gw_choice choices[NODES];
	struct gw_decision decision;
};

/* Two GPUs wanted; node 0 is idle, 1 has three free, 2 has no known shape. */
static void decide(struct placement *made)
{
	struct gw_gpuset_table *table;
	struct gw_place *place;
	const char *reason;

	memset(made, 0, sizeof(*made));
	made->shape = shape_of_8();
	for (uint32_t i = 0; i < NODES; i++)
		made->nodes[i] = (struct gw_node){.index = 10 + i,
						  .shape = i == 2 ? -1 : 0,
						  .domain = i,
						  .weight = 1,
						  .all = 0xff,
						  .free = i == 1 ? 0x34 : 0xff,
						  .cpus_free = 64,
						  .cpus_total = 64,
						  .memory_free = UINT64_C(1) << 21,
						  .memory_total = UINT64_C(1) << 21,
						  .busy_until = i == 1 ? 600 : INT64_MAX};
	made->decision = (struct gw_decision){.kind = GW_DECISION_PLACEMENT,
					      .job = 42,
					      .at = 1790000000,
					      .conf = UINT64_C(0x0123456789abcdef),
					      .placement = {.ask = {.min_nodes = 1,
								    .max_nodes = 1,
								    .gpus_per_node = 2,
								    .cpus_per_node = 4,
								    .memory_per_node = 1024},
							    .shapes = &made->shape,
							    .shape_count = 1,
							    .nodes = made->nodes,
							    .node_count = NODES,
							    .choices = made->choices}};
	table = gw_gpuset_table_create(&made->shape, NULL);
	place = gw_place_create((const struct gw_gpuset_table *const *)&table, 1, NODES, NULL);
	made->decision.placement.choice_count =
		gw_place_nodes(place, &made->decision.placement.ask, made->nodes, NODES,
			       made->choices, NODES, &reason);
	gw_place_free(place);
	gw_gpuset_table_free(table);
}

static char *text_of(const struct gw_decision *decision)
{
	struct gw_str text = {0};

	ck_assert_int_eq(gw_decision_write(decision, &text, NULL), 0);
	return gw_str_take(&text);
}

/* Reads the first decision of text, which must be one. */
static struct gw_decision read_one(const char *text)
{
	struct gw_record_reader reader;
	struct gw_decision decision;
	struct gw_error error = {0};

	gw_record_reader_init(&reader, text);
	ck_assert_msg(gw_decision_read(&reader, &decision, &error) == 1, "%s", error.text);
	return decision;
}

static const char placement_text[] =
	"Decision=placement Version=1 Job=42 At=1790000000 Conf=0123456789abcdef MinNodes=1 "
	"MaxNodes=1 GpusPerNode=2 Gpus=0 CpusPerNode=4 CpusPerGpu=0 MemoryPerNode=1024 "
	"WholeNodes=no\n"
	"ShapeGpus=8 Sockets=2 Links="
	"0:0,4.3,4,4,2,2,2,2/0:4.3,0,4,4,2,2,2,2/0:4,4,0,4.3,2,2,2,2/0:4,4,4.3,0,2,2,2,2/"
	"1:2,2,2,2,0,4.3,4,4/1:2,2,2,2,4.3,0,4,4/1:2,2,2,2,4,4,0,4.3/1:2,2,2,2,4,4,4.3,0\n"
	"Node=10 Shape=0 Domain=0 Weight=1 All=ff Free=ff GpusOther=0 CpusFree=64 CpusTotal=64 "
	"MemoryFree=2097152 MemoryTotal=2097152 BusyUntil=INFINITE\n"
	"Node=11 Shape=0 Domain=1 Weight=1 All=ff Free=34 GpusOther=0 CpusFree=64 CpusTotal=64 "
	"MemoryFree=2097152 MemoryTotal=2097152 BusyUntil=600\n"
	"Node=12 Shape=-1 Domain=2 Weight=1 All=ff Free=ff GpusOther=0 CpusFree=64 CpusTotal=64 "
	"MemoryFree=2097152 MemoryTotal=2097152 BusyUntil=INFINITE\n"
	"Choice=11 Gpus=30\n"
	"End=placement Sum=";

START_TEST(placement_comes_back)
{
	struct placement made;
	struct gw_decision again;
	struct gw_error difference = {0};
	char *first, *second;

	decide(&made);
	first = text_of(&made.decision);
	ck_assert_int_eq(strncmp(first, placement_text, sizeof(placement_text) - 1), 0);
	again = read_one(first);
	second = text_of(&again);
	ck_assert_str_eq(first, second);
	ck_assert_int_eq(gw_decision_repeat(&again, NULL, 0, &difference, NULL), 0);
	ck_assert(!gw_error_is_set(&difference));
	gw_decision_free(&again);
	free(first);
	free(second);
}
END_TEST

/*
 * For how long nodes must stay broken is written from what is learned, and read back from what was
 * written: in the same place of the text.
 */
START_TEST(placement_by_mix_and_stays_comes_back)
{
	const struct gw_mix_kind pairs = {.gpus = 2, .cpus = 2, .weight = 0.1};
	const float stays[GW_GRID_POINTS] = {1}, ended[GW_GRID_POINTS] = {0};
	struct gw_mix *mix = gw_mix_create(&pairs, 1, 8, 64, 1 << 21, NULL);
	struct gw_decision again;
	struct placement made;
	char *first, *second;

	decide(&made);
	made.nodes[1].ended = ended;
	made.decision.placement.ask.stays = stays;
	made.decision.placement.mix = *gw_mix_source(mix);
	first = text_of(&made.decision);
	ck_assert_ptr_nonnull(strstr(first, "\nBroken=2 Seconds="));
	again = read_one(first);
	second = text_of(&again);
	ck_assert_str_eq(first, second);
	gw_decision_free(&again);
	gw_mix_free(mix);
	free(first);
	free(second);
}
END_TEST

/* Jobs here take pairs: of the three GPUs free on node 11 one would be of no use. */
START_TEST(placement_by_mix_comes_back)
{
	const struct gw_mix_kind pairs = {.gpus = 2, .cpus = 2, .weight = 0.1};
	struct gw_mix *mix = gw_mix_create(&pairs, 1, 8, 64, 1 << 21, NULL);
	struct gw_error difference = {0};
	struct gw_decision again;
	struct placement made;
	char *text;

	decide(&made);
	made.choices[0] = (struct gw_choice){10, 3};
	made.decision.placement.mix = *gw_mix_source(mix);
	text = text_of(&made.decision);
	ck_assert_ptr_nonnull(strstr(text, " MixGpus=8 MixCpus=64 MixMemory=2097152\n"));
	ck_assert_ptr_nonnull(
		strstr(text, "\nKindGpus=2 Shared=0 Cpus=2 Memory=0 Weight=0.10000000000000001\n"));
	again = read_one(text);
	ck_assert_int_eq(gw_decision_repeat(&again, NULL, 0, &difference, NULL), 0);
	gw_decision_free(&again);
	free(text);
	gw_mix_free(mix);
	made.decision.placement.mix = (struct gw_mix_source){0};
	ck_assert_int_eq(gw_decision_repeat(&made.decision, NULL, 0, &difference, NULL), 1);
}
END_TEST

/* What a node offers a job by socket is all there is to choose from, also when it is made again. */
START_TEST(gpus_by_socket_come_back)
{
	struct placement made;
	struct gw_error difference = {0};
	struct gw_decision again;
	char *text;

	decide(&made);
	made.decision.placement.ask.sockets = 1;
	made.nodes[1].free = 0x3c;
	made.nodes[1].offered = 0x0c;
	made.choices[0] = (struct gw_choice){11, 0x0c};
	text = text_of(&made.decision);
	ck_assert_ptr_nonnull(strstr(text, " Sockets=1 "));
	ck_assert_ptr_nonnull(strstr(text, " Free=3c Offered=c "));
	again = read_one(text);
	ck_assert_msg(!gw_decision_repeat(&again, NULL, 0, &difference, NULL), "%s",
		      difference.text);
	again.placement.nodes[1].offered = 0x30;
	ck_assert_int_eq(gw_decision_repeat(&again, NULL, 0, &difference, NULL), 1);
	gw_decision_free(&again);
	free(text);
}
END_TEST

/* A gang of two halves gets those near network cards, also when it is made again. */
START_TEST(cards_of_a_gang_come_back)
{
	struct placement made;
	struct gw_error difference = {0};
	struct gw_decision again;
	char *text;

	decide(&made);
	for (uint32_t gpu = 4; gpu < 8; gpu++)
		made.shape.card[gpu] = GW_CARD_BRIDGE;
	made.nodes[1].free = 0xff;
	made.nodes[1].shape = 0;
	made.decision.placement.ask.min_nodes = made.decision.placement.ask.max_nodes = 2;
	made.decision.placement.ask.gpus_per_node = 4;
	made.choices[0] = (struct gw_choice){10, 0xf0};
	made.choices[1] = (struct gw_choice){11, 0xf0};
	made.decision.placement.node_count = made.decision.placement.choice_count = 2;
	text = text_of(&made.decision);
	ck_assert_ptr_nonnull(strstr(text, ",4.3,0 Cards=0,0,0,0,3,3,3,3\n"));
	again = read_one(text);
	ck_assert_mem_eq(again.placement.shapes, &made.shape, sizeof(made.shape));
	ck_assert_msg(!gw_decision_repeat(&again, NULL, 0, &difference, NULL), "%s",
		      difference.text);
	memset(again.placement.shapes->card, 0, sizeof(again.placement.shapes->card));
	ck_assert_int_eq(gw_decision_repeat(&again, NULL, 0, &difference, NULL), 1);
	gw_decision_free(&again);
	free(text);
}
END_TEST

START_TEST(another_placement_is_told)
{
	struct placement made;
	struct gw_error difference = {0};

	decide(&made);
	made.choices[0].gpus = 0x14;
	ck_assert_int_eq(gw_decision_repeat(&made.decision, NULL, 0, &difference, NULL), 1);
	ck_assert_str_eq(difference.text, "node 11 with GPUs 30 instead of node 11 with GPUs 14");
	gw_error_clear(&difference);
	made.decision.placement.choice_count = 0;
	ck_assert_int_eq(gw_decision_repeat(&made.decision, NULL, 0, &difference, NULL), 1);
	ck_assert_str_eq(difference.text, "1 nodes instead of 0");
}
END_TEST

/* A recorded "no preference", and one with no node at all. */
START_TEST(no_preference_comes_back)
{
	struct placement made;
	struct gw_decision again;
	char *text;

	decide(&made);
	made.decision.placement.ask.gpus_per_node = 16;
	made.decision.placement.choice_count = 0;
	ck_assert_int_eq(gw_decision_repeat(&made.decision, NULL, 0, NULL, NULL), 0);
	made.decision.placement.node_count = made.decision.placement.shape_count = 0;
	text = text_of(&made.decision);
	again = read_one(text);
	ck_assert_int_eq(gw_decision_repeat(&again, NULL, 0, NULL, NULL), 0);
	gw_decision_free(&again);
	free(text);
}
END_TEST

static const char site_conf[] = "UsageHalfLife=7-0\nFlavorName=h100 Gres=gpu:h100 Partition=gpu\n"
				"FlavorName=a100 Gres=gpu:a100 Partition=old\nCohortName=r\n"
				"PoolName=a Cohort=r Quota=h100=8,a100=4 LoanTime=12:00:00\n"
				"PoolName=b Cohort=r Quota=h100=8\n"
				"PoolName=b Peak=Mon-Fri/09:00-21:00 Quota=h100=4\n"
				"QueueName=nlp Pool=a\nQueueName=cv Pool=b\n";

/* Asked and held; the answers are those of gw_quota_ask(). */
static const struct {
	struct gw_quota_ask ask;
	uint32_t minute;
	struct gw_decision_held held[2];
} questions[] = {
	{{0, 0, 4, 3600}, 0, {{0, 0, 2}, {1, 0, 3}}},
	{{0, 0, 8, 3600}, 0, {{0, 0, 2}, {1, 0, 3}}},
	{{0, 0, 8, GW_TIME_INFINITE}, 0, {{0, 0, 2}, {1, 0, 3}}},
	{{0, 0, 8, 3600}, GW_MINUTES_A_DAY + 600, {{0, 0, 2}, {1, 0, 3}}},
	{{1, 0, 4, 3600}, GW_MINUTES_A_DAY + 600, {{0, 0, 2}, {1, 0, 30}}},
	{{1, 1, 1, 3600}, 0, {{0, 1, 2}, {1, 0, 3}}},
	{{0, 1, 9, 3600}, 0, {{0, 1, 2}, {1, 0, 3}}},
};

static struct gw_decision quota_decision(const struct gw_conf *conf, int i,
					 struct gw_decision_held held[2])
{
	struct gw_quota *quota = gw_quota_new(conf, NULL);
	struct gw_decision decision = {.kind = GW_DECISION_QUOTA,
				       .job = 7,
				       .conf = gw_decision_checksum(0, site_conf),
				       .quota = {.ask = questions[i].ask,
						 .minute = questions[i].minute,
						 .held = held,
						 .held_count = 2}};

	memcpy(held, questions[i].held, sizeof(questions[i].held));
	gw_quota_at(quota, questions[i].minute);
	for (int j = 0; j < 2; j++)
		gw_quota_hold(quota, held[j].pool, held[j].flavor, held[j].gpus);
	decision.quota.answer = gw_quota_ask(quota, &questions[i].ask);
	gw_quota_free(quota);
	return decision;
}

START_TEST(quota_comes_back)
{
	struct gw_conf *conf = NULL;
	struct gw_decision_held held[2];
	struct gw_decision decision, again;
	struct gw_error error = {0}, difference = {0};
	char *first, *second;

	ck_assert_int_eq(conf_load_text(site_conf, &conf, &error), 0);
	decision = quota_decision(conf, _i, held);
	first = text_of(&decision);
	again = read_one(first);
	second = text_of(&again);
	ck_assert_str_eq(first, second);
	ck_assert_int_eq(gw_decision_repeat(&again, conf, again.conf, NULL, NULL), 0);
	again.quota.answer.missing += 1;
	ck_assert_int_eq(gw_decision_repeat(&again, conf, again.conf, &difference, NULL), 1);
	ck_assert_ptr_nonnull(strstr(difference.text, "missing instead of"));
	ck_assert_int_eq(gw_decision_repeat(&again, conf, again.conf + 1, NULL, &error), -1);
	ck_assert_str_eq(error.text, "it was made with another configuration");
	ck_assert_int_eq(gw_decision_repeat(&again, NULL, again.conf, NULL, NULL), -1);
	gw_decision_free(&again);
	gw_conf_free(conf);
	free(first);
	free(second);
}
END_TEST

/* Three jobs of two queues; one barred, one of another's, what they hold and used. */
struct ordering {
	struct gw_job jobs[3];
	struct gw_decision_barred barred;
	double usage[6], rates[6];
	struct gw_decision_held held;
	struct gw_order_gpus gpus[2];
	struct gw_order_gap gap;
	struct gw_order_rank ranks[3];
	struct gw_decision decision;
};

static struct gw_conf *rank_jobs(struct ordering *made, bool has_quota)
{
	struct gw_order_workspace *work = gw_order_workspace_new(NULL);
	struct gw_order_input input = {.now = 2000, .job_count = 3};
	const struct gw_order_rank *ranks;
	const bool barred[3] = {false, false, true};
	struct gw_conf *conf = NULL;
	size_t count;

	memset(made, 0, sizeof(*made));
	ck_assert_int_eq(conf_load_text(site_conf, &conf, NULL), 0);
	for (int i = 0; i < 3; i++)
		made->jobs[i] = (struct gw_job){.id = 5 + (uint32_t)i,
						.tasks = 1,
						.queue = i % 2,
						.job_class = GW_INDEX_NONE,
						.gpus = 3,
						.nodes = 1,
						.rate = 0.1 * i,
						.limit = 3600,
						.submit = 1000,
						.nice = -i};
	made->barred.job = 2;
	for (int i = 0; i < 6; i++)
		made->usage[i] = made->rates[i] = 1.0 / (i + 3);
	made->held = (struct gw_decision_held){1, 0, 4};
	input.conf = conf;
	input.jobs = made->jobs;
	input.usage = made->usage;
	input.held = made->rates;
	input.barred = barred;
	made->gpus[0] = (struct gw_order_gpus){8, 1};
	made->gap = (struct gw_order_gap){0, 3, 4000};
	input.gaps = &made->gap;
	input.gap_count = 1;
	input.gpus = has_quota ? made->gpus : NULL;
	input.quota = has_quota ? gw_quota_new(conf, NULL) : NULL;
	if (has_quota)
		gw_quota_hold(input.quota, 1, 0, 4);
	ck_assert_int_eq(gw_order_ranks(work, &input, &ranks, &count, NULL), 0);
	ck_assert_uint_eq(count, 3);
	memcpy(made->ranks, ranks, sizeof(made->ranks));
	made->decision = (struct gw_decision){.kind = GW_DECISION_ORDER,
					      .conf = 1,
					      .order = {.now = 2000,
							.has_quota = has_quota,
							.jobs = made->jobs,
							.job_count = 3,
							.barred = &made->barred,
							.barred_count = 1,
							.usage = made->usage,
							.rates = made->rates,
							.usage_count = gw_lines(conf),
							.rate_count = gw_lines(conf),
							.held = &made->held,
							.held_count = has_quota,
							.gpus = made->gpus,
							.gpus_count = has_quota ? 2 : 0,
							.gaps = &made->gap,
							.gap_count = 1,
							.ranks = made->ranks,
							.rank_count = 3}};
	gw_quota_free(input.quota);
	gw_order_workspace_free(work);
	return conf;
}

START_TEST(order_comes_back)
{
	struct ordering made;
	struct gw_decision again;
	struct gw_error difference = {0}, error = {0};
	struct gw_conf *conf = rank_jobs(&made, _i);
	char *first = text_of(&made.decision), *second;

	again = read_one(first);
	second = text_of(&again);
	ck_assert_str_eq(first, second);
	ck_assert_int_eq(gw_decision_repeat(&again, conf, 1, &difference, &error), 0);
	again.order.ranks[1].turn += 1;
	ck_assert_int_eq(gw_decision_repeat(&again, conf, 1, &difference, &error), 1);
	ck_assert_int_eq(strncmp(difference.text, "rank 2: item ", 13), 0);
	gw_error_clear(&difference);
	again.order.rank_count = 2;
	ck_assert_int_eq(gw_decision_repeat(&again, conf, 1, &difference, &error), 1);
	ck_assert_str_eq(difference.text, "3 ranks instead of 2");
	again.order.jobs[0].tasks = 0;
	ck_assert_int_eq(gw_decision_repeat(&again, conf, 1, NULL, &error), -1);
	ck_assert_str_eq(error.text, "its jobs are not of this configuration");
	gw_error_clear(&error);
	again.order.jobs[0].tasks = 1;
	again.order.barred[0].job = 3;
	ck_assert_int_eq(gw_decision_repeat(&again, conf, 1, NULL, &error), -1);
	again.order.jobs[0].queue = 2;
	ck_assert_int_eq(gw_decision_repeat(&again, conf, 1, NULL, &error), -1);
	again.order.usage_count = 1;
	ck_assert_int_eq(gw_decision_repeat(&again, conf, 1, NULL, &error), -1);
	ck_assert_str_eq(error.text, "its jobs are not of this configuration");
	gw_decision_free(&again);
	gw_conf_free(conf);
	free(first);
	free(second);
}
END_TEST

/* Several in one file, and a reader that goes on behind a bad one. */
START_TEST(one_after_another)
{
	struct placement made;
	struct gw_record_reader reader;
	struct gw_decision decision;
	struct gw_error error = {0};
	struct gw_str text = {0};

	decide(&made);
	gw_str_append(&text, "# two decisions\n\n");
	for (uint32_t job = 1; job < 3; job++) {
		made.decision.job = job;
		ck_assert_int_eq(gw_decision_write(&made.decision, &text, NULL), 0);
	}
	gw_record_reader_init(&reader, gw_str_text(&text));
	for (uint32_t job = 1; job < 3; job++) {
		ck_assert_int_eq(gw_decision_read(&reader, &decision, &error), 1);
		ck_assert_uint_eq(decision.job, job);
		gw_decision_free(&decision);
	}
	ck_assert_int_eq(gw_decision_read(&reader, &decision, &error), 0);
	gw_str_free(&text);
	gw_decision_free(NULL);
}
END_TEST

#define QUOTA                                                                                      \
	"Decision=quota Version=1 Job=7 At=0 Conf=0000000000000001 Minute=0 Pool=0 Flavor=0 "      \
	"Gpus=4 Limit=3600 Answer=allowed Borrow=0 Missing=0 Cohort=-1 Peak=-1\n"
#define PLACEMENT                                                                                  \
	"Decision=placement Version=1 Job=7 At=0 Conf=1 MinNodes=1 MaxNodes=1 GpusPerNode=2 "      \
	"Gpus=0 CpusPerNode=4 CpusPerGpu=0 MemoryPerNode=1 WholeNodes=no\n"

static const struct {
	const char *text, *error;
} bad[] = {
	{"Held=1 Pool=0 Flavor=0\n", "line 1: must begin with Decision= and Version="},
	{"Decision=quota\n", "line 1: must begin with Decision= and Version="},
	{"Decision=quota Version=2\n", "line 1: Version=2: this program reads 1"},
	{"Decision=dinner Version=1\n", "line 1: Decision=dinner: not a kind of decision"},
	{"Decision=quota Version=1 Job=1\n", "line 1: At= is missing"},
	{"Decision=quota Version=1 Job=x\n", "line 1: Job=x can not be read"},
	{"Decision=quota Version=1 Job=4294967296\n", "line 1: Job=4294967296 can not be read"},
	{"Decision=quota Version=1 Job=1 At=99999999999999999999\n",
	 "line 1: At=99999999999999999999 can not be read"},
	{"Decision=quota Version=1 Job=1 At=1 Conf=g\n", "line 1: Conf=g can not be read"},
	{"\n" QUOTA, "line 3: ends within a decision"},
	{QUOTA "Held=\"1\n", "line 2: a quoted value does not end on its line"},
	{QUOTA "Held=1 Pool=x Flavor=0\n", "line 2: Pool=x can not be read"},
	{QUOTA "Held=1 Pool=2147483648 Flavor=0\n", "line 2: Pool=2147483648 can not be read"},
	{QUOTA "Node=1\n", "line 2: Node= does not belong to a decision of quota"},
	{QUOTA "End=quota\n", "line 2: the lines of this decision are not as they were written"},
	{QUOTA "End=quota Sum=0000000000000000\n",
	 "line 2: the lines of this decision are not as they were written"},
	{"Decision=quota Version=1 Job=7 At=0 Conf=1 Minute=10080 Pool=0 Flavor=0 Gpus=4 "
	 "Limit=3600 Answer=allowed Borrow=0 Missing=0 Cohort=-1 Peak=-1\nEnd=quota\n",
	 "line 2: minute 10080 is not of a week"},
	{"Decision=quota Version=1 Job=7 At=0 Conf=1 Minute=0 Pool=0 Flavor=0 Gpus=4 Limit=3600 "
	 "Answer=perhaps\n",
	 "line 1: Answer=perhaps can not be read"},
	{PLACEMENT "Node=1 Shape=1 Domain=1 Weight=1 All=1 Free=1 GpusOther=0 CpusFree=1 "
		   "CpusTotal=1 MemoryFree=1 MemoryTotal=1 BusyUntil=0\nEnd=placement\n",
	 "line 3: node 1 has shape 1, which is not recorded"},
	{PLACEMENT "ShapeGpus=33 Sockets=1 Links=0:0\n", "line 2: Links=0:0 can not be read"},
	{PLACEMENT "ShapeGpus=2 Sockets=1 Links=0:0,1/0:1\n",
	 "line 2: Links=0:0,1/0:1 can not be read"},
	{PLACEMENT "ShapeGpus=1 Sockets=1 Links=0:256\n", "line 2: Links=0:256 can not be read"},
	{PLACEMENT "ShapeGpus=1 Sockets=1 Links=0;0\n", "line 2: Links=0;0 can not be read"},
	{PLACEMENT "ShapeGpus=1 Sockets=1 Links=0:0.\n", "line 2: Links=0:0. can not be read"},
	{PLACEMENT "ShapeGpus=2 Sockets=1 Links=0:0,1/0:1,0 Cards=1\n",
	 "line 2: Cards=1 can not be read"},
	{PLACEMENT "ShapeGpus=1 Sockets=1 Links=0:0 Cards=1,1\n",
	 "line 2: Cards=1,1 can not be read"},
	{PLACEMENT "ShapeGpus=1 Sockets=1 Links=0:0 Cards=256\n",
	 "line 2: Cards=256 can not be read"},
	{PLACEMENT "Choice=1 Gpus=1ffffffffffffffff\n",
	 "line 2: Gpus=1ffffffffffffffff can not be read"},
};

START_TEST(what_is_not_a_decision)
{
	struct gw_record_reader reader;
	struct gw_decision decision;
	struct gw_error error = {0};

	gw_record_reader_init(&reader, bad[_i].text);
	ck_assert_int_eq(gw_decision_read(&reader, &decision, &error), -1);
	ck_assert_msg(!strncmp(error.text, bad[_i].error, strlen(bad[_i].error)), "%s", error.text);
}
END_TEST

/* A byte changed anywhere is noticed, or means nothing (case, blanks, comments). */
START_TEST(every_byte_counts)
{
	struct placement made;
	char *text;
	size_t length;

	decide(&made);
	text = text_of(&made.decision);
	length = strlen(text);
	for (size_t i = 0; i < length; i++) {
		struct gw_record_reader reader;
		struct gw_decision decision;
		char was = text[i];

		text[i] = was == '1' ? '2' : '1';
		gw_record_reader_init(&reader, text);
		if (gw_decision_read(&reader, &decision, NULL) > 0) {
			char *again = text_of(&decision);

			text[i] = was;
			ck_assert_str_eq(again, text);
			free(again);
			gw_decision_free(&decision);
		}
		text[i] = was;
	}
	free(text);
}
END_TEST

START_TEST(not_written)
{
	struct placement made;
	struct gw_str text = {0};
	struct gw_error error = {0};

	decide(&made);
	made.shape.gpus = 33;
	ck_assert_int_eq(gw_decision_write(&made.decision, &text, &error), -1);
	ck_assert_str_eq(error.text, "a shape has 33 GPUs");
	ck_assert_uint_eq(text.length, 0);
	ck_assert_str_eq(gw_decision_kind_name(GW_DECISION_QUOTA), "quota");
}
END_TEST

/* GPUs of more than a table takes can be recorded, but not decided about again. */
START_TEST(too_large_to_repeat)
{
	struct placement made;
	struct gw_error error = {0};

	decide(&made);
	made.shape.gpus = 32;
	ck_assert_int_eq(gw_decision_repeat(&made.decision, NULL, 0, NULL, &error), -1);
	ck_assert(gw_error_is_set(&error));
}
END_TEST

START_TEST(checksums_go_on)
{
	uint64_t whole = gw_decision_checksum(0, "ab");

	ck_assert_uint_eq(gw_decision_checksum(gw_decision_checksum(0, "a"), "b"), whole);
	ck_assert_uint_ne(gw_decision_checksum(0, "ba"), whole);
}
END_TEST

START_TEST(no_memory)
{
	struct gw_conf *conf = NULL;
	struct gw_decision_held held[2];
	struct placement made;
	struct ordering ordered;
	struct gw_decision one[3], again;
	struct gw_record_reader reader;
	struct gw_error error = {0};

	ck_assert_int_eq(conf_load_text(site_conf, &conf, NULL), 0);
	decide(&made);
	one[0] = made.decision;
	one[1] = quota_decision(conf, 0, held);
	gw_conf_free(conf);
	conf = rank_jobs(&ordered, true);
	one[2] = ordered.decision;
	for (int i = 0; i < 3; i++) {
		char *text = text_of(&one[i]);

		for (unsigned int n = 1, failed = 1; failed; n++) {
			struct gw_str str = {0};
			int result;

			alloc_fail_at(n);
			result = gw_decision_write(&one[i], &str, &error);
			failed = alloc_failed();
			ck_assert_int_eq(result, failed ? -1 : 0);
			gw_str_free(&str);
			gw_record_reader_init(&reader, text);
			alloc_fail_at(n);
			result = gw_decision_read(&reader, &again, &error);
			if (!alloc_failed())
				gw_decision_free(&again);
			else
				ck_assert_int_eq(result, -1);
			alloc_fail_at(n);
			result = gw_decision_repeat(&one[i], conf, one[i].conf, NULL, &error);
			ck_assert_int_eq(result, alloc_failed() ? -1 : 0);
		}
		free(text);
	}
	gw_conf_free(conf);
}
END_TEST

UNIT_MAIN("decision", UNIT(placement_comes_back);
	  UNIT(placement_by_mix_comes_back), UNIT(placement_by_mix_and_stays_comes_back),
	  UNIT(gpus_by_socket_come_back), UNIT(cards_of_a_gang_come_back),
	  UNIT(another_placement_is_told);
	  UNIT(no_preference_comes_back); UNIT_ROWS(quota_comes_back, questions);
	  tcase_add_loop_test(tests, order_comes_back, 0, 2); UNIT(one_after_another);
	  UNIT_ROWS(what_is_not_a_decision, bad); UNIT(every_byte_counts); UNIT(not_written);
	  UNIT(too_large_to_repeat); UNIT(checksums_go_on); UNIT(no_memory))
