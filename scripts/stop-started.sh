#!/bin/bash
# Stops what ceph-up.sh or pgbouncer-up.sh started in FOLDER, and waits until it is gone.
# Usage: stop-started.sh FOLDER.
set -euo pipefail

folder=$(realpath -m "$1")
[ -f "$folder/pids" ] || exit 0

# Only processes that are still ours: their command names the folder.
ours() {
  local pid
  while read -r pid; do
    if { tr '\0' ' ' < "/proc/$pid/cmdline"; } 2> /dev/null | grep -qF -- "$folder/"; then echo "$pid"; fi
  done < "$folder/pids"
}

for signal in TERM KILL; do
  for pid in $(ours); do kill -s "$signal" "$pid" 2>/dev/null || true; done
  for _ in $(seq 10); do
    if [ -z "$(ours)" ]; then break 2; fi
    sleep 0.2
  done
done
rm -rf "$folder"
