# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What the system's own apt configuration says about its Debian mirror. Nothing
# here changes it. Needs common.sh.

# One line "URI SUITE" for each configured archive, e.g.
# "http://deb.debian.org/debian bookworm". Works before the first update too.
apt_archives() {
	apt-get update --print-uris 2>/dev/null |
		sed -n "s|^'\(.*\)/dists/\(.*\)/InRelease'.*|\1 \2|p" | sort -u
}

# The Signed-By keyring of an archive URI, or "-" where apt's defaults hold.
# Reads both source formats.
apt_keyring() {
	local -a files
	mapfile -t files < <(find /etc/apt/sources.list /etc/apt/sources.list.d -type f \( -name '*.list' -o -name '*.sources' \) 2>/dev/null)
	awk -v uri="$1" '
		FNR == 1 { here = 0; key = "" }
		/^[[:space:]]*#/ { next }
		/^deb/ && index($0, uri) && match($0, /signed-by=[^] ]+/) {
			print substr($0, RSTART + 10, RLENGTH - 10); found = 1; exit
		}
		/^[[:space:]]*$/ { here = 0; key = "" }
		tolower($1) == "uris:" && index($0, uri) { here = 1 }
		tolower($1) == "signed-by:" && $2 ~ /^\// { key = $2 }
		here && key != "" { print key; found = 1; exit }
		END { if (!found) print "-" }
	' "${files[@]}" </dev/null
}

# Codename of the running system, e.g. bookworm.
apt_codename() {
	# shellcheck disable=SC1091
	(. /etc/os-release && printf '%s\n' "${VERSION_CODENAME:-}")
}

# The mirror of the system's own suite: "URI KEYRING".
apt_mirror() {
	local codename uri
	codename=$(apt_codename)
	uri=$(apt_archives | awk -v suite="$codename" '$2 == suite && $1 !~ /security/ { print $1; exit }')
	[[ -n $uri ]] || return 1
	printf '%s %s\n' "$uri" "$(apt_keyring "$uri")"
}

apt_need_mirror() {
	apt_mirror || die "no Debian mirror for $(apt_codename) in the system's apt configuration"
}
