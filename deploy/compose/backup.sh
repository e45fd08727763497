#!/bin/sh
# Backs up at the start and every night: first the database, then the files (docs/backups.md says why in this order).
set -eu
umask 077
cd /backups

# Files never change, so only new ones are copied, and all of them again after a copy that was interrupted.
copy_files() {
  skip=--no-clobber
  if [ -e files.incomplete ]; then skip=--force; fi
  touch files.incomplete
  mkdir -p files
  status=0
  errors=$(LC_ALL=C cp --archive "$skip" /files/. files/ 2>&1) || status=$?
  # Files may be deleted meanwhile.
  deleted="^cp: cannot [a-z]* '/files/.*: No such file or directory$"
  others=$(printf '%s\n' "$errors" | grep --invert-match --regexp="$deleted" --regexp='^cp: warning: ') || true
  if [ -n "$others" ]; then printf '%s\n' "$others" >&2; fi
  if [ "$status" -gt 1 ] || { [ "$status" -eq 1 ] && [ -n "$others" ]; }; then return 1; fi
  rm files.incomplete
}

back_up() {
  name="community-$(date -u +%Y-%m-%dT%H%M)"
  pg_dump --format=custom --file=incomplete.dump
  mv incomplete.dump "$name.dump"
  # Before the files, whose copy may fail.
  find . -maxdepth 1 -name 'community-*.dump' -mtime +"$KEEP_DAYS" -delete
  copy_files
  # The health check looks at its age.
  touch last-complete
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
