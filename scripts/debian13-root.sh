#!/bin/sh
# Makes a root directory of Debian 13 with this machine's Node, npm and certificates in it.
#
#   scripts/debian13-root.sh DIRECTORY [PACKAGE,...]
#
# Needs root on Debian 12 or 13 with debootstrap, Node and npm, and a Debian mirror: the one of apt's
# own configuration, or DEBIAN_MIRROR.
set -eu
root=$1
packages=binutils,ca-certificates,libatomic1${2:+,$2}
mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' \
  'Identifier: Packages' 'Origin: Debian' 'Label: Debian' | head -n 1)}
[ -n "$mirror" ] || { echo 'no Debian mirror: run apt-get update, or set DEBIAN_MIRROR' >&2; exit 1; }
debootstrap --variant=minbase --include="$packages" trixie "$root" "$mirror"
cp "$(readlink -f "$(command -v node)")" "$root/usr/bin/node"
mkdir -p "$root/usr/lib/node_modules"
cp -RL "$(npm root --global)/npm" "$root/usr/lib/node_modules/npm"
ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/bin/npm"
ln -sf ../lib/node_modules/npm/bin/npx-cli.js "$root/usr/bin/npx"
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
echo 'cafile=/etc/ssl/certs/ca-certificates.crt' >"$root/root/.npmrc"
