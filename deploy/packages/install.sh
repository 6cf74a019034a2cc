#!/bin/sh
# Downloads the executable for this machine, compares its checksum, and installs it:
#   sh install.sh [DIRECTORY]        /usr/local/bin unless given
# ADBOOTH_RELEASE is where the archives and SHA256SUMS are; the release that this file came with, unless set.
set -eu

from=${ADBOOTH_RELEASE:-@RELEASE@}
to=${1:-/usr/local/bin}

fail() { echo "$1" >&2; exit 1; }

[ -n "$from" ] || fail "Set ADBOOTH_RELEASE to the address of the release's files."
case "$(uname -s)" in
  Linux) system=linux ;;
  Darwin) system=macos ;;
  *) fail "There is no executable for $(uname -s). On Windows, unpack adbooth-windows-x64.tar.gz." ;;
esac
case "$(uname -m)" in
  x86_64 | amd64) processor=x64 ;;
  aarch64 | arm64) processor=arm64 ;;
  *) fail "There is no executable for $(uname -m)." ;;
esac
archive=adbooth-$system-$processor.tar.gz

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for file in "$archive" SHA256SUMS; do
  curl -fsSL "$from/$file" -o "$work/$file" || fail "$from/$file could not be downloaded."
done

cd "$work"
grep " $archive\$" SHA256SUMS >expected || fail "SHA256SUMS does not name $archive."
if command -v sha256sum >/dev/null; then sha256sum -c expected >/dev/null 2>&1; else shasum -a 256 -c expected >/dev/null 2>&1; fi \
  || fail "$archive is not what SHA256SUMS says: nothing was installed."

tar -xzf "$archive"
mkdir -p "$to" && cp "${archive%.tar.gz}/adbooth" "$to/.adbooth.new" && chmod 755 "$to/.adbooth.new" \
  || fail "$to cannot be written to. Run this as root, or name another directory: sh install.sh ~/.local/bin"
# A running server keeps the old file until it is restarted.
mv "$to/.adbooth.new" "$to/adbooth"
echo "Installed $to/adbooth. Try: adbooth serve --demo"
