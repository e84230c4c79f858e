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
  try doctor
}

# A new installation does not wait for its first night.
[ -e /srv/wartable-files/index.json ] || all
while :; do
  sleep $((86400 - ($(date +%s) - 3 * 3600) % 86400))
  all
done
