# fish as a scene. In ~/.config/fish/config.fish: scenectl integration fish | source. Then: scene work -- fish
# Kill the shell with kill -9 and run it again: it returns to its directory with its history.
if set -q SCENE_ACTIVITY; and status is-interactive
    # Programs of this shell must not write its activity.
    set -g __scene_file $SCENE_ACTIVITY
    set -e SCENE_ACTIVITY
    set -g fish_history scene_(string replace -a - _ -- $SCENE_SESSION)

    function __scene_history --on-event fish_prompt
        history save
    end

    function __scene_save --on-variable PWD
        string match -qr '[[:cntrl:]]' -- $PWD; and return
        set -l directory (string replace -ar '(["\\\\])' '\\\\$1' -- $PWD)
        echo '{"activityType":"com.example.shell","userInfo":{"directory":"'$directory'"}}' >$__scene_file
    end

    if test -r $__scene_file
        set -l directory (command sed -n 's/.*"directory":"\(.*\)"}}.*/\1/p' $__scene_file | command sed 's/\\\\\(.\)/\1/g')
        # A directory that is away stays stored until the next cd.
        test -z "$directory"; or builtin cd -- $directory; or set -g __scene_away
    end
    set -q __scene_away; or __scene_save
end
