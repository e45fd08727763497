#!/bin/bash
# A real S3 server for the storage tests: Ceph's radosgw with one monitor, on loopback only. It has one store in memory, or
# three or more on disk that hold every object three times, so that a test can kill one (guarantee R32).
# Usage: ceph-up.sh FOLDER [PORT] [STORES]. FOLDER is emptied; it then holds the logs, `pids`, and `env` with the TEST_S3_* settings.
# Stop it with stop-started.sh FOLDER. Needs Debian's radosgw, ceph-mon, ceph-osd and ceph-common, and ceph-mgr for several stores; no
# systemd.
set -euo pipefail

programs=(radosgw radosgw-admin ceph-mon ceph-osd ceph monmaptool)
if [ "${3:-1}" != 1 ]; then programs+=(ceph-mgr); fi
for program in "${programs[@]}"; do
  command -v "$program" > /dev/null || { echo "ceph-up: $program is not installed" >&2; exit 1; }
done

free_port() { node -e "const s=require('net').createServer().listen(0,'127.0.0.1',()=>{console.log(s.address().port);s.close()})"; }
# Repeats a command for up to 60 s until it succeeds.
until_ok() {
  for _ in $(seq 300); do
    if "$@" >/dev/null 2>&1; then return 0; fi
    sleep 0.2
  done
  echo "ceph: still failing after 60 s: $*" >&2
  tail -n 20 "$folder"/log/*.out >&2 || true
  return 1
}

folder=$(realpath -m "$1")
port=${2:-$(free_port)}
stores=${3:-1}
copies=$((stores > 1 ? 3 : 1))
monitor_port=$(free_port)
conf="$folder/ceph.conf"
cluster=$(cat /proc/sys/kernel/random/uuid)
access_key=$(head -c 12 /dev/urandom | od -An -tx1 | tr -d ' \n')
secret_key=$(head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n')

rm -rf "$folder"
mkdir -p "$folder"/{mon,mgr,run,log}
chmod 755 "$folder"

cat > "$conf" <<CONF
[global]
fsid = $cluster
mon host = v1:127.0.0.1:$monitor_port
public addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
auth supported = none
osd pool default size = $copies
osd pool default min size = 1
osd pool default pg num = 4
osd crush chooseleaf type = 0
mon allow pool size one = true
mon warn on pool no redundancy = false
osd objectstore = $([ "$stores" = 1 ] && echo memstore || echo bluestore)
memstore device bytes = 1073741824
bluestore block size = 2147483648
osd memory target = 939524096
mgr initial modules =
run dir = $folder/run
log file = $folder/log/\$name.log
admin socket = $folder/run/\$name.\$pid.asok
ms bind ipv4 = true
ms bind msgr2 = false
[mon.a]
mon data = $folder/mon/a
mon addr = 127.0.0.1:$monitor_port
[mgr.a]
mgr data = $folder/mgr
[osd]
osd data = $folder/osd\$id
pid file = $folder/run/\$name.pid
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:$port
rgw dns name =
rgw enable usage log = false
CONF

daemon() {
  local name=$1
  shift
  "$@" > "$folder/log/$name.out" 2>&1 &
  echo $! >> "$folder/pids"
}

monmaptool --create --fsid "$cluster" --addv a "[v1:127.0.0.1:$monitor_port]" "$folder/monmap" > /dev/null
ceph-mon -c "$conf" --mkfs -i a --monmap "$folder/monmap" > /dev/null
daemon mon ceph-mon -c "$conf" -i a -f
until_ok timeout 5 ceph -c "$conf" -s

stores_up() { [[ $(ceph -c "$conf" osd stat) == *" $1 up"* ]]; }
# The first of its messages may come before it knows the cluster's id; it is refused then, ends, and is started again.
store_is_up() {
  if ! kill -0 "$(tail -n 1 "$folder/pids")" 2> /dev/null; then daemon "osd$1" ceph-osd -c "$conf" -i "$1" -f; fi
  stores_up $(($1 + 1))
}
for ((store = 0; store < stores; store++)); do
  uuid=$(cat /proc/sys/kernel/random/uuid)
  mkdir "$folder/osd$store"
  ceph -c "$conf" osd new "$uuid" > /dev/null
  ceph -c "$conf" osd crush add "osd.$store" 1 root=default host=localhost > "$folder/log/crush.out" 2>&1
  ceph-osd -c "$conf" -i "$store" --mkfs --osd-uuid "$uuid" > "$folder/log/mkfs.out" 2>&1
  daemon "osd$store" ceph-osd -c "$conf" -i "$store" -f
  until_ok store_is_up "$store"
done
# Knows which copies are complete.
if [ "$stores" != 1 ]; then daemon mgr ceph-mgr -c "$conf" -i a -f; fi

daemon rgw radosgw -c "$conf" -n client.rgw -f
until_ok node -e "fetch('http://127.0.0.1:$port/').then((r)=>process.exit(r.ok?0:1),()=>process.exit(1))"
radosgw-admin -c "$conf" -n client.rgw user create --uid=tests --display-name=tests \
  --access-key="$access_key" --secret-key="$secret_key" > "$folder/log/user.out" 2>&1

(umask 077 && cat > "$folder/env" <<ENV
export TEST_S3_ENDPOINT=http://127.0.0.1:$port
export TEST_S3_ACCESS_KEY_ID=$access_key
export TEST_S3_SECRET_ACCESS_KEY=$secret_key
ENV
)
echo "radosgw listens on http://127.0.0.1:$port; its settings are in $folder/env"
