#!/bin/sh
# Tries a Debian package: systemd checks its unit, where it is installed; and, as root with a root directory of Debian
# 13 (scripts/debian13-root.sh), dpkg installs it there, it runs, and it is removed.
#
#   scripts/release/try-deb.sh PACKAGE         DEBIAN13_ROOT: /var/tmp/authority-index-debian13
set -eu
package=$(readlink -f "$1")
version=$(dpkg-deb --field "$package" Version)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
dpkg-deb --extract "$package" "$work"

if command -v systemd-analyze >/dev/null; then
  systemd-analyze verify --root="$work" --man=no --recursive-errors=no /usr/lib/systemd/system/authority-index.service
  exposure=$(systemd-analyze security --offline=true --root="$work" --threshold=30 --no-pager \
    /usr/lib/systemd/system/authority-index.service) || { echo "$exposure" >&2; exit 1; }
  echo "$exposure" | tail -n 1
else
  echo 'unit not checked: no systemd-analyze'
fi

root=${DEBIAN13_ROOT:-/var/tmp/authority-index-debian13}
if [ "$(id -u)" != 0 ] || [ ! -e "$root/.ready" ]; then
  echo "not installed: needs root and $root"
  exit 0
fi
# The package is installed into a copy that goes away: an overlay of this mount namespace.
exec unshare --mount --propagation private sh -eu -c '
  root=$1 package=$2 version=$3
  mount -t tmpfs -o size=1G none "$root/mnt"
  mkdir "$root/mnt/upper" "$root/mnt/work"
  mount -t overlay -o "lowerdir=$root,upperdir=$root/mnt/upper,workdir=$root/mnt/work" none "$root"
  cp "$package" "$root/tmp/package.deb"
  chroot "$root" dpkg --install /tmp/package.deb
  printed=$(chroot --userspec=12345:12345 "$root" env -u HOME XDG_CACHE_HOME=/usr/lib/authority-index TMPDIR=/none \
    /usr/bin/authority-index --version)
  [ "$printed" = "authority-index $version" ] || { echo "it prints: $printed" >&2; exit 1; }
  chroot "$root" dpkg --remove authority-index
  [ ! -e "$root/usr/bin/authority-index" ] && [ -e "$root/etc/default/authority-index" ]
  chroot "$root" dpkg --purge authority-index
  [ ! -e "$root/etc/default/authority-index" ]
  echo "installed, ran, removed and purged in $root"
' sh "$root" "$package" "$version"
