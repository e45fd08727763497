#!/bin/bash
# A PostgreSQL cluster of three nodes that fails over: Patroni with etcd, synchronous replication, each node in a
# network namespace of its own, so that a test can cut it off. For guarantee R30.
# Usage: patroni-up.sh FOLDER. FOLDER is emptied. Stop it with patroni-down.sh FOLDER.
# Needs root, iproute2, and Debian's patroni, etcd-server and postgresql; no systemd.
set -euo pipefail

folder=$(realpath -m "$1")
here=$(dirname "$(realpath "$0")")
network=10.213.7
programs=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
for program in patroni etcd ip setpriv; do
  command -v "$program" > /dev/null || { echo "patroni-up: $program is not installed" >&2; exit 1; }
done

"$here/patroni-down.sh" "$folder"
mkdir -p "$folder"
chown nobody "$folder"
as_nobody=(setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups)

# The servers and tests are at .1, etcd at .2, the nodes at .11 to .13.
ip link add community type bridge
ip address add "$network.1/24" dev community
ip address add "$network.2/24" dev community
ip link set community up
etcd_url=http://$network.2:2379
# By etcd's API 2: over API 3, Patroni 3.0.2 sometimes assigns no synchronous standby any more after a pause.
"${as_nobody[@]}" etcd --enable-v2 --name etcd --data-dir "$folder/etcd" --listen-client-urls "$etcd_url" \
  --advertise-client-urls "$etcd_url" --listen-peer-urls "http://$network.2:2380" \
  --initial-advertise-peer-urls "http://$network.2:2380" --initial-cluster "etcd=http://$network.2:2380" \
  > "$folder/etcd.log" 2>&1 < /dev/null &
echo $! >> "$folder/pids"

start_node() {
  local node=community$1 address=$network.1$1
  ip netns add "$node"
  ip link add "$node" type veth peer name eth0 netns "$node"
  ip link set "$node" master community up
  ip -n "$node" link set lo up
  ip -n "$node" address add "$address/24" dev eth0
  ip -n "$node" link set eth0 up
  # A lease of 10 s instead of Patroni's 30: the test waits for it after each silent failure.
  cat > "$folder/$node.yml" << CONF
scope: community
name: $node
restapi: { listen: '$address:8008', connect_address: '$address:8008' }
etcd: { host: '$network.2:2379' }
bootstrap:
  dcs:
    ttl: 10
    loop_wait: 1
    retry_timeout: 3
    primary_start_timeout: 0
    synchronous_mode: true
    synchronous_mode_strict: true
    postgresql:
      use_pg_rewind: true
      use_slots: true
      pg_hba:
        - host all all $network.0/24 trust
        - host replication all $network.0/24 trust
        - local all all trust
      parameters: { max_connections: 100, wal_log_hints: 'on', wal_keep_size: 1GB, wal_retrieve_retry_interval: 500ms, wal_receiver_timeout: 5s, wal_sender_timeout: 5s }
  initdb: [encoding: UTF8, locale: C.UTF-8]
postgresql:
  listen: $address:5432
  connect_address: $address:5432
  data_dir: $folder/$node
  remove_data_directory_on_rewind_failure: true
  remove_data_directory_on_diverged_timelines: true
  bin_dir: $programs
  pgpass: $folder/$node.pgpass
  authentication:
    superuser: { username: app, password: app }
    replication: { username: replicator, password: replicator }
  parameters: { unix_socket_directories: '' }
CONF
  ip netns exec "$node" "${as_nobody[@]}" patroni "$folder/$node.yml" > "$folder/$node.log" 2>&1 < /dev/null &
  echo $! >> "$folder/pids"
}

role_at() { (cd / && "$programs/psql" -h "$network.1$1" -U app -Atc 'select pg_is_in_recovery()' postgres 2> /dev/null) || true; }
wait_for() {
  for _ in $(seq 300); do
    if [ "$(role_at "$1")" = "$2" ]; then return; fi
    sleep 0.2
  done
  echo "patroni-up: node $1 is not ready after 60 s" >&2
  tail -n 20 "$folder"/*.log >&2
  "$here/patroni-down.sh" "$folder"
  exit 1
}

start_node 1
wait_for 1 f
start_node 2
start_node 3
wait_for 2 t
wait_for 3 t
"$programs/psql" -h "$network.11" -U app -qc 'create database community' postgres
hosts=$network.11:5432,$network.12:5432,$network.13:5432
echo "postgres://app@$hosts/community" > "$folder/url"
echo "The cluster accepts connections at $(cat "$folder/url")"
