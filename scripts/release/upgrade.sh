# From the release before (/given/before.deb) to this one (/given/now.deb), on a Debian that boots and has little else: a line in /given/said
# for each thing that has to be so afterwards.
exec >/given/said 2>&1
. /etc/adbooth.env
server=http://127.0.0.1:$ADBOOTH_PORT

is() {
  if eval "$2" >/tmp/why 2>&1; then echo "ok: $1"; else echo "NOT SO: $1"; cat /tmp/why; fi
}
answers() { curl -fs "$server/readyz" >/dev/null; }
runs_new() { cmp /proc/$(systemctl show -P MainPID adbooth)/exe /usr/bin/adbooth; }
# Where the unit stayed the same, the new program takes over a moment later.
soon() {
  for _ in $(seq 100); do "$@" >/dev/null 2>&1 && return; sleep 0.1; done
  return 1
}
report() {
  curl -fsS "$server/api/ingest/delivery/metrics" -H "Authorization: Bearer $key" -H "Content-Type: application/json" \
    -d "{\"items\":[{\"package_id\":\"0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01\",\"impressions\":$1}]}" | grep '"accepted":1'
}
delivers() { adbooth line list --json | grep "\"delivered\": *$1"; }

echo "installing the release before"
apt-get install -y /given/before.deb >/dev/null
soon answers
cd /
runuser -u adbooth -- adbooth import --data /var/lib/adbooth /given/catalogue.json >/dev/null
key=$(runuser -u adbooth -- adbooth key create --org acme-audio --label upgrade --data /var/lib/adbooth 2>/dev/null)
is "the release before takes a report" "report 1000"

echo "upgrading"
# Not with apt: between two releases the version may not have been raised yet.
is "dpkg installs the new one" "dpkg -i /given/now.deb"
is "it is the new program" "soon runs_new"
is "it answers" "soon answers"
pid=$(systemctl show -P MainPID adbooth)
is "there is no procps" "! command -v ps && ! test -e /bin/kill"
is "no package is half-installed" 'test -z "$(dpkg --audit)"'
is "the service runs, and is started with the system" "systemctl is-active adbooth && systemctl is-enabled adbooth"
is "it may use ports 80 and 443, as the new unit says" "grep 'CapAmb:.*0400$' /proc/$pid/status"
is "what was reported is there" "delivers 1000"
is "the key still reports" "report 2000 && delivers 2000"
is "backups are made every day, and 14 can be kept" "adbooth backup schedule | grep 24h && adbooth backup schedule --keep 14 | grep 'Keep: *14'"
is "every file belongs to the service" 'test -z "$(find /var/lib/adbooth ! -user adbooth)"'
is "the doctor finds nothing wrong" "adbooth doctor"
touch /given/done
