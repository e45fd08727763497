#!/bin/bash
# Ends the cluster of patroni-up.sh and deletes its folder.
# Usage: patroni-down.sh FOLDER.
set -euo pipefail

folder=$(realpath -m "$1")
for node in community1 community2 community3; do
  # Stopped processes take SIGKILL too.
  ip netns pids "$node" 2> /dev/null | xargs -r kill -KILL 2> /dev/null || true
  ip netns delete "$node" 2> /dev/null || true
  ip link delete "$node" 2> /dev/null || true
done
if [ -f "$folder/pids" ]; then xargs -r kill -KILL < "$folder/pids" 2> /dev/null || true; fi
ip link delete community 2> /dev/null || true
rm -rf "$folder"
