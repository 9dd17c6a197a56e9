# One function for each row of scripts/bench, which sources this file.
# shellcheck shell=bash disable=SC2034,SC2154

# Runs a function with twice as many runs, for a figure that varies much.
more_runs() { local runs=$((2 * runs)); "$@"; }

# Measures requests and replies of 200 bytes: requests ROW FIGURE CLIENTS CORE
requests() {
  run_ours "$4"
  run_limit "$4" "$reply_bytes"
  run_redis "$4"
  run_dbus "$4"
  words_ours=(--prelude "$place/hello" --frames "$place/show")
  words_limit=("${words_ours[@]}")
  words_redis=(--redis --prelude "$place/redis-hello" --frames "$place/redis-get")
  words_dbus=(--dbus --prelude "$place/dbus-hello" --frames "$place/dbus-get")
  compare "$1" "$2" request --clients "$3" --ms "$milliseconds"
}
row_request() { requests request cpu 64 1; }
row_latency() { more_runs requests latency p50 1 0; }

# Measures events to all observers: deliveries ROW FIGURE IN-FLIGHT
deliveries() {
  run_ours 1
  run_limit 1 "$delivery_bytes" --fanout
  run_redis 1
  run_dbus 1
  words_ours=(--observe "$place/observe" --poster "$place/hello" --post "$place/post")
  words_limit=(--observe "$place/limit-observe" --post "$place/post")
  words_redis=(--redis --observe "$place/redis-observe" --post "$place/redis-post")
  words_dbus=(--dbus --observe "$place/dbus-observe" --poster "$place/dbus-hello")
  words_dbus+=(--post "$place/dbus-post")
  compare "$1" "$2" fanout --observers "$observers" --in-flight "$3" --ms "$milliseconds"
}
row_deliver() { deliveries deliver cpu 1; }
row_fanout() { deliveries fanout count 16; }

# Measures saves, whose replies wait for the disk: saves ROW FIGURE CLIENTS
saves() {
  local counter=0000000000
  run_ours 1
  run_limit 1 64 --save "$place/limit-save"
  run_redis 1 --appendonly yes --appendfsync always
  words_ours=(--prelude "$place/hello" --frames "$place/save" --counter "$counter")
  words_limit=("${words_ours[@]}")
  words_redis=(--redis --prelude "$place/redis-hello" --frames "$place/redis-save")
  words_redis+=(--counter "$counter")
  compare "$1" "$2" request --clients "$3" --ms "$milliseconds"
  rm -f "$place/limit-save"
}
row_save() { saves save count 64; }
row_save-one() { more_runs saves save-one p50 1; }

row_connect() {
  run_ours 1
  run_limit 1 "$reply_bytes"
  run_redis 1
  run_dbus 1
  words_ours=(--prelude "$place/hello-ping")
  words_limit=("${words_ours[@]}")
  words_redis=(--redis --prelude "$place/redis-hello-ping")
  words_dbus=(--dbus --prelude "$place/dbus-hello-get")
  compare connect cpu connect --ms "$milliseconds"
}

# Connects clients that send only the prelude, keeps them until release, and stores their memory in
# $answer: hold CLIENTS PRELUDE
hold() {
  mkfifo "$place/leash"
  "${first[@]}" "$place/c-load" hold "$place/ours.sock" "${pids[ours]}" --clients "$1" \
    --prelude "$2" < "$place/leash" > "$place/held" 2> "$place/hold-errors" &
  measuring=$!
  exec {leash}> "$place/leash"
  until [[ -s "$place/held" ]]; do
    kill -0 "$measuring" 2> /dev/null || wrong "load hold failed: $(< "$place/hold-errors")"
    sleep 0.02
  done
  answer=$(< "$place/held")
  holding=$measuring measuring=''
}
release() {
  exec {leash}>&-
  wait "$holding" || wrong "load hold failed: $(< "$place/hold-errors")"
  rm "$place/leash" "$place/held"
}

# Succeeds if $crowd connections are possible. The broker keeps a quarter of its descriptors free.
has_room() {
  local most
  most=$(ulimit -Hn)
  if [[ "$most" == unlimited ]] || ((most * 3 / 4 > crowd + 200)); then return; fi
  skip "$1" "$crowd connections exceed the limit of $most descriptors"
  return 1
}

row_idle() {
  local run
  has_room idle || return 0
  for ((run = 0; run < runs; run++)); do
    # Each run needs a new broker, because a broker reuses the memory of closed connections.
    run_ours 1
    hold "$crowd" "$place/hello"
    release
    note idle ours "$(number bytes)" 1024
    end
  done
}

# Sends the requests of the row request to the broker: ask FIGURE OPTION…
ask() {
  load request ours --clients 64 --ms "$milliseconds" --prelude "$place/hello" \
    --frames "$place/show" "${@:2}"
  figure=$(number "$1")
}

row_crowd() {
  local run alone
  has_room crowd || return 0
  run_ours 1
  for ((run = 0; run < runs; run++)); do
    ask cpu
    alone=$figure
    hold "$crowd" "$place/hello"
    ask cpu
    release
    note crowd ours "$figure" "$alone"
  done
  end
}

row_start() {
  mkdir -p "$place/redis"
  words_ours=("$place/ours.sock" --prelude "$place/hello" -- "${broker[@]}")
  words_limit=("$place/limit.sock" --prelude "$place/hello" --)
  words_limit+=("$place/c-limit" serve "$place/limit.sock" 200)
  words_redis=("$place/redis.sock" --redis --prelude "$place/redis-hello" -- "${redis[@]}")
  words_dbus=("$place/dbus.sock" --dbus --prelude "$place/dbus-hello" -- "${dbus[@]}")
  more_runs runs_of_start
  rm -rf "$place/ours" "$place/redis"
}
runs_of_start() {
  local name run limit=0
  for ((run = 0; run < runs; run++)); do
    for name in limit ours redis dbus; do
      if [[ "$name" =~ ^(redis|dbus)$ ]] && ! "has_$name"; then continue; fi
      local -n words=words_$name
      unpinned load start "${words[0]}" --runs "$starts" "${words[@]:1}"
      if [[ "$name" == limit ]]; then limit=$(number p50); fi
      note start "$name" "$(number p50)" "$limit"
    done
  done
}

row_command() {
  run_ours 1
  run_limit 1 64
  run_redis 1
  words_ours=("$programs/scenectl" --socket "$place/ours.sock" call broker/ping)
  words_limit=("$place/c-limit" ping "$place/limit.sock" "$place/hello-ping")
  words_redis=(redis-cli -s "$place/redis.sock" ping)
  more_runs compare command p50 command --runs "$commands" --
}

# The session of each client returns at its next start.
row_client() {
  local -x SCENE_SOCKET="$place/ours.sock"
  run_ours 1
  words_ours=("$programs/note-scene")
  words_limit=("$place/c-limit" scene "$SCENE_SOCKET" "$place/client")
  more_runs unpinned compare client p50 output --runs "$commands" --
}

row_recovery() {
  local run limit files
  "$programs/scene-bench" journal "$place/ours" --sessions "$sessions" > "$place/answer"
  shopt -s nullglob
  files=("$place"/ours/base-* "$place"/ours/log-*)
  shopt -u nullglob
  if has_redis; then fill_redis; fi
  for ((run = 0; run < runs; run++)); do
    # The first read fills the page cache, which the kernel may have reclaimed.
    for _ in fill measure; do answer=$("$place/c-limit" read "${files[@]}"); done
    limit=$(number ns)
    unpinned load start "$place/ours.sock" --prelude "$place/hello" -- "${broker[@]}"
    note recovery ours "$(number p50)" "$limit"
    if has_redis; then
      start_redis
      note recovery redis "$figure" "$limit"
    fi
  done
  rm -rf "$place/ours" "$place/redis-aof"
}

# Starts redis with an append-only file: run_redis_aof CORE
run_redis_aof() {
  mkdir -p "$place/redis" "$place/redis-aof"
  run redis "$1" "${redis[@]}" --dir "$place/redis-aof" --appendonly yes --appendfsync no \
    --aof-use-rdb-preamble no
}

# Writes as many keys as sessions to the append-only file of redis.
fill_redis() {
  run_redis_aof 1
  awk -v count="$sessions" 'BEGIN {
    value = sprintf("%01024d", 0)
    for (key = 1; key <= count; key++) printf "SET session:%d %s\r\n", key, value
  }' | redis-cli -s "$place/redis.sock" --pipe > "$place/answer"
  end
}

# Stores the time of a start of redis in $figure. Redis answers while it reads, but with an error.
start_redis() {
  local start=${EPOCHREALTIME/[.,]/}
  run_redis_aof 0
  until [[ "$(redis-cli -s "$place/redis.sock" ping 2>&1)" == PONG ]]; do continue; done
  figure=$(((${EPOCHREALTIME/[.,]/} - start) * 1000))
  end
}

row_trouble() {
  local run alone
  run_ours 1
  for ((run = 0; run < runs; run++)); do
    ask p99
    alone=$figure
    ask p99 --flood "$place/flood"
    note flood ours "$figure" "$alone"
    ask p99 --flood "$place/flood" --deaf
    note deaf ours "$figure" "$alone"
    hold 1 "$place/scene"
    ask p99
    release
    note hang ours "$figure" "$alone"
  done
  end
}
