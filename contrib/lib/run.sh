# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Becomes a command inside a cluster's space, in its environment and clock. Run
# as: DIR USER WORKING_DIRECTORY COMMAND...
set -euo pipefail

LIB=$(dirname "${BASH_SOURCE[0]}")
# shellcheck disable=SC2034 # read by common.sh
TOOL=devcluster
DIR=$1 user=$2 cwd=$3
shift 3
for part in common record space users daemons; do
	# shellcheck source=/dev/null
	. "$LIB/$part.sh"
done
record_load "$DIR"
clock_load
declare -gA C
home=$(users_home "$DIR" "$user")
prefix=()
if [[ $user != root ]]; then
	prefix=(setpriv --reuid "$user" --regid "$user" --init-groups)
	export HOME=$home USER=$user LOGNAME=$user
fi
export SLURM_CONF=$DIR/etc/slurm.conf
export PATH=${C[stage]:+${C[stage]}/bin:}/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
# A user can not write where root stands; root may stand where this root has
# no such directory.
[[ $user == root ]] || cwd=$home
cd "$cwd" 2>/dev/null || cd "$DIR/home"
exec env "${CLOCK[@]}" "${prefix[@]}" "$@"
