#!/bin/sh
# Publishes a release that `npm run release` has made. Without --yes it only prints what it would run.
#
#   scripts/release/publish.sh DIR [--yes]
#
# Needs: `npm login`; IMAGE=registry/authority-index (buildah login), CHARTS=oci://registry/charts (helm registry login)
# and `gh auth login` for what goes there. What has no address is named and left out.
set -eu
directory=$(cd "$1" && pwd)
yes=${2:-}
cd "$(dirname "$0")/../.."
version=$(basename "$(ls "$directory"/authority-index-*.cdx.json)" .cdx.json)
version=${version#authority-index-}
(cd "$directory" && sha256sum --check --quiet SHA256SUMS)
git rev-parse --quiet --verify "refs/tags/v$version" >/dev/null ||
  { echo "there is no tag v$version: a dry run is not published" >&2; exit 1; }

do_or_print() {
  echo "+ $*"
  [ "$yes" != --yes ] || "$@"
}

do_or_print git push origin HEAD "v$version"
# The platforms first: the package itself names them.
for package in "$directory"/authority-index-*-*-"$version".tgz "$directory/authority-index-$version.tgz"; do
  [ ! -e "$package" ] || do_or_print npm publish --access public "$package"
done
if command -v twine >/dev/null; then
  do_or_print twine upload "$directory"/*.whl
else
  echo 'left out: the wheel, twine is not installed'
fi
image=$directory/authority-index-$version-image.tar
if [ -n "${IMAGE:-}" ] && [ -e "$image" ]; then
  do_or_print sh -c 'buildah push "$(buildah pull --quiet "oci-archive:$1")" "docker://$2"' sh "$image" "$IMAGE:$version"
else
  echo 'left out: the image; IMAGE names its repository'
fi
if [ -n "${CHARTS:-}" ]; then
  do_or_print helm push "$directory/authority-index-chart-$version.tgz" "$CHARTS"
else
  echo 'left out: the chart; CHARTS names its repository'
fi
do_or_print gh release create "v$version" --notes-file "$directory/RELEASE-NOTES.md" "$directory"/*
