#!/bin/sh
# Makes the files of a release from a clean checkout. Uploads, commits and tags nothing.
#
#   scripts/release.sh DIR         DIR must not exist
#
# The npm package, the single file with the licences of what is in it, the bill of materials (CycloneDX, of the lock file,
# so that the tools of build and tests stand in it, too), the checkout as the context of the image (`docker build - < FILE`),
# the notes, and SHA256SUMS. Needs Linux and the npm registry.
set -eu
[ $# = 1 ] || { echo 'usage: scripts/release.sh DIR' >&2; exit 2; }
mkdir -p "$(dirname "$1")"
mkdir "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
[ -z "$(git status --porcelain)" ] || { echo 'commit or remove first:' >&2; git status --short >&2; exit 1; }

npm ci --include=dev --no-audit --no-fund
version=$(node -p 'require("./package.json").version')
# The section of the version: from its heading to the next one.
awk -v heading="## $version," 'index($0, "## ") == 1 { found = index($0, heading) == 1 } found' CHANGELOG.md >"$out/NOTES.md"
[ -s "$out/NOTES.md" ] || { echo "CHANGELOG.md has no section '## $version, DAY'" >&2; exit 1; }
npm pack --silent --pack-destination "$out" >/dev/null
npx tsx scripts/build-binary.ts
cp release/authority-index "$out/authority-index-$version-linux-$(node -p process.arch)"
cp release/LICENSES.txt "$out"
npm sbom --package-lock-only --sbom-format=cyclonedx --sbom-type=application --loglevel=error >"$out/authority-index-$version.cdx.json"
git archive --format=tar.gz --output "$out/authority-index-$version-checkout.tar.gz" HEAD
(cd "$out" && sha256sum -- * >SHA256SUMS)
ls -l "$out"
