#!/bin/bash
# Starts a real PostgreSQL for tests, on 127.0.0.1, with all that it writes in one directory.
#   start.sh DIR [PORT]     prints its address as a shell assignment; stop it with stop.sh DIR
# A DIR that a server was started in before is started again as it was left. Debian's package
# postgresql is installed here if there is none, which needs root; the server itself refuses root and
# then runs as the user `postgres`, who has to be able to reach DIR. It speaks TLS with a certificate
# of its own, DIR/data/server.crt.
set -euo pipefail
dir=${1:?a directory, made if there is none}; port=${2:-17432}
programs() { ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1; }
if [ -z "$(programs)" ]; then
  # Without the cluster that Debian makes and starts by itself.
  mkdir -p /etc/postgresql-common
  echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.conf
  apt-get update -qq >&2
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql openssl >&2
fi
bin=$(programs)
mkdir -p "$dir"; dir=$(cd "$dir" && pwd)
run=(); if [ "$(id -u)" = 0 ]; then run=(runuser -u postgres --); chown postgres "$dir"; fi
if [ ! -e "$dir/data/PG_VERSION" ]; then
  "${run[@]}" "$bin/initdb" --pgdata="$dir/data" --username=postgres --auth=trust --encoding=UTF8 --no-sync >"$dir/initdb.log" 2>&1 || { cat "$dir/initdb.log" >&2; exit 1; }
  "${run[@]}" openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 -subj /CN=localhost \
    -addext 'subjectAltName=DNS:localhost,IP:127.0.0.1' -keyout "$dir/data/server.key" -out "$dir/data/server.crt" 2>/dev/null
  cat >> "$dir/data/postgresql.conf" <<CONF
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 100
ssl = on
CONF
fi
"${run[@]}" "$bin/pg_ctl" --pgdata="$dir/data" --log="$dir/server.log" --options="-p $port" --wait --timeout=300 start >"$dir/start.log" 2>&1 </dev/null || { cat "$dir/start.log" "$dir/server.log" >&2; exit 1; }
echo "DATABASE_URL=postgres://postgres@127.0.0.1:$port/postgres"
