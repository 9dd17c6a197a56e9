# The measurements of scripts/bench --plot, which sources this file: how CPU time and memory grow.
# shellcheck shell=bash disable=SC2034,SC2154

# The name of each series, what its number counts, and what the CPU time is for.
series="clients|clients|a request
sessions|sessions|a session of a start
observers|observers|a delivery
activities|bytes of the activity|a save"

clients=(1 10 100 1000) session_counts=(1000 10000 100000) observer_counts=(1 10 100 1000 10000)
activity_sizes=(200 1024 16384 262144)
if [[ -n "$quick" ]]; then
  clients=(1 10) session_counts=(100 500) observer_counts=(1 10) activity_sizes=(200 1024)
fi

# Prints the most resident memory of the broker in bytes: the clients have left already.
resident() { awk '$1 == "VmHWM:" { print $2 * 1024 }' "/proc/${pids[ours]}/status"; }

# Stores a point of a series: point SERIES NUMBER NANOSECONDS
point() { printf '%d %d %d\n' "$2" "$3" "$(resident)" >> "$place/scale.$1"; }

scale_clients() {
  local count
  for count in "${clients[@]}"; do
    run_ours 1
    load request ours --clients "$count" --ms "$milliseconds" --prelude "$place/hello" \
      --frames "$place/show"
    point clients "$count" "$(number cpu)"
    end
  done
}

scale_sessions() {
  local count
  for count in "${session_counts[@]}"; do
    "$programs/scene-bench" journal "$place/ours" --sessions "$count" > "$place/answer"
    run ours 1 "${broker[@]}"
    # The broker listens before it has read the sessions, and replies afterwards. Until then it has
    # used the processor only to start.
    load request ours --ms 1 --prelude "$place/hello" --frames "$place/ping"
    point sessions "$count" $(($(awk '{ print $1 }' "/proc/${pids[ours]}/schedstat") / count))
    end
  done
}

scale_observers() {
  local count
  for count in "${observer_counts[@]}"; do
    run_ours 1
    load fanout ours --observers "$count" --in-flight 1 --ms "$milliseconds" \
      --observe "$place/observe" --poster "$place/hello" --post "$place/post"
    point observers "$count" "$(number cpu)"
    end
  done
}

scale_activities() {
  local size
  for size in "${activity_sizes[@]}"; do
    run ours 1 "${broker[@]}"
    "$programs/scene-bench" frames "$place/ours.sock" "$place" --activity "$size" > "$place/answer"
    load request ours --clients 16 --ms "$milliseconds" --prelude "$place/hello" \
      --frames "$place/save" --counter 0000000000
    point activities "$size" "$(number cpu)"
    end
  done
}

# Measures all series, prints the table, and draws the plot: plot DIRECTORY
plot() {
  local name unit work
  printf '\n%-24s %12s %14s %10s %-8s\n' 'scale' 'CPU time' 'memory' 'growth' 'shape'
  while IFS='|' read -r name unit work; do
    "scale_$name"
    awk -v unit="$unit" -v work="$work" -f scripts/benchmark/scale.awk "$place/scale.$name"
  done <<< "$series"
  while IFS='|' read -r name unit work; do
    sed "s/^/$name|$unit|$work|/" "$place/scale.$name"
  done <<< "$series" | awk -F '|' -f scripts/benchmark/plot.awk > "$1/scale.svg"
  printf '\nThe plot is %s/scale.svg.\n' "$1"
}
