#!/bin/bash
# Copies a server that start.sh runs, to be a standby that streams from it, with all that it writes in
# one directory. Then start.sh DIR PORT starts it, and stop.sh DIR ends it, as any other.
#   standby.sh PRIMARY_PORT DIR
set -euo pipefail
primary=${1:?the port of the server to copy}; dir=${2:?a directory, made if there is none}
bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
mkdir -p "$dir"; dir=$(cd "$dir" && pwd)
run=(); if [ "$(id -u)" = 0 ]; then run=(runuser -u postgres --); chown postgres "$dir"; fi
"${run[@]}" "$bin/pg_basebackup" --host=127.0.0.1 --port="$primary" --username=postgres --pgdata="$dir/data" \
  --write-recovery-conf --wal-method=stream --checkpoint=fast --no-sync
