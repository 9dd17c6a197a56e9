# bash as a scene. At the end of ~/.bashrc: eval "$(scenectl integration bash)". Then: scene work -- bash
# Kill the shell with kill -9 and run it again: it returns to its directory with its history.
[ -n "${SCENE_ACTIVITY:-}" ] && [[ $- == *i* ]] || return 0

# Programs of this shell must not write its activity.
__scene_file=$SCENE_ACTIVITY
__scene_saved=
unset SCENE_ACTIVITY
[ -z "${SCENE_DATA:-}" ] || HISTFILE=$SCENE_DATA/bash_history

__scene_restore() {
  local directory
  directory=$(command sed -n 's/.*"directory":"\(.*\)"}}.*/\1/p' "$__scene_file" 2>/dev/null | command sed 's/\\\(.\)/\1/g')
  # A directory that is away stays stored until the next cd.
  [ -z "$directory" ] || builtin cd -- "$directory" || __scene_saved=$PWD
}

__scene_save() {
  local status=$? directory=${PWD//\\/\\\\}
  history -a
  if [[ $PWD != *[[:cntrl:]]* && $PWD != "$__scene_saved" ]]; then
    __scene_saved=$PWD
    printf '{"activityType":"com.example.shell","userInfo":{"directory":"%s"}}\n' \
      "${directory//\"/\\\"}" >|"$__scene_file"
  fi
  return $status
}

__scene_restore
PROMPT_COMMAND="__scene_save${PROMPT_COMMAND:+; $PROMPT_COMMAND}"
