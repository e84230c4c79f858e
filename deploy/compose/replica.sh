#!/bin/sh
# Copies the primary into an empty volume, then follows it. The copy gets its final name at the end, so if
# copying fails, the next start begins again.
set -eu

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  rm -rf "$PGDATA" "$PGDATA.new"
  mkdir -p "$(dirname "$PGDATA")"
  pg_basebackup --dbname 'host=primary user=wartable_replica' --pgdata "$PGDATA.new" \
    --write-recovery-conf --checkpoint fast --no-password
  mv "$PGDATA.new" "$PGDATA"
fi
exec docker-entrypoint.sh postgres
