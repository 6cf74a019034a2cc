#!/bin/bash
# Starts the primary, unless the standby has taken its place: what is written to two primaries cannot be put together again. With
# "rejoin" it is made the standby of that one; as such it starts.
set -eu

export PGPASSWORD="$(cat /run/secrets/replication-password)"
answer=$(PGCONNECT_TIMEOUT=5 psql -h standby -U replication -d postgres -Atc "SELECT pg_is_in_recovery()" 2>/dev/null || true)
if [ "$answer" = f ] && [ "${1:-}" = rejoin ]; then
  gosu postgres pg_rewind --target-pgdata="$PGDATA" --source-server="host=standby user=replication dbname=postgres" -R
  psql -h standby -U replication -d postgres -Atc "SELECT pg_create_physical_replication_slot('primary')"
  echo "primary_slot_name = 'primary'" >> "$PGDATA/postgresql.auto.conf"
  exit
fi
if [ "$answer" = f ] && [ ! -f "$PGDATA/standby.signal" ]; then
  echo "standby is the primary now. Make this one its standby: docker compose run --rm primary rejoin" >&2
  exit 1
fi
unset PGPASSWORD
exec docker-entrypoint.sh postgres -c wal_log_hints=on -c cluster_name=primary
