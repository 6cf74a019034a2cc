# The scripts of deploy/postgres, word for word, without a container engine: two addresses of this machine stand for the two containers, and
# a few shims for what the image of PostgreSQL brings along. Needs $BIN, where PostgreSQL's programs are, and $PGPORT.
mkdir -p /run/secrets /shims /docker-entrypoint-initdb.d
printf '127.0.0.21 primary\n127.0.0.22 standby\n' >>/etc/hosts
for name in postgres replication adbooth; do echo "secret-of-$name" >/run/secrets/$name-password; done
chmod 644 /run/secrets/*
cp /given/primary.sh /docker-entrypoint-initdb.d/
cat >/shims/gosu <<'SH'
#!/bin/sh
user=$1; shift
exec setpriv --reuid="$user" --regid="$user" --init-groups "$@"
SH
cat >/shims/postgres <<SH
#!/bin/sh
exec $BIN/postgres -c listen_addresses=\$OWN -c unix_socket_directories=/sockets/\$OWN "\$@"
SH
cat >/shims/docker-entrypoint.sh <<'SH'
#!/bin/bash
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  gosu postgres initdb -D "$PGDATA" --username=postgres --pwfile=/run/secrets/postgres-password --auth-local=trust >/dev/null
  echo "host all all all scram-sha-256" >>"$PGDATA/pg_hba.conf"
  gosu postgres pg_ctl -D "$PGDATA" -w -o "-c listen_addresses= -c unix_socket_directories=/sockets/$OWN" -l /tmp/first-start.log start >/dev/null
  for script in /docker-entrypoint-initdb.d/*; do PGHOST=/sockets/$OWN PGUSER=postgres bash "$script" >/dev/null; done
  gosu postgres pg_ctl -D "$PGDATA" -w -m fast stop >/dev/null
fi
exec gosu postgres "$@"
SH
chmod 755 /shims /shims/*
export PATH=/shims:$BIN:$PATH LC_ALL=C

in_primary() { OWN=127.0.0.21 PGDATA=/primary/data "$@"; }
in_standby() { OWN=127.0.0.22 PGDATA=/standby/data gosu postgres "$@"; }
for place in /primary /standby /sockets/127.0.0.21 /sockets/127.0.0.22; do install -d -o postgres -g postgres -m 700 $place; done
chmod 755 /sockets /sockets/*
answers() { for _ in $(seq 300); do pg_isready -q -h "$1" && return; sleep 0.1; done; return 1; }
write() { PGPASSWORD=secret-of-adbooth psql -q -h "$1" -U adbooth adbooth -c "$2"; }
ask() { gosu postgres psql -h "/sockets/$1" -U postgres -Atc "$2"; }

in_primary bash /given/start.sh >/tmp/primary.log 2>&1 &
answers primary
in_standby bash /given/standby.sh >/tmp/standby.log 2>&1 &
answers standby
write primary "CREATE TABLE kept (what text); INSERT INTO kept VALUES ('before')"
ask 127.0.0.21 "SHOW synchronous_standby_names"
# What "docker compose stop primary" does by a signal.
gosu postgres pg_ctl -D /primary/data -w -m fast stop >/dev/null
in_standby pg_ctl promote -D /standby/data -w >/dev/null
write standby "INSERT INTO kept VALUES ('after the failover')"
in_primary bash /given/start.sh 2>&1 || echo "refused"
in_primary bash /given/start.sh rejoin >/tmp/rejoin.log 2>&1 || cat /tmp/rejoin.log
in_primary bash /given/start.sh >/tmp/primary.log 2>&1 &
answers primary
ask 127.0.0.22 "ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (primary)'" >/dev/null
ask 127.0.0.22 "SELECT pg_reload_conf()" >/dev/null
for _ in $(seq 100); do [ "$(ask 127.0.0.22 "SELECT sync_state FROM pg_stat_replication")" = quorum ] && break; sleep 0.1; done
write standby "INSERT INTO kept VALUES ('with both')"
ask 127.0.0.22 "SELECT application_name, sync_state FROM pg_stat_replication"
gosu postgres psql -h /sockets/127.0.0.21 -U postgres adbooth -Atc "SELECT string_agg(what, ', ') FROM adbooth.kept"
