" vim or neovim as a scene: scene notes -- vim -S "$(scenectl integration vim)" notes.txt
" Kill vim with kill -9 and run it again: vim returns to its files and its position.
set updatetime=200

function s:save()
  let files = map(getbufinfo({'buflisted': 1}), 'v:val.name')
  let place = {'file': expand('%:p'), 'line': line('.'), 'column': col('.'), 'files': files}
  call writefile([json_encode({'activityType': 'com.example.editing', 'userInfo': place})], $SCENE_ACTIVITY)
endfunction

function s:title()
  let command = ['scenectl', 'title', $SCENE_SESSION, expand('%:t')]
  silent! execute has('nvim') ? 'call jobstart(command)' : 'call job_start(command)'
endfunction

function s:restore()
  let place = filereadable($SCENE_ACTIVITY) ? json_decode(join(readfile($SCENE_ACTIVITY))).userInfo : {}
  let wanted = argc() ? fnamemodify(argv(0), ':p') : '' " Another file begins anew.
  if !empty(place) && (wanted ==# '' || index(get(place, 'files', []) + [place.file], wanted) >= 0)
    for file in filter(get(place, 'files', []), '!bufexists(v:val)') | execute 'badd' fnameescape(file) | endfor
    " The open file may have changes, as after a recovery.
    if place.file !=# expand('%:p') | silent execute 'hide edit' fnameescape(place.file) | endif
    call cursor(place.line, get(place, 'column', 1))
  endif
  autocmd CursorHold,CursorHoldI,BufEnter,VimLeavePre * call s:save()
  autocmd BufEnter * call s:title()
  call s:title()
endfunction

if exists('$SCENE_ACTIVITY') | execute 'autocmd VimEnter * ++nested call s:restore()' | endif
