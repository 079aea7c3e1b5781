# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# The cluster's clock, and what else every process of it has in its environment. Needs
# common.sh, record.sh; DIR and C are set.

# The record of the cluster, see record.sh.
declare -gA C

# What every process of the cluster has in its environment, as NAME=VALUE words
# for env: the clock, if it is not real time, and the sanitizers of the build.
CLOCK=()

clock_load() {
	[[ ! -s $DIR/run/clock ]] || mapfile -t CLOCK <"$DIR/run/clock"
}

# One holder keeps the shared clock segments for all who use them.
clock_start() {
	((C[speed] > 1)) || return 0
	# shellcheck disable=SC2016
	NO_FAKE_STAT=1 setsid faketime -m -f "+0 x${C[speed]}" bash -c '
		env | grep -E "^(LD_PRELOAD|FAKETIME|FAKETIME_SHARED|NO_FAKE_STAT)=" >"$1.new"
		mv "$1.new" "$1"; exec tail -f /dev/null' bash "$DIR/run/clock" \
		>"$DIR/log/clock.log" 2>&1 </dev/null &
	wait_until 30 test -s "$DIR/run/clock" || inside_die "the accelerated clock does not start" clock.log
	clock_load
}

# Programs that load plugins built with the address sanitizer must have loaded
# its library first. Reports go to log/asan.PID.
sanitizer_start() {
	local library=''
	[[ -z ${C[stage]} ]] || library=$(ldd "${C[stage]}/lib/gangway/priority_gangway.so" | awk '/libasan/ { print $3; exit }')
	[[ -n $library ]] || return 0
	{
		printf '%s\n' "${CLOCK[@]}" | grep -v -e '^LD_PRELOAD=' -e '^$' || true
		printf 'LD_PRELOAD=%s\n' "$library$(printf '%s\n' "${CLOCK[@]}" | sed -n 's/^LD_PRELOAD=/:/p')"
		printf '%s\n' "ASAN_OPTIONS=detect_leaks=0:log_path=$DIR/log/asan" "UBSAN_OPTIONS=log_path=$DIR/log/asan"
	} >"$DIR/run/clock.new"
	mv "$DIR/run/clock.new" "$DIR/run/clock"
	clock_load
}
