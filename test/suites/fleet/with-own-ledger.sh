#!/usr/bin/env bash
# The program, as AUTHORITY_INDEX_COMMAND takes one, with a ledger on the server that FLEET_SERVER names: a database for
# each directory. It becomes the program, so that a signal for one is a signal for the other.
set -euo pipefail
directory='' before=''
for word; do
  if [ "$before" = --data ]; then directory=$word; fi
  before=$word
done
name=of_$(printf %s "$directory" | md5sum | cut -c1-16)
# It may be there, for a program that ran before.
psql -q "$FLEET_SERVER" -c "create database $name" 2> /dev/null || true
exec node "$(dirname "$0")/../../../dist/main.js" "$@" --ledger "${FLEET_SERVER%/*}/$name"
