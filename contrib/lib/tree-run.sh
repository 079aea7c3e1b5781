# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Runs a command in the Debian 13 tree, in namespaces made by tree_run. Run as:
# TREE CACHE DIRECTORY COMMAND...
set -euo pipefail

# shellcheck source=/dev/null
. "$(dirname "${BASH_SOURCE[0]}")/root.sh"
tree=$1 cache=$2 directory=$3
shift 3
root_make "$tree" "$directory" "$cache"
mount -t proc proc "$tree/mnt/proc"
# shellcheck disable=SC2016
exec chroot "$tree/mnt" env LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
	sh -c 'cd "$0" && exec "$@"' "$directory" "$@"
