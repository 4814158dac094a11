#!/bin/sh
# Runs a command in a Debian 13 root, where the newer build of uWebSockets.js loads: its C library is
# new enough. The checkout has its own path there, the network is this machine's, and no mount is
# left behind.
#
#   scripts/in-debian13.sh npm run suite -- outside
#   scripts/in-debian13.sh node dist/main.js serve
#
# Needs root on Debian 12 or 13 with util-linux and what scripts/debian13-root.sh needs. DEBIAN13_ROOT
# (/var/tmp/authority-index-debian13) is made once.
set -eu
cd "$(dirname "$0")/.."
root=${DEBIAN13_ROOT:-/var/tmp/authority-index-debian13}
[ -e "$root/.ready" ] || {
  rm -rf "$root"
  scripts/debian13-root.sh "$root" \
    python3,iproute2,ethtool,gcc,libc6-dev,libfaketime,mount,openssl,postgresql >&2
  touch "$root/.ready"
}
modules=$(readlink -f node_modules)
exec unshare --mount sh -c '
  set -eu
  root=$1 checkout=$2 modules=$3
  shift 3
  for directory in "$checkout" "$modules" /tmp /dev /sys /run; do
    mkdir -p "$root$directory"
    mount --rbind "$directory" "$root$directory"
  done
  mount -t proc proc "$root/proc"
  exec chroot "$root" sh -c "cd \"\$0\" && exec \"\$@\"" "$checkout" "$@"
' sh "$root" "$(pwd)" "$modules" "$@"
