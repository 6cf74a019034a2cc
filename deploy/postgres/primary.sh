#!/bin/bash
# Runs once, when the primary's volume is empty: the role and schema of docs/scaling.md, and a role for the standby.
set -eu

psql -v ON_ERROR_STOP=1 -v adbooth="$(cat /run/secrets/adbooth-password)" -v replication="$(cat /run/secrets/replication-password)" <<'SQL'
CREATE ROLE adbooth LOGIN PASSWORD :'adbooth' NOSUPERUSER NOCREATEDB NOCREATEROLE;
CREATE ROLE replication LOGIN REPLICATION PASSWORD :'replication';
-- What pg_rewind reads with, should this server once come back as a standby.
GRANT EXECUTE ON FUNCTION pg_ls_dir(text, boolean, boolean), pg_stat_file(text, boolean), pg_read_binary_file(text),
  pg_read_binary_file(text, bigint, bigint, boolean) TO replication;
CREATE DATABASE adbooth ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE adbooth FROM PUBLIC;
GRANT CONNECT, TEMPORARY ON DATABASE adbooth TO adbooth;
GRANT pg_monitor TO adbooth;
ALTER ROLE adbooth IN DATABASE adbooth SET search_path = adbooth;
\connect adbooth
REVOKE ALL ON SCHEMA public FROM PUBLIC;
CREATE SCHEMA adbooth AUTHORIZATION adbooth;
SELECT pg_create_physical_replication_slot('standby');
-- From the next start on, which comes after this script: there is no standby yet that it could wait for.
ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (standby)';
SQL

echo "host replication replication all scram-sha-256" >> "$PGDATA/pg_hba.conf"
