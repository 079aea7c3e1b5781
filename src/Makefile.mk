# SPDX-License-Identifier: GPL-2.0-or-later
# Included by Makefile.am. util and core are linked into the plugins, so they are PIC.

noinst_LTLIBRARIES += src/libgwutil.la src/libgwcore.la

src_libgwutil_la_SOURCES = \
	src/util/arith.h \
	src/util/error.c src/util/error.h \
	src/util/file.c src/util/file.h \
	src/util/hostlist.c src/util/hostlist.h \
	src/util/parse.c src/util/parse.h \
	src/util/record.c src/util/record.h \
	src/util/str.c src/util/str.h \
	src/util/tres.c src/util/tres.h
src_libgwutil_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden

src_libgwcore_la_SOURCES = \
	src/core/cluster.h src/core/job.h \
	src/core/conf.c src/core/conf.h \
	src/core/conf_check.c \
	src/core/conf_free.c \
	src/core/conf_impl.h \
	src/core/conf_keys.c \
	src/core/conf_limits.c \
	src/core/conf_value.c \
	src/core/conf_warn.c
src_libgwcore_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
src_libgwcore_la_LIBADD = src/libgwutil.la

bin_PROGRAMS += src/tools/gangway
src_tools_gangway_SOURCES = \
	src/acct/history.c src/acct/history.h \
	src/tools/check.h \
	src/tools/check_backfill.c \
	src/tools/check_conf.c \
	src/tools/check_gpus.c \
	src/tools/check_shapes.c \
	src/tools/check_plugins.c \
	src/tools/check_slurm.c \
	src/tools/cmd_check.c \
	src/tools/cmd_off.c \
	src/tools/cmd_queues.c \
	src/tools/cmd_repeat.c \
	src/tools/cmd_status.c \
	src/tools/cmd_usage.c \
	src/tools/cmd_why.c \
	src/tools/commands.h \
	src/tools/findings.c src/tools/findings.h \
	src/tools/gangway.c \
	src/tools/off.h \
	src/tools/off_jobs.c \
	src/tools/off_lines.c \
	src/tools/output.c src/tools/output.h \
	src/tools/site.c src/tools/site.h \
	src/tools/slurm_conf.c src/tools/slurm_conf.h \
	src/tools/slurmctld.c src/tools/slurmctld.h \
	src/tools/state.c src/tools/state.h \
	src/tools/usage.c src/tools/usage.h \
	src/tools/view.c src/tools/view.h \
	src/tools/why.h \
	src/tools/why_cores.c src/tools/why_cores.h \
	src/tools/why_facts.c \
	src/tools/why_map.c src/tools/why_map.h \
	src/tools/why_shapes.c src/tools/why_shapes.h
src_tools_gangway_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
src_tools_gangway_LDADD = src/libgwtopo.la src/libgwcore.la $(JANSSON_LIBS) $(SLURM_LIBS) -ldl -lm

# GPUs inside a node, nodes for a gang.
src_libgwcore_la_SOURCES += \
	src/core/cluster.h \
	src/core/coreset.c src/core/coreset.h \
	src/core/sockets.c src/core/sockets.h \
	src/core/gpuset.c src/core/gpuset.h \
	src/core/place.c src/core/place.h \
	src/core/place_cost.c \
	src/core/place_domain.c \
	src/core/place_drain.c \
	src/core/place_fits.c \
	src/core/place_gang.c \
	src/core/place_heap.c \
	src/core/place_impl.h \
	src/core/place_one.c

# Queues and quotas.
src_libgwcore_la_SOURCES += \
	src/core/decision.c src/core/decision.h \
	src/core/decision_fields.c \
	src/core/decision_format.c \
	src/core/decision_impl.h \
	src/core/decision_repeat.c \
	src/core/explain.c src/core/explain.h \
	src/core/explain_change.c \
	src/core/explain_figures.c \
	src/core/explain_impl.h \
	src/core/quota.c src/core/quota.h \
	src/core/quota_ask.c \
	src/core/quota_impl.h \
	src/core/quota_tell.c \
	src/core/route.c src/core/route.h \
	src/core/route_class.c \
	src/core/route_flavor.c \
	src/core/route_gpus.c src/core/route_gpus.h \
	src/core/route_impl.h

dist_sysconf_DATA = etc/gangway.conf.example etc/slurm.conf.fragment

# Usage.
src_libgwcore_la_SOURCES += \
	src/core/ledger.c src/core/ledger.h \
	src/core/ledger_account.c \
	src/core/ledger_impl.h \
	src/core/ledger_line.h \
	src/core/ledger_reconcile.c \
	src/core/ledger_text.c

# Who comes next.
src_libgwcore_la_SOURCES += \
	src/core/numbers.c src/core/numbers.h \
	src/core/order.c src/core/order.h \
	src/core/order_entries.c \
	src/core/order_batch.c \
	src/core/order_gaps.c \
	src/core/order_impl.h \
	src/core/order_run.c \
	src/core/order_sort.c \
	src/core/order_tables.c
src_libgwcore_la_LIBADD += -lm

# The insides of nodes: the only user of hwloc.
noinst_LTLIBRARIES += src/libgwtopo.la
src_libgwtopo_la_SOURCES = \
	src/topo/apart.c \
	src/topo/apart.h \
	src/topo/topo.h \
	src/topo/topo_apart.c \
	src/topo/topo_cores.c \
	src/topo/topo_gpus.c \
	src/topo/topo_impl.h \
	src/topo/topo_links.c \
	src/topo/topo_looked.c \
	src/topo/topo_strength.c \
	src/topo/topo_threads.c \
	src/topo/topo_xml.c
src_libgwtopo_la_CFLAGS = $(AM_CFLAGS) $(HWLOC_CFLAGS) -fvisibility=hidden
src_libgwtopo_la_LIBADD = src/libgwutil.la $(HWLOC_LIBS)

# The simulator: a model of Slurm around core. Part of the command, not of the plugins.
noinst_LTLIBRARIES += src/libgwsim.la
src_libgwsim_la_SOURCES = \
	src/sim/cluster_model.h \
	src/sim/sim.h \
	src/sim/trace.h
src_libgwsim_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
src_libgwsim_la_LIBADD = src/libgwcore.la
src_tools_gangway_LDADD += src/libgwsim.la

# The cluster that is simulated.
src_libgwsim_la_SOURCES += src/sim/cluster_model.c
src_tools_gangway_SOURCES += \
	src/tools/model_domains.c \
	src/tools/model_file.c src/tools/model_file.h \
	src/tools/model_impl.h \
	src/tools/model_nodes.c \
	src/tools/model_partitions.c \
	src/tools/model_sched.c \
	src/tools/model_shapes.c

# Another gangway.conf for the jobs that wait now.
src_libgwcore_la_SOURCES += src/core/belong.c src/core/belong.h
src_tools_gangway_SOURCES += \
	src/tools/replay_diff.c src/tools/replay_diff.h \
	src/tools/replay_diff_asked.c src/tools/replay_diff_asked.h \
	src/tools/replay_diff_belong.c \
	src/tools/replay_diff_impl.h \
	src/tools/replay_diff_make.c \
	src/tools/replay_diff_why.c

# Recorded jobs: read, written, made.
src_libgwutil_la_SOURCES += src/util/random.c src/util/random.h src/util/siphash.c src/util/siphash.h
src_libgwsim_la_SOURCES += \
	src/sim/trace.c \
	src/sim/trace_anonymise.c \
	src/sim/trace_columns.c src/sim/trace_columns.h \
	src/sim/trace_csv.c src/sim/trace_csv.h \
	src/sim/trace_ids.c src/sim/trace_ids.h \
	src/sim/trace_make.c src/sim/trace_make.h \
	src/sim/trace_record.c src/sim/trace_record.h \
	src/sim/trace_values.c \
	src/sim/trace_write.c src/sim/trace_write.h
src_tools_gangway_SOURCES += \
	src/acct/job_trace.c src/acct/job_trace.h \
	src/acct/records.c src/acct/records.h \
	src/tools/trace_file.c src/tools/trace_file.h \
	src/tools/wall_clock.c src/tools/wall_clock.h

# The inside of a node: gangway topo, and what check makes of gres.conf.
shapesdir = $(datadir)/gangway/shapes
dist_shapes_DATA = \
	etc/shapes/8xmi300x.xml \
	etc/shapes/8xt4.xml \
	etc/shapes/README.md \
	etc/shapes/dgx-a100.xml \
	etc/shapes/hgx-a100.xml \
	etc/shapes/hgx-h100.xml
src_tools_gangway_SOURCES += \
	src/tools/check_gres.c src/tools/check_gres.h \
	src/tools/check_gres_lines.c \
	src/tools/check_gres_node.c \
	src/tools/check_hwloc.c \
	src/tools/cmd_topo.c \
	src/tools/gres_shape.c src/tools/gres_shape.h \
	src/tools/topo_draw.c \
	src/tools/topo_gres.c \
	src/tools/topo_json.c \
	src/tools/topo_sets.c \
	src/tools/topo_show.h
src_libgwtopo_la_SOURCES += \
	src/topo/node.h \
	src/topo/topo_nics.c \
	src/topo/topo_node.c \
	src/topo/topo_path.c \
	src/topo/topo_tree.c \
	src/topo/topo_type.c

# How long jobs run, and when nodes will be empty.
src_libgwcore_la_SOURCES += \
	src/core/drain.c src/core/drain.h \
	src/core/drain_impl.h \
	src/core/drain_index.c \
	src/core/grid.c src/core/grid.h \
	src/core/predict.c src/core/predict.h \
	src/core/predict_ask.c \
	src/core/predict_build.c \
	src/core/predict_impl.h \
	src/core/predict_text.c
src_libgwutil_la_SOURCES += src/util/checksum.c src/util/checksum.h

# The engine.
src_libgwsim_la_SOURCES += \
	src/sim/sim.c \
	src/sim/sim_impl.h \
	src/sim/sim_limits.c \
	src/sim/sim_load.c \
	src/sim/sim_load_jobs.c \
	src/sim/sim_measure.c \
	src/sim/sim_nodes.c \
	src/sim/sim_order.c \
	src/sim/sim_pass.c \
	src/sim/sim_place.c \
	src/sim/sim_policy.c \
	src/sim/sim_pool.c \
	src/sim/sim_predict.c \
	src/sim/sim_ready.c \
	src/sim/sim_recorded.c \
	src/sim/sim_reserve.c \
	src/sim/sim_waits.c \
	src/sim/sim_windows.c

# gangway replay.
src_tools_gangway_SOURCES += \
	src/tools/cmd_replay.c \
	src/tools/replay.h \
	src/tools/replay_anonymise.c \
	src/tools/replay_axis.c src/tools/replay_axis.h \
	src/tools/replay_conf.c \
	src/tools/replay_figures.c src/tools/replay_figures.h \
	src/tools/replay_html.c \
	src/tools/replay_input.c \
	src/tools/replay_json.c \
	src/tools/replay_page.h \
	src/tools/replay_plot.c src/tools/replay_plot.h \
	src/tools/replay_plots.c \
	src/tools/replay_plots_time.c \
	src/tools/replay_ranges.c \
	src/tools/replay_rows.c \
	src/tools/replay_run.c \
	src/tools/replay_schedule.c \
	src/tools/replay_settings.c \
	src/tools/replay_style.c \
	src/tools/replay_tables.c \
	src/tools/replay_text.c \
	src/tools/replay_vary.c
src_tools_gangway_LDADD += -lpthread

# What free GPUs are worth to the jobs of a site.
src_libgwcore_la_SOURCES += \
	src/core/mix.c src/core/mix.h \
	src/core/mix_seen.c src/core/mix_seen.h src/core/mix_seen_impl.h \
	src/core/mix_seen_text.c

# Run times from accounting.
src_tools_gangway_SOURCES += \
	src/acct/runtimes.c src/acct/runtimes.h \
	src/tools/cmd_learn.c
