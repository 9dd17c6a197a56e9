# zsh as a scene. At the end of ~/.zshrc: eval "$(scenectl integration zsh)". Then: scene work -- zsh
# Kill the shell with kill -9 and run it again: it returns to its directory with its history.
[[ -n ${SCENE_ACTIVITY:-} && -o interactive ]] || return 0

# Programs of this shell must not write its activity.
typeset -g __scene_file=$SCENE_ACTIVITY
unset SCENE_ACTIVITY
[[ -z ${SCENE_DATA:-} ]] || HISTFILE=$SCENE_DATA/zsh_history
HISTSIZE=10000
SAVEHIST=10000
setopt INC_APPEND_HISTORY

__scene_restore() {
  local directory
  directory=$(command sed -n 's/.*"directory":"\(.*\)"}}.*/\1/p' $__scene_file 2>/dev/null | command sed 's/\\\(.\)/\1/g')
  [[ -z $directory ]] || builtin cd -- $directory
}

__scene_save() {
  local directory=${${PWD//\\/\\\\}//\"/\\\"}
  [[ $PWD != *[[:cntrl:]]* ]] || return 0
  builtin print -r -- '{"activityType":"com.example.shell","userInfo":{"directory":"'$directory'"}}' >| $__scene_file
}

# A directory that is away stays stored until the next cd.
__scene_restore && __scene_save
autoload -Uz add-zsh-hook
add-zsh-hook chpwd __scene_save
