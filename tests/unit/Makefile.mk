# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_TESTS = \
	tests/unit/test_conf \
	tests/unit/test_conf_bad \
	tests/unit/test_conf_memory \
	tests/unit/test_error \
	tests/unit/test_file \
	tests/unit/test_hostlist \
	tests/unit/test_parse \
	tests/unit/test_record \
	tests/unit/test_str \
	tests/unit/test_tres
check_PROGRAMS += $(UNIT_TESTS)
TESTS += $(UNIT_TESTS) tests/unit/test_command
EXTRA_DIST += tests/unit/test_command

# The tests decide when memory runs out (tests/unit/alloc.h).
UNIT_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
UNIT_LDFLAGS = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc
UNIT_LDADD = src/libgwcore.la $(CHECK_LIBS)
UNIT_COMMON = tests/unit/alloc.c tests/unit/alloc.h tests/unit/unit.h tests/unit/files.h
UNIT_CONF = tests/unit/conf_text.c tests/unit/conf_text.h

tests_unit_test_conf_SOURCES = tests/unit/test_conf.c $(UNIT_COMMON) $(UNIT_CONF)
tests_unit_test_conf_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_conf_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_conf_LDADD = $(UNIT_LDADD)
tests_unit_test_conf_bad_SOURCES = tests/unit/test_conf_bad.c $(UNIT_COMMON) $(UNIT_CONF)
tests_unit_test_conf_bad_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_conf_bad_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_conf_bad_LDADD = $(UNIT_LDADD)
tests_unit_test_conf_memory_SOURCES = tests/unit/test_conf_memory.c $(UNIT_COMMON) $(UNIT_CONF)
tests_unit_test_conf_memory_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_conf_memory_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_conf_memory_LDADD = $(UNIT_LDADD)
tests_unit_test_error_SOURCES = tests/unit/test_error.c $(UNIT_COMMON)
tests_unit_test_error_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_error_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_error_LDADD = $(UNIT_LDADD)
tests_unit_test_file_SOURCES = tests/unit/test_file.c $(UNIT_COMMON)
tests_unit_test_file_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_file_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_file_LDADD = $(UNIT_LDADD)
tests_unit_test_hostlist_SOURCES = tests/unit/test_hostlist.c $(UNIT_COMMON)
tests_unit_test_hostlist_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_hostlist_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_hostlist_LDADD = $(UNIT_LDADD)
tests_unit_test_parse_SOURCES = tests/unit/test_parse.c $(UNIT_COMMON)
tests_unit_test_parse_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_parse_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_parse_LDADD = $(UNIT_LDADD)
tests_unit_test_record_SOURCES = tests/unit/test_record.c $(UNIT_COMMON)
tests_unit_test_record_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_record_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_record_LDADD = $(UNIT_LDADD)
tests_unit_test_str_SOURCES = tests/unit/test_str.c $(UNIT_COMMON)
tests_unit_test_str_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_str_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_str_LDADD = $(UNIT_LDADD)
tests_unit_test_tres_SOURCES = tests/unit/test_tres.c $(UNIT_COMMON)
tests_unit_test_tres_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_tres_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_tres_LDADD = $(UNIT_LDADD)

# Placement.
PLACE_TESTS = \
	tests/unit/test_coreset \
	tests/unit/test_gpuset \
	tests/unit/test_place \
	tests/unit/test_place_fits \
	tests/unit/test_place_gang \
	tests/unit/test_sockets \
	tests/unit/test_topo
check_PROGRAMS += $(PLACE_TESTS)
TESTS += $(PLACE_TESTS)
tests_unit_test_coreset_SOURCES = tests/unit/test_coreset.c tests/unit/cores_text.h $(UNIT_COMMON)
tests_unit_test_coreset_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_coreset_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_coreset_LDADD = $(UNIT_LDADD)
tests_unit_test_gpuset_SOURCES = tests/unit/test_gpuset.c tests/unit/shapes.h $(UNIT_COMMON)
tests_unit_test_gpuset_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_gpuset_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_gpuset_LDADD = $(UNIT_LDADD)
tests_unit_test_place_SOURCES = tests/unit/test_place.c tests/unit/place_cluster.h tests/unit/shapes.h $(UNIT_COMMON)
tests_unit_test_place_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_place_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_place_LDADD = $(UNIT_LDADD)
tests_unit_test_place_gang_SOURCES = tests/unit/test_place_gang.c tests/unit/place_cluster.h \
	tests/unit/shapes.h $(UNIT_COMMON)
tests_unit_test_place_gang_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_place_gang_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_place_gang_LDADD = $(UNIT_LDADD)
tests_unit_test_place_fits_SOURCES = tests/unit/test_place_fits.c $(UNIT_COMMON)
tests_unit_test_place_fits_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_place_fits_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_place_fits_LDADD = $(UNIT_LDADD)
tests_unit_test_sockets_SOURCES = tests/unit/test_sockets.c tests/unit/cores_text.h \
	tests/unit/shapes.h $(UNIT_COMMON)
tests_unit_test_sockets_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_sockets_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_sockets_LDADD = $(UNIT_LDADD)
tests_unit_test_topo_SOURCES = tests/unit/test_topo.c $(UNIT_COMMON)
tests_unit_test_topo_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_topo_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_topo_LDADD = src/libgwtopo.la $(UNIT_LDADD)
TOPO_FIXTURES = \
	tests/fixtures/topo/33-gpus.xml \
	tests/fixtures/topo/broken.xml \
	tests/fixtures/topo/crashes-hwloc.xml \
	tests/fixtures/topo/dgx-a100.xml \
	tests/fixtures/topo/display.xml \
	tests/fixtures/topo/format-1.xml \
	tests/fixtures/topo/format-3.xml \
	tests/fixtures/topo/strong-pairs-format-1.xml \
	tests/fixtures/topo/level-zero.xml \
	tests/fixtures/topo/mi300x.xml \
	tests/fixtures/topo/no-gpu.xml \
	tests/fixtures/topo/no-pci.xml \
	tests/fixtures/topo/not-hwloc.xml \
	tests/fixtures/topo/one-gpu.xml \
	tests/fixtures/topo/one-rdma-card.xml \
	tests/fixtures/topo/opencl.xml \
	tests/fixtures/topo/strong-pairs.xml \
	tests/fixtures/topo/switches.xml \
	tests/fixtures/topo/two-boards.xml
EXTRA_DIST += $(TOPO_FIXTURES)

# Queues and quotas.
POLICY_TESTS = tests/unit/test_decision \
	tests/unit/test_explain \
	tests/unit/test_quota \
	tests/unit/test_route \
	tests/unit/test_route_gpus
check_PROGRAMS += $(POLICY_TESTS)
TESTS += $(POLICY_TESTS)
tests_unit_test_quota_SOURCES = tests/unit/test_quota.c $(UNIT_COMMON) $(UNIT_CONF)
tests_unit_test_quota_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_quota_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_quota_LDADD = $(UNIT_LDADD)
tests_unit_test_decision_SOURCES = tests/unit/test_decision.c $(UNIT_COMMON) $(UNIT_CONF)
tests_unit_test_decision_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_decision_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_decision_LDADD = $(UNIT_LDADD)
tests_unit_test_explain_SOURCES = tests/unit/test_explain.c $(UNIT_COMMON) $(UNIT_CONF)
tests_unit_test_explain_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_explain_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_explain_LDADD = $(UNIT_LDADD)
tests_unit_test_route_SOURCES = tests/unit/test_route.c $(UNIT_COMMON) $(UNIT_CONF)
tests_unit_test_route_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_route_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_route_LDADD = $(UNIT_LDADD)
tests_unit_test_route_gpus_SOURCES = tests/unit/test_route_gpus.c $(UNIT_COMMON)
tests_unit_test_route_gpus_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_route_gpus_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_route_gpus_LDADD = $(UNIT_LDADD)

# Usage, order, numbers.
ORDER_TESTS = tests/unit/test_ledger tests/unit/test_ledger_clock \
	tests/unit/test_numbers \
	tests/unit/test_order \
	tests/unit/test_order_definition \
	tests/unit/test_order_quota \
	tests/unit/test_order_small \
	tests/unit/test_order_within
UNIT_ORDER = tests/unit/order_jobs.c tests/unit/order_jobs.h $(UNIT_COMMON) $(UNIT_CONF)
check_PROGRAMS += $(ORDER_TESTS)
TESTS += $(ORDER_TESTS)
tests_unit_test_ledger_SOURCES = tests/unit/test_ledger.c tests/unit/ledger_fixture.h \
	$(UNIT_COMMON) $(UNIT_CONF)
tests_unit_test_ledger_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_ledger_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_ledger_LDADD = $(UNIT_LDADD)
tests_unit_test_ledger_clock_SOURCES = tests/unit/test_ledger_clock.c tests/unit/ledger_fixture.h \
	$(UNIT_COMMON) $(UNIT_CONF)
tests_unit_test_ledger_clock_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_ledger_clock_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_ledger_clock_LDADD = $(UNIT_LDADD)
tests_unit_test_numbers_SOURCES = tests/unit/test_numbers.c $(UNIT_COMMON)
tests_unit_test_numbers_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_numbers_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_numbers_LDADD = $(UNIT_LDADD)
tests_unit_test_order_SOURCES = tests/unit/test_order.c $(UNIT_ORDER)
tests_unit_test_order_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_order_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_order_LDADD = $(UNIT_LDADD)
tests_unit_test_order_definition_SOURCES = tests/unit/test_order_definition.c $(UNIT_ORDER)
tests_unit_test_order_definition_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_order_definition_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_order_definition_LDADD = $(UNIT_LDADD)
tests_unit_test_order_quota_SOURCES = tests/unit/test_order_quota.c $(UNIT_ORDER)
tests_unit_test_order_quota_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_order_quota_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_order_quota_LDADD = $(UNIT_LDADD)
tests_unit_test_order_small_SOURCES = tests/unit/test_order_small.c $(UNIT_ORDER)
tests_unit_test_order_small_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_order_small_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_order_small_LDADD = $(UNIT_LDADD)
tests_unit_test_order_within_SOURCES = tests/unit/test_order_within.c $(UNIT_ORDER)
tests_unit_test_order_within_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_order_within_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_order_within_LDADD = $(UNIT_LDADD)

# The view that the engine publishes, as the command reads it.
VIEW_TESTS = tests/unit/test_view
check_PROGRAMS += $(VIEW_TESTS)
TESTS += $(VIEW_TESTS)
tests_unit_test_view_SOURCES = tests/unit/test_view.c src/tools/view.c src/tools/view.h $(UNIT_COMMON)
tests_unit_test_view_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_view_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_view_LDADD = $(UNIT_LDADD)

# What the plugins' engine has that knows no Slurm.
ENGINE_TESTS = \
	tests/unit/test_breaker \
	tests/unit/test_histogram \
	tests/unit/test_conf_store \
	tests/unit/test_shape_set \
	tests/unit/test_standing
check_PROGRAMS += $(ENGINE_TESTS)
TESTS += $(ENGINE_TESTS)
tests_unit_test_histogram_SOURCES = tests/unit/test_histogram.c plugins/common/histogram.c $(UNIT_COMMON)
tests_unit_test_histogram_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_histogram_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_histogram_LDADD = $(UNIT_LDADD)
tests_unit_test_breaker_SOURCES = tests/unit/test_breaker.c plugins/common/breaker.c $(UNIT_COMMON)
tests_unit_test_breaker_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_breaker_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_breaker_LDADD = $(UNIT_LDADD)
tests_unit_test_conf_store_SOURCES = tests/unit/test_conf_store.c plugins/common/conf_store.c $(UNIT_COMMON)
tests_unit_test_conf_store_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_conf_store_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_conf_store_LDADD = $(UNIT_LDADD)
tests_unit_test_shape_set_SOURCES = tests/unit/test_shape_set.c plugins/common/shape_set.c \
	$(UNIT_COMMON) $(UNIT_CONF)
tests_unit_test_shape_set_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_shape_set_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_shape_set_LDADD = src/libgwtopo.la $(UNIT_LDADD)
tests_unit_test_standing_SOURCES = tests/unit/test_standing.c plugins/common/standing.c $(UNIT_COMMON)
tests_unit_test_standing_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_standing_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_standing_LDADD = $(UNIT_LDADD)

# The cluster that is simulated.
MODEL_TESTS = tests/unit/test_cluster_model tests/unit/test_model_file
check_PROGRAMS += $(MODEL_TESTS)
TESTS += $(MODEL_TESTS)
tests_unit_test_cluster_model_SOURCES = tests/unit/test_cluster_model.c $(UNIT_COMMON)
tests_unit_test_cluster_model_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_cluster_model_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_cluster_model_LDADD = src/libgwsim.la $(UNIT_LDADD)
tests_unit_test_model_file_SOURCES = tests/unit/test_model_file.c \
	src/tools/findings.c src/tools/gres_shape.c src/tools/model_domains.c \
	src/tools/model_file.c src/tools/model_nodes.c src/tools/model_partitions.c \
	src/tools/model_sched.c src/tools/model_shapes.c src/tools/output.c \
	src/tools/slurm_conf.c $(UNIT_COMMON)
tests_unit_test_model_file_CFLAGS = $(UNIT_CFLAGS) $(JANSSON_CFLAGS)
tests_unit_test_model_file_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_model_file_LDADD = src/libgwsim.la src/libgwtopo.la $(UNIT_LDADD) $(JANSSON_LIBS)

# Another gangway.conf for the jobs that wait now.
DIFF_TESTS = tests/unit/test_replay_diff
check_PROGRAMS += $(DIFF_TESTS)
TESTS += $(DIFF_TESTS)
tests_unit_test_replay_diff_SOURCES = tests/unit/test_replay_diff.c \
	src/tools/replay_diff_belong.c src/tools/replay_diff_make.c src/tools/replay_diff_why.c \
	src/tools/view.c $(UNIT_COMMON) $(UNIT_CONF)
tests_unit_test_replay_diff_CFLAGS = $(UNIT_CFLAGS) $(JANSSON_CFLAGS)
tests_unit_test_replay_diff_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_replay_diff_LDADD = $(UNIT_LDADD)

WHY_TESTS = tests/unit/test_why_cores tests/unit/test_why_shapes
check_PROGRAMS += $(WHY_TESTS)
TESTS += $(WHY_TESTS)
tests_unit_test_why_cores_SOURCES = tests/unit/test_why_cores.c \
	src/tools/why_cores.c src/tools/why_cores.h \
	src/topo/topo.h src/topo/topo_threads.c $(UNIT_COMMON)
tests_unit_test_why_cores_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_why_cores_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_why_cores_LDADD = $(UNIT_LDADD)
tests_unit_test_why_shapes_SOURCES = tests/unit/test_why_shapes.c \
	src/tools/why_shapes.c src/tools/why_shapes.h $(UNIT_COMMON)
tests_unit_test_why_shapes_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_why_shapes_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_why_shapes_LDADD = $(UNIT_LDADD)

# Recorded jobs.
TRACE_TESTS = tests/unit/test_random \
	tests/unit/test_siphash \
	tests/unit/test_trace \
	tests/unit/test_trace_csv \
	tests/unit/test_trace_make \
	tests/unit/test_trace_record \
	tests/unit/test_trace_sacct \
	tests/unit/test_trace_write \
	tests/unit/test_wall_clock
UNIT_TRACE = tests/unit/trace_text.c tests/unit/trace_text.h
check_PROGRAMS += $(TRACE_TESTS)
TESTS += $(TRACE_TESTS)
tests_unit_test_random_SOURCES = tests/unit/test_random.c $(UNIT_COMMON)
tests_unit_test_random_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_random_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_random_LDADD = $(UNIT_LDADD)
tests_unit_test_trace_SOURCES = tests/unit/test_trace.c $(UNIT_COMMON)
tests_unit_test_trace_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_trace_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_trace_LDADD = src/libgwsim.la $(UNIT_LDADD)
tests_unit_test_siphash_SOURCES = tests/unit/test_siphash.c $(UNIT_COMMON)
tests_unit_test_siphash_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_siphash_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_siphash_LDADD = $(UNIT_LDADD)
tests_unit_test_trace_csv_SOURCES = tests/unit/test_trace_csv.c $(UNIT_TRACE) $(UNIT_COMMON)
tests_unit_test_trace_csv_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_trace_csv_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_trace_csv_LDADD = src/libgwsim.la $(UNIT_LDADD)
tests_unit_test_trace_make_SOURCES = tests/unit/test_trace_make.c $(UNIT_COMMON)
tests_unit_test_trace_make_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_trace_make_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_trace_make_LDADD = src/libgwsim.la $(UNIT_LDADD)
tests_unit_test_trace_record_SOURCES = tests/unit/test_trace_record.c $(UNIT_TRACE) $(UNIT_COMMON)
tests_unit_test_trace_record_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_trace_record_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_trace_record_LDADD = src/libgwsim.la $(UNIT_LDADD)
tests_unit_test_trace_sacct_SOURCES = tests/unit/test_trace_sacct.c $(UNIT_TRACE) $(UNIT_COMMON)
tests_unit_test_trace_sacct_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_trace_sacct_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_trace_sacct_LDADD = src/libgwsim.la $(UNIT_LDADD)
tests_unit_test_trace_write_SOURCES = tests/unit/test_trace_write.c $(UNIT_TRACE) $(UNIT_COMMON)
tests_unit_test_trace_write_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_trace_write_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_trace_write_LDADD = src/libgwsim.la $(UNIT_LDADD)
tests_unit_test_wall_clock_SOURCES = tests/unit/test_wall_clock.c src/tools/wall_clock.c $(UNIT_COMMON)
tests_unit_test_wall_clock_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_wall_clock_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_wall_clock_LDADD = $(UNIT_LDADD)

# gangway replay.
TESTS += tests/unit/test_replay
EXTRA_DIST += tests/unit/test_replay tests/bench tests/bench.d
check_PROGRAMS += tests/unit/test_replay_figures
TESTS += tests/unit/test_replay_figures
tests_unit_test_replay_figures_SOURCES = tests/unit/test_replay_figures.c \
	src/tools/replay_axis.c \
	src/tools/replay_figures.c \
	src/tools/replay_plot.c \
	src/tools/replay_vary.c $(UNIT_COMMON)
tests_unit_test_replay_figures_CFLAGS = $(UNIT_CFLAGS) $(JANSSON_CFLAGS)
tests_unit_test_replay_figures_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_replay_figures_LDADD = $(UNIT_LDADD) -lm

# How long jobs run, and when nodes will be empty.
UNIT_PREDICT = tests/unit/predict_runs.c tests/unit/predict_runs.h
DRAIN_TESTS = \
	tests/unit/test_drain \
	tests/unit/test_place_drain \
	tests/unit/test_predict \
	tests/unit/test_predict_text
check_PROGRAMS += $(DRAIN_TESTS)
TESTS += $(DRAIN_TESTS)
tests_unit_test_drain_SOURCES = tests/unit/test_drain.c $(UNIT_COMMON)
tests_unit_test_drain_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_drain_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_drain_LDADD = $(UNIT_LDADD)
tests_unit_test_place_drain_SOURCES = tests/unit/test_place_drain.c tests/unit/place_cluster.h \
	tests/unit/shapes.h $(UNIT_COMMON)
tests_unit_test_place_drain_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_place_drain_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_place_drain_LDADD = $(UNIT_LDADD)
tests_unit_test_predict_SOURCES = tests/unit/test_predict.c $(UNIT_PREDICT) $(UNIT_COMMON)
tests_unit_test_predict_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_predict_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_predict_LDADD = $(UNIT_LDADD) -lm
tests_unit_test_predict_text_SOURCES = tests/unit/test_predict_text.c $(UNIT_PREDICT) $(UNIT_COMMON)
tests_unit_test_predict_text_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_predict_text_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_predict_text_LDADD = $(UNIT_LDADD)

# The inside of a node.
TOPO_TESTS = \
	tests/unit/test_apart \
	tests/unit/test_gres_shape \
	tests/unit/test_shapes
check_PROGRAMS += $(TOPO_TESTS)
TESTS += $(TOPO_TESTS) tests/unit/test_topo_command
tests_unit_test_apart_SOURCES = tests/unit/test_apart.c src/topo/apart.c src/topo/apart.h $(UNIT_COMMON)
tests_unit_test_apart_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_apart_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_apart_LDADD = $(UNIT_LDADD)
tests_unit_test_gres_shape_SOURCES = tests/unit/test_gres_shape.c src/tools/gres_shape.c src/tools/gres_shape.h \
	src/tools/slurm_conf.c src/tools/slurm_conf.h src/tools/findings.c src/tools/findings.h \
	src/tools/output.c src/tools/output.h $(UNIT_COMMON)
tests_unit_test_gres_shape_CFLAGS = $(UNIT_CFLAGS) $(JANSSON_CFLAGS)
tests_unit_test_gres_shape_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_gres_shape_LDADD = src/libgwtopo.la $(UNIT_LDADD) $(JANSSON_LIBS)
tests_unit_test_shapes_SOURCES = tests/unit/test_shapes.c tests/unit/gpuset_brute.h $(UNIT_COMMON)
tests_unit_test_shapes_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_shapes_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_shapes_LDADD = src/libgwtopo.la $(UNIT_LDADD)
EXTRA_DIST += tests/unit/test_topo_command \
	tests/unit/gpuset_brute.h \
	tests/fixtures/topo/bridges.xml \
	tests/fixtures/topo/cloud-h100.xml \
	tests/fixtures/topo/mi250x.xml \
	tests/fixtures/topo/unequal.xml

# The simulator. The tests watch who holds which GPUs (tests/unit/sim_jobs.h).
SIM_TESTS = \
	tests/unit/test_sim \
	tests/unit/test_sim_backfill \
	tests/unit/test_sim_memory \
	tests/unit/test_sim_metrics \
	tests/unit/test_sim_order \
	tests/unit/test_sim_place \
	tests/unit/test_sim_random \
	tests/unit/test_sim_ready \
	tests/unit/test_sim_recorded \
	tests/unit/test_sim_stream
SIM_CFLAGS = $(UNIT_CFLAGS)
SIM_LDFLAGS = $(UNIT_LDFLAGS) -Wl,--wrap=sim_hold,--wrap=sim_release
SIM_LDADD = src/libgwsim.la $(UNIT_LDADD) -lm
SIM_COMMON = tests/unit/sim_jobs.c tests/unit/sim_jobs.h $(UNIT_COMMON) $(UNIT_CONF)
check_PROGRAMS += $(SIM_TESTS)
TESTS += $(SIM_TESTS) tests/unit/test_replay_truth
EXTRA_DIST += tests/unit/test_replay_truth
tests_unit_test_sim_SOURCES = tests/unit/test_sim.c $(SIM_COMMON)
tests_unit_test_sim_CFLAGS = $(SIM_CFLAGS)
tests_unit_test_sim_LDFLAGS = $(SIM_LDFLAGS)
tests_unit_test_sim_LDADD = $(SIM_LDADD)
tests_unit_test_sim_backfill_SOURCES = tests/unit/test_sim_backfill.c $(SIM_COMMON)
tests_unit_test_sim_backfill_CFLAGS = $(SIM_CFLAGS)
tests_unit_test_sim_backfill_LDFLAGS = $(SIM_LDFLAGS)
tests_unit_test_sim_backfill_LDADD = $(SIM_LDADD)
tests_unit_test_sim_order_SOURCES = tests/unit/test_sim_order.c $(SIM_COMMON)
tests_unit_test_sim_order_CFLAGS = $(SIM_CFLAGS)
tests_unit_test_sim_order_LDFLAGS = $(SIM_LDFLAGS)
tests_unit_test_sim_order_LDADD = $(SIM_LDADD)
tests_unit_test_sim_place_SOURCES = tests/unit/test_sim_place.c $(SIM_COMMON)
tests_unit_test_sim_place_CFLAGS = $(SIM_CFLAGS)
tests_unit_test_sim_place_LDFLAGS = $(SIM_LDFLAGS)
tests_unit_test_sim_place_LDADD = $(SIM_LDADD)
tests_unit_test_sim_memory_SOURCES = tests/unit/test_sim_memory.c $(SIM_COMMON)
tests_unit_test_sim_memory_CFLAGS = $(SIM_CFLAGS)
tests_unit_test_sim_memory_LDFLAGS = $(SIM_LDFLAGS)
tests_unit_test_sim_memory_LDADD = $(SIM_LDADD)
tests_unit_test_sim_metrics_SOURCES = tests/unit/test_sim_metrics.c $(SIM_COMMON)
tests_unit_test_sim_metrics_CFLAGS = $(SIM_CFLAGS)
tests_unit_test_sim_metrics_LDFLAGS = $(SIM_LDFLAGS)
tests_unit_test_sim_metrics_LDADD = $(SIM_LDADD)
tests_unit_test_sim_random_SOURCES = tests/unit/test_sim_random.c $(SIM_COMMON)
tests_unit_test_sim_random_CFLAGS = $(SIM_CFLAGS)
tests_unit_test_sim_random_LDFLAGS = $(SIM_LDFLAGS)
tests_unit_test_sim_random_LDADD = $(SIM_LDADD)
tests_unit_test_sim_ready_SOURCES = tests/unit/test_sim_ready.c $(UNIT_COMMON)
tests_unit_test_sim_ready_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_sim_ready_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_sim_ready_LDADD = $(SIM_LDADD)
tests_unit_test_sim_recorded_SOURCES = tests/unit/test_sim_recorded.c $(SIM_COMMON)
tests_unit_test_sim_recorded_CFLAGS = $(SIM_CFLAGS)
tests_unit_test_sim_recorded_LDFLAGS = $(SIM_LDFLAGS)
tests_unit_test_sim_recorded_LDADD = $(SIM_LDADD)
tests_unit_test_sim_stream_SOURCES = tests/unit/test_sim_stream.c $(SIM_COMMON)
tests_unit_test_sim_stream_CFLAGS = $(SIM_CFLAGS)
tests_unit_test_sim_stream_LDFLAGS = $(SIM_LDFLAGS)
tests_unit_test_sim_stream_LDADD = $(SIM_LDADD)

# On Slurm's own records: what slurmctld would lend is in its library.
if BUILD_PLUGINS
SLURM_TESTS = tests/unit/test_bits tests/unit/test_cores_in_use tests/unit/test_domains \
	tests/unit/test_gpus_registered tests/unit/test_snapshot
check_PROGRAMS += $(SLURM_TESTS)
TESTS += $(SLURM_TESTS)
tests_unit_test_bits_SOURCES = tests/unit/test_bits.c plugins/common/bits.c $(UNIT_COMMON)
tests_unit_test_bits_CPPFLAGS = $(PLUGIN_CPPFLAGS)
tests_unit_test_bits_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_bits_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_bits_LDADD = $(UNIT_LDADD) $(SLURM_LIBS)
tests_unit_test_cores_in_use_SOURCES = tests/unit/test_cores_in_use.c plugins/common/cores_in_use.c \
	plugins/common/bits.c $(UNIT_COMMON)
tests_unit_test_cores_in_use_CPPFLAGS = $(PLUGIN_CPPFLAGS)
tests_unit_test_cores_in_use_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_cores_in_use_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_cores_in_use_LDADD = $(UNIT_LDADD) $(SLURM_LIBS)
tests_unit_test_domains_SOURCES = tests/unit/test_domains.c plugins/common/domains.c \
	plugins/common/bits.c $(UNIT_COMMON)
tests_unit_test_domains_CPPFLAGS = $(PLUGIN_CPPFLAGS)
tests_unit_test_domains_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_domains_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_domains_LDADD = $(UNIT_LDADD) $(SLURM_LIBS)
tests_unit_test_gpus_registered_SOURCES = tests/unit/test_gpus_registered.c \
	plugins/common/gpus_registered.c $(UNIT_COMMON)
tests_unit_test_gpus_registered_CPPFLAGS = $(PLUGIN_CPPFLAGS)
tests_unit_test_gpus_registered_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_gpus_registered_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_gpus_registered_LDADD = $(UNIT_LDADD) $(SLURM_LIBS)
tests_unit_test_snapshot_SOURCES = tests/unit/test_snapshot.c plugins/common/snapshot.c \
	plugins/common/bits.c $(UNIT_COMMON)
tests_unit_test_snapshot_CPPFLAGS = $(PLUGIN_CPPFLAGS)
tests_unit_test_snapshot_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_snapshot_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_snapshot_LDADD = $(UNIT_LDADD) $(SLURM_LIBS)
endif
