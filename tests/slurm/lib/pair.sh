# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A cluster on stock and one with Gangway, "stock" and "g", that get the same steps at the same
# time and must tell the same. Needs test.sh.

# pair_up [OPTION OF devcluster up]...: both, with $WORK/gangway.conf and the lines of
# $WORK/slurm.conf, where @DIR@ is the cluster's directory.
pair_up() {
	local name status=0
	local -a pids=()
	for name in stock g; do
		CLUSTER["$name"]=$WORK/$name
		pair_up_one "$name" "$@" >"$WORK/$name.up" 2>&1 </dev/null &
		pids+=($!)
	done
	wait "${pids[0]}" || status=1
	wait "${pids[1]}" || status=1
	cat "$WORK/stock.up" "$WORK/g.up"
	((status == 0)) || fail "the clusters do not come up"
}

pair_up_one() {
	local name=$1
	local -a how=(--stock)
	shift
	[[ $name == stock ]] || how=(--conf "$WORK/gangway.conf")
	sed "s,@DIR@,$WORK/$name,g" "$WORK/slurm.conf" >"$WORK/$name.conf"
	"$CHECKOUT/contrib/devcluster" "$WORK/$name" up --slurm "$SLURM_VERSION" "${how[@]}" \
		--slurm-conf "$WORK/$name.conf" "$@"
}

# both COMMAND...: runs it in both.
both() {
	on stock "$@" >/dev/null && on g "$@" >/dev/null || fail "in one of the clusters: $*"
}

# steps FUNCTION: carries out this function of the test inside both clusters, with what
# inside.sh has; what it prints goes to $WORK/FUNCTION.NAME.
steps() {
	local name step=$1 status=0
	local -a pids=()
	{
		printf 'SLOWNESS=%q\n. %q\n' "$SLOWNESS" "$TEST_LIB/inside.sh"
		declare -f "$step"
		printf '%s\n' "$step"
	} >"$WORK/$step.sh"
	for name in stock g; do
		on "$name" bash "$WORK/$step.sh" >"$WORK/$step.$name" 2>&1 </dev/null &
		pids+=($!)
	done
	for name in stock g; do
		wait "${pids[0]}" || status=1
		pids=("${pids[@]:1}")
	done
	((status == 0)) || {
		tail -n 8 "$WORK/$step.stock" "$WORK/$step.g"
		show_logs
		fail "$step can not be carried out"
	}
}

# What Gangway's steps tell, with stock's bound in place of a number that keeps to it.
as_good_as_stock() {
	paste -d '|' "$WORK/$1.stock" "$WORK/$1.g" | awk -F'|' '
		function number(line) { sub(/.* /, "", line); return line + 0 }
		/ at (most|least) [0-9]+[|]/ {
			kept = ($1 ~ / at most [0-9]+$/) ? number($2) <= number($1) : number($2) >= number($1)
			what = $1; sub(/[0-9]+$/, "", what)
			print index($2, what) == 1 && kept ? $1 : $2
			next
		}
		{ print $2 }'
}

# same FUNCTION: both tell the same. Lines that end in "at most N" and "at least N" are about
# Gangway beside stock.
same() {
	steps "$1"
	expect "$1: Gangway and stock" "$(<"$WORK/$1.stock")" "$(as_good_as_stock "$1")"
	note "$1: $(paste -sd ';' "$WORK/$1.g")"
}
