#!/bin/sh
# Runs the executable of a mounted image as a container would: its root file system read-only, as
# user 10001, without any capability but the one to have come here (CAP_SYS_CHROOT). What is shared
# with the caller is /tmp and this checkout, at the same places, so that tests can pass paths.
# Signals reach the executable itself.
#
#   IMAGE_ROOT=DIR scripts/run-in-image.sh WORD...       needs root and util-linux 2.38
set -eu
checkout=$(cd "$(dirname "$0")/.." && pwd)
export IMAGE_ROOT checkout
# As the image sets it; and a variable that may name a file the image has not.
export XDG_CACHE_HOME=/var/cache HOME=/none
unset NODE_EXTRA_CA_CERTS
exec unshare --user --map-user=10001 --map-group=10001 --keep-caps --mount --propagation private -- \
  sh -c '
    set -eu
    place=/mnt
    mount -t tmpfs none "$place"
    for path in "$IMAGE_ROOT"/*; do
      name=${path##*/}
      if [ -L "$path" ]; then cp -P "$path" "$place/$name"; continue; fi
      mkdir "$place/$name"
      [ "$name" = tmp ] && continue
      mount --bind "$path" "$place/$name"
      mount -o remount,bind,ro "$place/$name"
    done
    mkdir -p "$place/tmp" "$place/proc" "$place/dev" "$place$checkout"
    for path in /tmp /proc /dev "$checkout"; do mount --rbind "$path" "$place$path"; done
    mount -o remount,bind,ro "$place"
    exec setpriv --inh-caps=-all,+sys_chroot --ambient-caps=-all,+sys_chroot --no-new-privs \
      chroot "$place" /usr/bin/authority-index "$@"
  ' sh "$@"
