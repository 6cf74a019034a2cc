#!/bin/bash
# Copies the primary when the volume is empty, then follows it under the name "standby".
set -eu

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$(dirname "$PGDATA")"
  # Written into the copy by -R, so that the standby can sign in again.
  PGPASSWORD="$(cat /run/secrets/replication-password)" \
    pg_basebackup -h primary -U replication -D "$PGDATA" -R -X stream -S standby
  chmod 700 "$PGDATA"
  # The copy has the primary's, too: promoted, it would wait for a standby that it does not have. Not as an option of the server:
  # nothing could change that later.
  echo "synchronous_standby_names = ''" >> "$PGDATA/postgresql.auto.conf"
fi
exec postgres -c cluster_name=standby
