#!/bin/sh
# Runs after the files are in place, also at an update.
set -e

unit=/usr/lib/systemd/system/adbooth.service
before=/run/adbooth.service.before

# Once the server has made its database, or upgraded it.
schedule() {
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    if (cd / && adbooth backup schedule --every 24h --keep 7 >/dev/null 2>&1); then break; fi
    sleep 1
  done
}

if [ "$1" = configure ]; then
  if ! getent passwd adbooth >/dev/null; then
    useradd --system --user-group --home-dir /var/lib/adbooth --no-create-home --shell /usr/sbin/nologin adbooth
  fi
  install -d -o adbooth -g adbooth -m 0700 /var/lib/adbooth
  # It may hold secrets. One that is there stays as it is, but no other user may read it.
  if [ ! -e /etc/adbooth.env ]; then
    install -o root -g adbooth -m 0640 /usr/share/doc/adbooth/deploy/adbooth.env /etc/adbooth.env
  else
    chmod o= /etc/adbooth.env
  fi
  runs="Next, start Adbooth (adbooth serve) and"
  # Where systemd does not run (a container, a chroot) nothing is started.
  if [ -d /run/systemd/system ]; then
    runs="Adbooth runs at http://127.0.0.1:3000. Next,"
    systemctl daemon-reload
    systemctl enable --quiet adbooth.service
    # The new file takes over from the old one and nobody is turned away; but only a restart brings what a new unit says.
    if cmp -s "$unit" "$before"; then
      systemctl reload-or-restart adbooth.service
    else
      systemctl restart adbooth.service
    fi
    # The first time, and where an earlier unit had set it. It can be changed in the app and with "adbooth backup schedule".
    if [ -z "$2" ] || grep -qs "^Environment=ADBOOTH_BACKUP_EVERY" "$before"; then schedule; fi
    rm -f "$before"
  fi
  if [ -z "$2" ]; then echo "$runs create the first operator: sudo adbooth user setup-link"; fi
fi
