" vim as a scene: scene notes -- vim -S scripts/scene.vim notes.txt
" Kill vim with kill -9 and run it again: vim returns to its file and line.
set updatetime=200

function s:save()
  let place = #{file: expand('%:p'), line: line('.')}
  let activity = #{activityType: 'com.example.editing', userInfo: place}
  call writefile([json_encode(activity)], $SCENE_ACTIVITY)
endfunction

function s:restore()
  if filereadable($SCENE_ACTIVITY)
    let place = json_decode(join(readfile($SCENE_ACTIVITY))).userInfo
    " The open file may have changes, as after a recovery.
    if place.file !=# expand('%:p')
      silent execute 'hide edit' fnameescape(place.file)
    endif
    call cursor(place.line, 1)
  endif
  autocmd CursorHold,CursorHoldI,BufEnter,VimLeavePre * call s:save()
endfunction

if exists('$SCENE_ACTIVITY')
  autocmd VimEnter * ++nested call s:restore()
endif
