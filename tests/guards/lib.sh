# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What the guards share. They run from make check, which sets GW_SRC (the checkout), GW_BUILD
# (the build directory), GW_CC, GW_NM, GW_CPPFLAGS (for plugins; empty: none are built),
# GW_SLURM_SRC, GW_SLURMCTLD and GW_SLURM_PLUGINDIR. Run by hand: make check TESTS=tests/guards/NAME.
set -euo pipefail
: "${GW_SRC:?run me from make check}" "${GW_BUILD:?run me from make check}"

found=0

# Notes a finding; the guard goes on to find the others.
finding() {
	echo "$*"
	found=1
}

skip() {
	echo "skipped: $*"
	exit 77
}

need_plugins() {
	[ -n "$GW_CPPFLAGS" ] || skip "no plugins are built (--without-slurm-src)"
}

# The plugins of this build, one path a line.
plugins() {
	find "$GW_BUILD/.libs" -name '*.so' ! -name 'libgangway*.so' | sort
}

finish() {
	exit $found
}
