#!/bin/bash
# Starts the primary, unless the standby has taken its place: what is written to two primaries cannot be put together again.
set -eu

answer=$(PGCONNECT_TIMEOUT=5 PGPASSWORD="$(cat /run/secrets/replication-password)" \
  psql -h standby -U replication -d postgres -Atc "SELECT pg_is_in_recovery()" 2>/dev/null || true)
if [ "$answer" = f ]; then
  echo "standby is the primary now. docs/scaling.md says how this one becomes its standby." >&2
  exit 1
fi
exec docker-entrypoint.sh postgres -c wal_log_hints=on
