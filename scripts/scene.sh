#!/bin/sh
# A counter: scene counter -- PATH/scene.sh. After kill -9, the next run continues the count.
count=$(sed -n 's/.*"count":\([0-9]*\).*/\1/p' "$SCENE_ACTIVITY" 2>/dev/null)
while :; do
  count=$((count + 1))
  echo '{"activityType":"com.example.count","userInfo":{"count":'$count'}}' >"$SCENE_ACTIVITY"
  echo "at $count"
  sleep 1
done
