/// The style sheet and the script of a timeline page.
enum TimelineStyle {
  static var css: String {
    """
    :root { color-scheme: light dark; --ground: #fff; --bar: #f2f4f7; --ink: #1b1f24;
      --faint: #57606a; --lane: #8a939d; --line: #d5dae0; --wait: #b45f00; --good: #1a7f37;
      --bad: #c4202b; --lit: #fff2c2; }
    @media (prefers-color-scheme: dark) {
      :root { --ground: #14171b; --bar: #1d2228; --ink: #e4e7ea; --faint: #9aa4ae;
        --lane: #68727d; --line: #323941; --wait: #f0a33a; --good: #4fc46d; --bad: #ff7069;
        --lit: #3d3514; }
    }
    * { box-sizing: border-box; }
    .symbols { position: absolute; width: 0; height: 0; }
    body { margin: 0; background: var(--ground); color: var(--ink);
      font: 14px/20px system-ui, sans-serif; overflow-wrap: anywhere; }
    header { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap;
      align-items: baseline; gap: 2px 16px; padding: 8px 12px; background: var(--bar);
      border-bottom: 1px solid var(--line); }
    h1 { margin: 0; font-size: 16px; }
    header p { margin: 0; flex: 1 1 300px; color: var(--faint); }
    header span { white-space: nowrap; }
    header pre { margin: 0; flex: 0 0 100%; max-height: 30vh; overflow: auto; white-space: pre-wrap;
      color: var(--wait); }
    label[hidden] { display: none; }
    select { font: inherit; max-width: 180px; }
    details { padding: 8px 12px; border-bottom: 1px solid var(--line); }
    details ul { margin: 8px 0 0; padding: 0; list-style: none; display: grid; gap: 2px 16px;
      grid-template-columns: repeat(auto-fill, minmax(190px, 1fr)); }
    details p { margin: 8px 0 0; color: var(--faint); }
    details svg, .sample { display: inline-block; width: 14px; height: 14px;
      vertical-align: -2px; }
    .sample { border-left: 5px solid var(--wait); margin: 0 -4px 0 4px; }
    .sample.adrift { border-left: 2px dotted var(--lane); }
    main { --pitch: clamp(1px, calc(38vw / var(--n)), 16px); }
    ol { margin: 4px 0; padding: 0; list-style: none; }
    ol li { display: grid; position: relative; padding: 0 12px; column-gap: 12px;
      grid-template-columns: calc(var(--pitch) * var(--n)) 1fr; content-visibility: auto;
      contain-intrinsic-size: auto 24px; }
    .l { position: relative; grid-row: 1 / span 2; }
    .l > svg:first-child { position: absolute; width: 100%; height: 100%; }
    path { fill: none; stroke: currentColor; stroke-width: 2; }
    .l path { vector-effect: non-scaling-stroke; stroke: var(--lane);
      stroke-width: clamp(1px, calc(var(--pitch) * .12), 2px); }
    .l .heavy { stroke: var(--wait); stroke-width: clamp(2px, calc(var(--pitch) * .6), 6px); }
    .l .adrift { stroke-dasharray: 2 3; }
    .names { position: relative; height: 12em; margin: 0 12px; }
    .names span { position: absolute; bottom: 0; max-height: 100%; overflow: hidden;
      left: calc((var(--l) + .5) * var(--pitch)); color: var(--faint); font-size: 12px;
      line-height: 1; white-space: nowrap; writing-mode: vertical-rl;
      transform: translateX(-50%) rotate(180deg); }
    .m { color: var(--ink); }
    .l .m { position: absolute; width: 14px; height: 14px; top: 50%;
      left: calc((var(--l) + .5) * var(--pitch)); transform: translate(-50%, -50%); }
    .full { fill: currentColor; stroke: var(--ground); stroke-width: 1; }
    .hollow { fill: var(--ground); stroke: currentColor; stroke-width: 2; }
    .i { display: flex; flex-wrap: wrap; gap: 0 12px; padding-top: 2px; }
    .w { padding-bottom: 2px; }
    time { font-variant-numeric: tabular-nums; color: var(--faint); }
    .p, .faint { color: var(--faint); }
    .m.good { color: var(--good); }
    .m.waiting { color: var(--wait); }
    .bad { color: var(--bad); }
    .pause .w { font-style: italic; }
    .restarted { border-top: 1px solid var(--lane); }
    .restarted .w { font-weight: bold; }
    ol b { font-weight: 600; }
    .choosing .l > svg:first-child,
    .choosing li:not(.chosen) :is(time, b, .p, .w, .m) { opacity: .3; }
    .open { margin: 0; padding: 4px 12px; color: var(--wait); font-weight: 600; }
    .open:last-child { padding-bottom: 12px; }
    @media (max-width: 999.9px) {
      .joined .p, .left .p, .connected .p { display: none; }
    }
    @media (min-width: 1000px) {
      ol { --place: minmax(0, 11em); }
      ol li { grid-template-columns:
          calc(var(--pitch) * var(--n)) 5em var(--place) var(--place) 1fr; }
      .l { grid-row: 1; }
      .i { display: contents; }
      .i > *, .w { padding: 2px 0; }
      time { grid-column: 2; text-align: right; }
      ol b { grid-column: 3; }
      .p { grid-column: 4; }
      .w { grid-column: 5; grid-row: 1; }
    }
    """
  }

  /// Highlights the events of one session, under the pointer or after a click.
  static var script: String {
    """
    const list = document.querySelector('ol'), pick = document.querySelector('select');
    const rule = document.head.appendChild(document.createElement('style'));
    const rows = session => list.querySelectorAll(`[data-s="${session}"]`);
    const sessionAt = event => event.target.closest('ol li')?.dataset.s ?? '';
    let chosen = '';
    function choose(session) {
      for (const row of rows(chosen)) row.classList.remove('chosen');
      chosen = session;
      for (const row of rows(chosen)) row.classList.add('chosen');
      list.classList.toggle('choosing', chosen !== '');
      pick.value = chosen;
    }
    function light(session) {
      rule.textContent = session && `ol [data-s="${session}"] { background: var(--lit) }`;
    }
    if (pick) {
      pick.closest('label').hidden = false;
      pick.addEventListener('change', () => choose(pick.value));
      addEventListener('keydown', event => { if (event.key === 'Escape') choose(''); });
      list.addEventListener('pointerover', event => light(sessionAt(event)));
      list.addEventListener('pointerleave', () => light(''));
      list.addEventListener('click', event => {
        const session = sessionAt(event);
        if (!getSelection().toString()) choose(session === chosen ? '' : session);
      });
    }
    """
  }
}
