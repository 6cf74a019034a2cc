#!/bin/sh
# Runs after the files are in place, also at an update.
set -e
if [ "$1" = configure ]; then
  if ! getent passwd adbooth >/dev/null; then
    useradd --system --user-group --home-dir /var/lib/adbooth --no-create-home --shell /usr/sbin/nologin adbooth
  fi
  install -d -o adbooth -g adbooth -m 0700 /var/lib/adbooth
  # Where systemd does not run (a container, a chroot) nothing is started.
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    systemctl enable --quiet adbooth.service
    # The new file takes over from the old one; nobody is turned away.
    systemctl reload-or-restart adbooth.service
    runs="Adbooth runs at http://127.0.0.1:3000. Next,"
  else
    runs="Next, start Adbooth (adbooth serve) and"
  fi
  # Only the first time. The schedule can be changed in the app and with "adbooth backup schedule".
  if [ -z "$2" ]; then
    # Once the server has made its database.
    for _ in 1 2 3 4 5 6 7 8 9 10; do
      if [ ! -d /run/systemd/system ] || (cd / && adbooth backup schedule --every 24h --keep 7 >/dev/null 2>&1); then break; fi
      sleep 1
    done
    echo "$runs create the first operator: sudo adbooth user setup-link"
  fi
fi
