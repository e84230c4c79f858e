#!/bin/sh
# The image of PostgreSQL runs this once, while its volume is empty. It creates the logins that
# docs/install.md describes, and one for the replica. It also creates the group roles, so `migrate` does not
# need the right to create roles.
set -eu

psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres <<'SQL'
\getenv owner OWNER_PASSWORD
\getenv importer IMPORTER_PASSWORD
\getenv server SERVER_PASSWORD
\getenv replica REPLICA_PASSWORD
create role wartable login password :'owner';
create role wartable_importer login password :'importer';
create role wartable_server login password :'server';
create role wartable_replica login replication password :'replica';
create role wartable_publish nologin;
create role wartable_serve nologin;
create role wartable_keys nologin;
grant wartable_publish to wartable_importer;
grant wartable_serve to wartable_server;
create database wartable owner wartable;
\connect wartable
revoke execute on function lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) from public;
SQL

echo 'host replication wartable_replica all scram-sha-256' >>"$PGDATA/pg_hba.conf"
