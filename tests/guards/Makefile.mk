# SPDX-License-Identifier: GPL-2.0-or-later
GUARDS = \
	tests/guards/core-is-pure \
	tests/guards/exports \
	tests/guards/forward-types \
	tests/guards/headers-alone \
	tests/guards/install-steps \
	tests/guards/man-pages \
	tests/guards/resolves
TESTS += $(GUARDS)
EXTRA_DIST += $(GUARDS) tests/guards/abi-gate tests/guards/lib.sh

AM_TESTS_ENVIRONMENT = \
	GW_SRC='$(abs_top_srcdir)'; GW_BUILD='$(abs_top_builddir)'; \
	GW_CC='$(CC)'; GW_NM='$(NM)'; GW_CPPFLAGS='$(PLUGIN_CPPFLAGS)'; \
	GW_SLURM_SRC='$(GW_SLURM_SRC)'; GW_SLURMCTLD='$(GW_SLURMCTLD)'; \
	GW_SLURM_PLUGINDIR='$(GW_SLURM_PLUGINDIR)'; \
	export GW_SRC GW_BUILD GW_CC GW_NM GW_CPPFLAGS GW_SLURM_SRC GW_SLURMCTLD GW_SLURM_PLUGINDIR;

# For tests/coverage: the unit tests, without the guards.
print-unit-tests:
	@echo $(filter-out tests/guards/%,$(TESTS))
.PHONY: print-unit-tests
