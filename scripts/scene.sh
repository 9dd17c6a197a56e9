#!/bin/sh
# Counts: scene counter -- scripts/scene.sh. Kill it with -9, run it again: it goes on where it was.
count=$(sed -n 's/.*"count":\([0-9]*\).*/\1/p' "$SCENE_ACTIVITY" 2>/dev/null)
while :; do
  count=$((count + 1))
  echo '{"activityType":"com.example.count","userInfo":{"count":'$count'}}' >"$SCENE_ACTIVITY"
  echo "at $count"
  sleep 1
done
