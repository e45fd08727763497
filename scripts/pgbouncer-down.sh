#!/bin/bash
# Stops what pgbouncer-up.sh FOLDER started, and waits until it is gone.
set -euo pipefail

folder=$(realpath -m "$1")
[ -f "$folder/pids" ] || exit 0
pid=$(cat "$folder/pids")

# Only a process that is still ours: its command names the folder.
is_ours() { { tr '\0' ' ' < "/proc/$pid/cmdline"; } 2> /dev/null | grep -qF -- "$folder/"; }

for signal in TERM KILL; do
  if is_ours; then kill -s "$signal" "$pid" 2> /dev/null || true; fi
  for _ in $(seq 10); do
    if ! is_ours; then break 2; fi
    sleep 0.2
  done
done
rm -rf "$folder"
