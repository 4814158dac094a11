#!/bin/bash
# Ends what start.sh DIR started, and removes DIR; with --keep, DIR stays, to be started again.
#   stop.sh DIR [--keep] [MODE]     MODE is fast, or immediate: as if the machine had lost its power
set -euo pipefail
dir=$(cd "${1:?the directory that start.sh was given}" && pwd); shift
keep=no; mode=fast
for word in "$@"; do if [ "$word" = --keep ]; then keep=yes; else mode=$word; fi; done
bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
run=(); if [ "$(id -u)" = 0 ]; then run=(runuser -u postgres --); fi
"${run[@]}" "$bin/pg_ctl" --pgdata="$dir/data" --mode="$mode" --wait --timeout=300 stop >/dev/null 2>&1 || true
if [ "$keep" = no ]; then rm -rf "$dir"; fi
