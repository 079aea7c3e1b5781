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
