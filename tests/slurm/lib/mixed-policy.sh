# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# QOS and reservations of the mixed cluster. Runs inside it.
set -euo pipefail

sacctmgr -i add qos low
sacctmgr -i add qos high Preempt=low Priority=100
sacctmgr -i modify account nlp,vision,speech set qos=normal,low,high
scontrol create reservation ReservationName=alices Nodes=a3 Users=alice StartTime=now Duration=UNLIMITED
# Far from every multiple of ten minutes, which time limits are.
scontrol create reservation ReservationName=later Nodes=b2 Users=bob StartTime=now+7208minutes Duration=600
