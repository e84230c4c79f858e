#!/bin/sh
# Copies the primary into an empty volume, then follows it. The copy gets its name at the end, so that a start after a
# broken copy begins again.
set -eu

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  rm -rf "$PGDATA" "$PGDATA.new"
  mkdir -p "$(dirname "$PGDATA")"
  pg_basebackup --dbname 'host=primary user=wartable_replica' --pgdata "$PGDATA.new" \
    --write-recovery-conf --checkpoint fast --no-password
  mv "$PGDATA.new" "$PGDATA"
fi
exec docker-entrypoint.sh postgres
