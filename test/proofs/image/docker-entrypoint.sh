#!/bin/sh
# Does what the image of PostgreSQL documents for its entry point, as far as compose.yaml depends on it: it prepares an empty
# data folder with a password, runs the scripts of /docker-entrypoint-initdb.d on a server without a port, and then starts
# the given command as the user postgres.
set -eu

if [ "$1" != postgres ]; then exec "$@"; fi
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA"
  chown -R postgres: "$PGDATA"
  exec setpriv --reuid postgres --regid postgres --init-groups "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  echo "$POSTGRES_PASSWORD" >/tmp/password
  initdb --username "$POSTGRES_USER" --pwfile /tmp/password --auth-host scram-sha-256 --locale C.UTF-8
  rm /tmp/password
  { echo "listen_addresses = '*'"; echo "unix_socket_directories = '/tmp'"; } >>"$PGDATA/postgresql.conf"
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  pg_ctl --wait --options '-c listen_addresses=' start
  for script in /docker-entrypoint-initdb.d/*.sh; do PGHOST=/tmp "$script"; done
  pg_ctl --wait stop
fi
exec "$@"
