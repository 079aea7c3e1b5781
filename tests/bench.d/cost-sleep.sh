#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A job of the cost bench: nothing, for so many seconds.
exec sleep "$1"
