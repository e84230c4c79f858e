#!/bin/sh
# Does each night at 3:00 UTC what timers do under systemd. If one task fails, the others still run.
set -u

try() {
  echo "nightly: wartable $*"
  wartable "$@" || echo "nightly: wartable $1 failed with exit code $?" >&2
}

all() {
  try backup /backups
  try files /srv/wartable-files
  # Only a backup of this night will do.
  try doctor --backup-age 12h
}

# A new installation does not wait for its first night. Neither does one that has no backup of the last day,
# because the machine was off at night. After a restart of the machine, PostgreSQL may not be ready yet.
recent=$(find /backups -maxdepth 1 -name 'wartable-*Z' -mmin -1440)
if [ -z "$recent" ] || [ ! -e /srv/wartable-files/index.json ]; then
  until pg_isready --quiet --host=primary; do sleep 5; done
  all
fi
while :; do
  sleep $((86400 - ($(date +%s) - 3 * 3600) % 86400))
  all
done
