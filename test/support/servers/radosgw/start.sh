#!/bin/bash
# Starts a real S3 server (Ceph radosgw over one monitor and one in-memory OSD) for tests, on 127.0.0.1.
#   start.sh DIR [PORT]     prints the endpoint and keys as shell assignments; stop it with stop.sh DIR
# Debian packages: radosgw ceph-mon ceph-osd ceph-common (installed here if they are missing; needs root for that).
set -euo pipefail
dir=${1:?a directory that does not exist yet}; port=${2:-17480}; mon_port=$((port + 1))
for tool in radosgw ceph-mon ceph-osd ceph; do
  command -v "$tool" >/dev/null || { apt-get -o DPkg::Lock::Timeout=300 update -qq >&2; DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends radosgw ceph-mon ceph-osd ceph-common >&2; break; }
done
mkdir -p "$dir"; dir=$(cd "$dir" && pwd); mkdir -p "$dir"/{mon,osd,log}
fsid=$(cat /proc/sys/kernel/random/uuid); osd=$(cat /proc/sys/kernel/random/uuid)
cat > "$dir/ceph.conf" <<CONF
[global]
fsid = $fsid
mon host = [v1:127.0.0.1:$mon_port]
mon initial members = a
auth cluster required = none
auth service required = none
auth client required = none
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon warn on pool no redundancy = false
ms bind ipv4 = true
public addr = 127.0.0.1
cluster addr = 127.0.0.1
run dir = $dir
log file = $dir/log/\$name.log
admin socket = $dir/\$name.asok
pid file = $dir/\$name.pid
mon data = $dir/mon
osd data = $dir/osd
osd objectstore = memstore
memstore device bytes = 3221225472
osd class load list = *
osd class default list = *
setuser =
setgroup =
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:$port
rgw enable ops log = false
rgw enable usage log = false
CONF
export CEPH_CONF="$dir/ceph.conf"
{
  monmaptool --create --addv a "[v1:127.0.0.1:$mon_port]" --fsid "$fsid" "$dir/monmap"
  ceph-authtool --create-keyring "$dir/keyring" --gen-key -n mon. --cap mon 'allow *'
  ceph-mon -i a --mkfs --monmap "$dir/monmap" --keyring "$dir/keyring"
  ceph-mon -i a
  timeout 30 ceph osd new "$osd"
  ceph-osd -i 0 --mkfs --osd-uuid "$osd"
  # Now and then it asks the monitor before it knows the cluster id, and ends when the monitor refuses.
  for _ in $(seq 60); do
    kill -0 "$(cat "$dir/osd.0.pid")" || ceph-osd -i 0
    timeout 30 ceph osd stat | grep ' 1 up' && break
    sleep 0.5
  done
  radosgw -n client.rgw
  timeout 60 radosgw-admin user create --uid=test --display-name=test --access-key=testaccess --secret=testsecret
  answers() { (exec 3<>/dev/tcp/127.0.0.1/"$port") 2>/dev/null; }
  for _ in $(seq 900); do answers && break; sleep 0.2; done
  answers || { tail -n 40 "$dir"/log/client.rgw.log; false; }
} >"$dir/start.log" 2>&1 || { cat "$dir/start.log" >&2; exit 1; }
echo "S3_ENDPOINT=http://127.0.0.1:$port S3_ACCESS_KEY_ID=testaccess S3_SECRET_ACCESS_KEY=testsecret S3_REGION=default"
