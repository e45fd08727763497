#!/bin/sh
# Backs up at the start and every night: first the database, then the files (docs/backups.md says why in this order).
set -eu
umask 077
cd /backups

back_up() {
  name="community-$(date -u +%Y-%m-%dT%H%M)"
  pg_dump --format=custom --file=incomplete.dump
  mv incomplete.dump "$name.dump"

  # Files never change, so only new ones are copied, and all of them again after a copy that was interrupted.
  skip=--no-clobber
  if [ -e files.incomplete ]; then skip=--force; fi
  touch files.incomplete
  mkdir -p files
  cp --archive "$skip" /files/. files/
  rm files.incomplete

  find . -maxdepth 1 -name 'community-*.dump' -mtime +"$KEEP_DAYS" -delete
  echo "$name: $(du -sh "$name.dump" | cut -f1) of database, $(du -sh files | cut -f1) of files"
}

trap 'exit 0' TERM INT
while :; do
  # In a subshell of its own, because a function in a condition ignores -e.
  (back_up) &
  if wait "$!"; then
    # Until half past two at night, UTC.
    pause=$((86400 - ($(date -u +%s) - 9000) % 86400))
  else
    echo "the backup failed: next attempt in an hour" >&2
    pause=3600
  fi
  sleep "$pause" &
  wait "$!"
done
