#!/bin/sh
# Runs before the new files are in place: the unit of the version that is installed is kept, for postinst to compare.
set -e
unit=/usr/lib/systemd/system/adbooth.service
if [ "$1" = upgrade ] && [ -f "$unit" ] && [ -d /run/systemd/system ]; then cp "$unit" /run/adbooth.service.before; fi
