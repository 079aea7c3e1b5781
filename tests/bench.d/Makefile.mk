# SPDX-License-Identifier: GPL-2.0-or-later
# FGD's inflation test: run by tests/bench openb, its arithmetic by tests/unit/test_openb.
OPENB_SOURCES = \
	tests/bench.d/openb.h \
	tests/bench.d/openb_arrive.c \
	tests/bench.d/openb_mix.c \
	tests/bench.d/openb_ours.c \
	tests/bench.d/openb_peers.c \
	tests/bench.d/openb_read.c \
	tests/bench.d/openb_run.c
EXTRA_DIST += tests/bench.d/openb-run
check_PROGRAMS += tests/bench.d/openb
tests_bench_d_openb_SOURCES = tests/bench.d/openb.c $(OPENB_SOURCES)
tests_bench_d_openb_LDADD = src/libgwcore.la

OPENB_TESTS = tests/unit/test_mix tests/unit/test_mix_seen tests/unit/test_openb
check_PROGRAMS += $(OPENB_TESTS)
TESTS += $(OPENB_TESTS)
tests_unit_test_mix_SOURCES = tests/unit/test_mix.c $(UNIT_COMMON)
tests_unit_test_mix_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_mix_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_mix_LDADD = $(UNIT_LDADD)
tests_unit_test_mix_seen_SOURCES = tests/unit/test_mix_seen.c $(UNIT_COMMON)
tests_unit_test_mix_seen_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_mix_seen_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_mix_seen_LDADD = $(UNIT_LDADD)
tests_unit_test_openb_SOURCES = tests/unit/test_openb.c $(OPENB_SOURCES) $(UNIT_COMMON)
tests_unit_test_openb_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_openb_LDFLAGS = $(UNIT_LDFLAGS)
tests_unit_test_openb_LDADD = $(UNIT_LDADD)

# The placement hook's own time: linked by tests/bench hook alone, as it needs Slurm's library.
EXTRA_DIST += tests/bench.d/hook-run
if BUILD_PLUGINS
EXTRA_PROGRAMS = tests/bench.d/hook
tests_bench_d_hook_SOURCES = \
	tests/bench.d/hook.c tests/bench.d/hook.h \
	tests/bench.d/hook_ask.c \
	tests/bench.d/hook_busy.c \
	tests/bench.d/hook_gpuset.c \
	tests/bench.d/hook_memory.c \
	tests/bench.d/hook_nodes.c
tests_bench_d_hook_CPPFLAGS = $(PLUGIN_CPPFLAGS)
# Slurm's library is where its plugins are. What only slurmctld has is not called, and stays
# unresolved, as it is in libgangway.so; a program that may lie anywhere can not be linked so.
tests_bench_d_hook_LDFLAGS = -no-pie -Wl,--unresolved-symbols=ignore-in-object-files \
	-Wl,-rpath,$(GW_SLURM_PLUGINDIR) -L$(GW_SLURM_PLUGINDIR)
tests_bench_d_hook_LDADD = $(libgangway_la_OBJECTS) src/libgwcore.la -lslurmfull -lm -lpthread -ldl
CLEANFILES += tests/bench.d/hook

# make check compiles it, so that it does not rot.
check-local: $(tests_bench_d_hook_OBJECTS)
endif
