#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
# The data is all that a seller has: it is never deleted by a package manager.
if [ "$1" = purge ] && [ -d /var/lib/adbooth ]; then
  echo "Adbooth's data is kept in /var/lib/adbooth, and belongs to the user adbooth." >&2
fi
