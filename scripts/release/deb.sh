#!/bin/sh
# Makes the Debian package of the single file in release/ (npm run build:binary), with the systemd unit.
#
#   scripts/release/deb.sh VERSION DIRECTORY     leaves authority-index_VERSION_ARCHITECTURE.deb there
#
# Needs dpkg-deb. With SOURCE_DATE_EPOCH, the same single file gives the same bytes. What the executable would unpack
# when it first runs is unpacked here, so that the service writes nothing but its data.
set -eu
cd "$(dirname "$0")/../.."
version=$1
architecture=$(dpkg --print-architecture)
package=$2/authority-index_${version}_$architecture.deb
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 0755 "$root"
umask 022

unit=usr/lib/systemd/system documents=usr/share/doc/authority-index
mkdir -p "$root/usr/bin" "$root/usr/sbin" "$root/usr/lib/authority-index" "$root/$unit" "$root/$documents" \
  "$root/etc/default" "$root/etc/authority-index" "$root/DEBIAN"
install -m 0755 release/authority-index "$root/usr/bin/"
install -m 0755 ops/systemd/authority-index-admin "$root/usr/sbin/"
install -m 0644 ops/systemd/authority-index.service "$root/$unit/"
install -m 0644 ops/systemd/default "$root/etc/default/authority-index"
install -d -m 0700 "$root/etc/authority-index/credentials"
install -m 0644 ops/systemd/README.Debian "$root/$documents/"
install -m 0644 release/LICENSES.txt "$root/$documents/copyright"
gzip -9n <CHANGELOG.md >"$root/$documents/changelog.gz"
XDG_CACHE_HOME="$root/usr/lib/authority-index" "$root/usr/bin/authority-index" --version >/dev/null
chmod -R a+rX,go-w "$root/usr/lib/authority-index"

cat >"$root/DEBIAN/control" <<CONTROL
Package: authority-index
Version: $version
Architecture: $architecture
Maintainer: The maintainers of authority-index <root@localhost>
Installed-Size: $(du --summarize --apparent-size --block-size=1K --exclude=DEBIAN "$root" | cut -f1)
Depends: libc6 (>= 2.28), libgcc-s1, libstdc++6
Recommends: systemd (>= 250), ca-certificates
Section: net
Priority: optional
Description: in-memory index of verified human authorities
 A service that answers search, detail, peers and match from a snapshot in memory, with prepaid accounts.
CONTROL
echo /etc/default/authority-index >"$root/DEBIAN/conffiles"
cat >"$root/DEBIAN/postinst" <<'SCRIPT'
#!/bin/sh
set -e
[ -d /run/systemd/system ] || exit 0
systemctl daemon-reload
[ -z "${2:-}" ] || systemctl try-restart authority-index.service
SCRIPT
cat >"$root/DEBIAN/prerm" <<'SCRIPT'
#!/bin/sh
set -e
[ "$1" = remove ] && [ -d /run/systemd/system ] || exit 0
systemctl disable --now authority-index.service
SCRIPT
cat >"$root/DEBIAN/postrm" <<'SCRIPT'
#!/bin/sh
set -e
[ ! -d /run/systemd/system ] || systemctl daemon-reload
[ "$1" != purge ] || [ ! -e /var/lib/authority-index ] ||
  echo 'authority-index: the ledger stays in /var/lib/authority-index; remove it by hand'
SCRIPT
chmod 0755 "$root"/DEBIAN/postinst "$root"/DEBIAN/prerm "$root"/DEBIAN/postrm

dpkg-deb --root-owner-group -Zzstd -z9 --build "$root" "$package"
