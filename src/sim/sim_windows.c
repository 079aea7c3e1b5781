// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * When Slurm notices that room has come. It takes ends of running jobs, by their limits, in
 * windows and asks after the last end of each whether a job fits: the first window is 30 s wide,
 * each end of one twice as far as the one before, or by bf_window_linear farther.
 *
 * A pass goes by the jobs that ran when it began: what it starts itself counts from the next on.
 */
#include <stdlib.h>
#include <string.h>

#include "sim_impl.h"

#define FIRST_WINDOW 30

/* How many of the ends in order are before that time, or at it too. */
static size_t ends_before(const struct sim_windows *windows, int64_t at, bool too)
{
	size_t low = 0, high = windows->sorted;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (windows->end[middle] < at || (too && windows->end[middle] == at))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void sim_windows_started(struct sim_windows *windows, int64_t end)
{
	if (windows->end)
		windows->end[windows->count++] = end;
}

void sim_windows_begin(struct sim_windows *windows)
{
	for (; windows->sorted < windows->count; windows->sorted++) {
		int64_t end = windows->end[windows->sorted];
		size_t place = ends_before(windows, end, true);

		memmove(&windows->end[place + 1], &windows->end[place],
			(windows->sorted - place) * sizeof(*windows->end));
		windows->end[place] = end;
	}
	windows->ready = windows->noticed = 0;
}

void sim_windows_ended(struct sim_windows *windows, int64_t end)
{
	size_t place;

	if (!windows->end)
		return;
	sim_windows_begin(windows);
	place = ends_before(windows, end, false);
	windows->count = --windows->sorted;
	memmove(&windows->end[place], &windows->end[place + 1],
		(windows->sorted - place) * sizeof(*windows->end));
}

/* The end of the window that has a time in it. */
static int64_t window_of(const struct sim_windows *windows, int64_t at, int64_t linear)
{
	int64_t first = windows->end[0] + FIRST_WINDOW - windows->end[0] % FIRST_WINDOW;
	int64_t window = FIRST_WINDOW;

	if (linear && at > first + window)
		window += (at - first - window + linear - 1) / linear * linear;
	while (at > first + window)
		window *= 2;
	return first + window;
}

int64_t sim_windows_notice(struct sim_windows *windows, int64_t ready, int64_t linear)
{
	size_t place;

	if (ready >= windows->ready && ready <= windows->noticed)
		return windows->noticed;
	place = ends_before(windows, ready, false);
	if (place == windows->sorted)
		return ready;
	place = ends_before(windows, window_of(windows, windows->end[place], linear), true);
	windows->ready = ready;
	windows->noticed = windows->end[place - 1];
	return windows->noticed;
}
