# SPDX-License-Identifier: GPL-2.0-or-later
# When live-pool and live-compare say of a figure that it came as predicted.

# Of a wait in seconds; $few: of too few jobs to judge.
def wait_verdict($few; $grain):
	((.live - .predicted) | fabs) as $apart
	| if $few then "few" elif $apart <= 0.1 * .predicted then "ok" elif $apart <= $grain then "grain" else "off" end;

# Of a part of all GPUs, by its difference; null: there is none.
def part_verdict($most):
	if .difference == null then "none" elif (.difference | fabs) <= $most then "ok" else "off" end;

# How many of the figures of a report are off.
def count_off: [.waits[] | .mean, .p95] + [.util, .f1] | map(select(.verdict == "off")) | length;
