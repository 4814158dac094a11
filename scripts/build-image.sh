#!/bin/sh
# Builds the container image with buildah on bases made from packages of Debian 13, and starts what is in it, not as root.
# Needs no Docker and no image registry.
#
#   scripts/build-image.sh [NAME]        NAME: authority-index
#
# Needs root on Debian 12 or 13 with: buildah debootstrap util-linux dpkg, Node and npm, the npm registry,
# and a Debian mirror: the one of apt's own configuration, or DEBIAN_MIRROR. WORK
# (/var/tmp/authority-index-image) holds what the bases are made from; they are made once.
# STORAGE_DRIVER=overlay is faster where overlays can be mounted. SOURCE_DATE_EPOCH is the
# time of the image.
set -eu
cd "$(dirname "$0")/.."
name=${1:-authority-index}
work=${WORK:-/var/tmp/authority-index-image}
mkdir -p "$work"
image_mib_max=150
export BUILDAH_ISOLATION=chroot
export STORAGE_DRIVER="${STORAGE_DRIVER:-vfs}"

# An image from a directory.
commit_directory() {
  container=$(buildah from scratch)
  buildah copy --quiet "$container" "$1" / >/dev/null
  buildah commit --quiet --rm "$container" "$2" >/dev/null
}

# Debian with binutils and this machine's Node, npm and certificates.
make_build_base() {
  root=$work/build
  mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' \
    'Identifier: Packages' 'Origin: Debian' 'Label: Debian' | head -n 1)}
  [ -n "$mirror" ] || { echo 'no Debian mirror: run apt-get update, or set DEBIAN_MIRROR' >&2; exit 1; }
  debootstrap --variant=minbase --include=binutils,ca-certificates,libatomic1 trixie "$root" "$mirror"
  cp "$(readlink -f "$(command -v node)")" "$root/usr/bin/node"
  mkdir -p "$root/usr/lib/node_modules"
  cp -RL "$(npm root --global)/npm" "$root/usr/lib/node_modules/npm"
  ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/bin/npm"
  ln -sf ../lib/node_modules/npm/bin/npx-cli.js "$root/usr/bin/npx"
  cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
  echo 'cafile=/etc/ssl/certs/ca-certificates.crt' >"$root/root/.npmrc"
  commit_directory "$root" authority-index-build-base
}

# The three libraries that Node needs, from the packages of the build base. Debian 13's packages lie
# below /usr and count on these links.
make_runtime_base() {
  mkdir -p "$work/runtime/tmp" "$work/runtime/etc" "$work/runtime/usr/lib" "$work/runtime/usr/lib64"
  ln -s usr/lib "$work/runtime/lib"
  ln -s usr/lib64 "$work/runtime/lib64"
  for package in libc6 libgcc-s1 libstdc++6; do
    dpkg-deb -x "$work"/build/var/cache/apt/archives/"$package"_*.deb "$work/runtime"
  done
  rm -rf "$work/runtime/usr/lib/x86_64-linux-gnu/gconv" "$work/runtime/usr/share/lintian" \
    "$work/runtime/usr/share/gdb" "$work/runtime/usr/share/gcc"
  echo 'authority-index:x:10001:10001::/data:/none' >"$work/runtime/etc/passwd"
  echo 'authority-index:x:10001:' >"$work/runtime/etc/group"
  chmod 1777 "$work/runtime/tmp"
  commit_directory "$work/runtime" authority-index-runtime-base
}

buildah inspect --type image authority-index-build-base >/dev/null 2>&1 || {
  rm -rf "$work/build" "$work/runtime"
  make_build_base
  make_runtime_base
}
# With the time of a release the same executable gives the same layers.
buildah bud --quiet --format docker --tag "$name" ${SOURCE_DATE_EPOCH:+--timestamp "$SOURCE_DATE_EPOCH"} \
  --build-arg BUILD_BASE=localhost/authority-index-build-base \
  --build-arg RUNTIME_BASE=localhost/authority-index-runtime-base .

container=$(buildah from "$name")
root=$(buildah mount "$container")
trap 'buildah umount "$container" >/dev/null; buildah rm "$container" >/dev/null' EXIT
mib=$(du --summarize --block-size=1M "$root" | cut -f1)
echo "$name: $mib MiB"
[ "$mib" -lt "$image_mib_max" ] || { echo "above $image_mib_max MiB" >&2; exit 1; }

# As the user of the image, who owns nothing and can unpack nowhere.
env -i PATH="$PATH" HOME=/none TMPDIR=/none XDG_CACHE_HOME=/var/cache \
  chroot --userspec=10001:10001 "$root" /usr/bin/authority-index --help >/dev/null
