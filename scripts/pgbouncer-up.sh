#!/bin/bash
# PgBouncer in transaction mode in front of a PostgreSQL on loopback, for the tests (TEST_DATABASE_POOLER=1).
# Usage: pgbouncer-up.sh FOLDER DATABASE_URL [PORT]. FOLDER is emptied; it then holds the log, `pids`, and `port`.
# Stop it with stop-started.sh FOLDER. Needs Debian's pgbouncer; no systemd.
set -euo pipefail

free_port() { node -e "const s=require('net').createServer().listen(0,'127.0.0.1',()=>{console.log(s.address().port);s.close()})"; }

folder=$(realpath -m "$1")
part_of_url() { node -e "const u=new URL(process.argv[1]);console.log(decodeURIComponent(u[process.argv[2]]))" "$database_url" "$1"; }
database_url=$2
database_port=$(part_of_url port)
port=${3:-$(free_port)}

rm -rf "$folder"
mkdir -p "$folder"
# The session timeouts of packages/db/src/client.ts: a pooler refuses them as startup parameters.
cat > "$folder/pgbouncer.ini" <<CONF
[databases]
* = host=127.0.0.1 port=$database_port connect_query='set statement_timeout = 3000; set lock_timeout = 2000; set idle_in_transaction_session_timeout = 5000; set jit = off'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $port
unix_socket_dir =
auth_type = trust
auth_file = $folder/users.txt
pool_mode = transaction
max_client_conn = 1000
default_pool_size = 20
server_login_retry = 0.2
logfile = $folder/pgbouncer.log
pidfile = $folder/pgbouncer.pid
CONF
(umask 077 && echo "\"$(part_of_url username)\" \"$(part_of_url password)\"" > "$folder/users.txt")

# PgBouncer does not run as root.
as_nobody=()
if [ "$(id -u)" = 0 ]; then
  chown -R nobody "$folder"
  as_nobody=(setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups)
fi
"${as_nobody[@]}" pgbouncer -q "$folder/pgbouncer.ini" > "$folder/out" 2>&1 < /dev/null &
echo $! > "$folder/pids"
for _ in $(seq 100); do
  if (exec 3<> "/dev/tcp/127.0.0.1/$port") 2> /dev/null; then
    echo "$port" > "$folder/port"
    echo "PgBouncer listens on 127.0.0.1:$port"
    exit 0
  fi
  sleep 0.1
done
echo "pgbouncer: does not listen after 10 s" >&2
cat "$folder/out" >&2
exit 1
