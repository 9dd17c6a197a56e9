import SceneTestSupport
import Testing

/// A program that is a scene, as a shell's job on a terminal.
struct ProgramOnTerminalTests {
  /// A daemon with a program beside it that echoes lines.
  private func daemon() throws -> Daemon {
    let daemon = try Daemon(Workplace())
    _ = try daemon.workplace.write("echoes", "echo ready; exec cat")
    return daemon
  }

  /// Starts it, and has it echo a line.
  private static let start = [
    "keys scene packing -- sh echoes\\n", "await \\r\\nready", "keys one\\n", "await \\r\\none",
  ]
  /// Brings it to the foreground, and to its end.
  private static let finish = [
    "keys fg\\n", "keys two\\n", "await \\r\\ntwo", "keys \\x04", "await the-shell: ",
    "keys echo status $?\\n", "await \\r\\nstatus 0", "await the-shell: ",
  ]
  private static let showState = [
    "keys scenectl show packing --value state\\n", "await \\r\\nbackground", "await the-shell: ",
  ]

  @Test("Ctrl-Z brings the scene home and stops both; fg brings both back; Ctrl-D closes")
  func home() throws {
    let daemon = try daemon()
    let shown = try TerminalSession.playInShell(
      Self.start + ["keys \\x1a", "await Stopped", "await the-shell: "] + Self.showState
        + Self.finish, on: daemon)
    #expect(!shown.contains("willConnect"))
    #expect(
      try daemon.run(
        "scenectl", ["is", "packing unattached disconnect.reason=clientRequest"]
      ).code == 0)
  }

  @Test("in the background one that wants keys stops, and its scene comes to rest")
  func background() throws {
    let untilStopped = #"until ps -o stat= -p $(jobs -p) | grep -q ^T; do :; done"#
    _ = try TerminalSession.playInShell(
      Self.start + [
        "keys \\x1a", "await Stopped", "await the-shell: ", "keys bg\\n", "await the-shell: ",
        "keys \(untilStopped)\\n", "await the-shell: ",
      ] + Self.showState + Self.finish, on: daemon())
  }

  @Test("started in the background it has the keys once fg brings it to the foreground")
  func foreground() throws {
    _ = try TerminalSession.playInShell(
      ["keys scene packing -- sh echoes &\\n", "await ready"] + Self.finish, on: daemon())
  }

  @Test("fg during the move to the background continues the program, and stops nothing")
  func foregroundDuringMove() throws {
    let daemon = try Daemon(Workplace())
    _ = try daemon.workplace.write(
      "late", "echo $$ >pid; echo ready; until test -e go; do sleep 0.02; done; exec cat")
    // The broker is frozen from before the program's stop until the program has the foreground, or
    // the time of several checks has passed.
    _ = try daemon.workplace.write(
      "thaws",
      """
      for n in $(seq 50); do
        set -- $(ps -o tpgid=,pgid= -p $(cat pid))
        test "$1" = "$2" && break
        sleep 0.02
      done
      kill -CONT \(daemon.pid)
      """)
    let stop =
      "kill -STOP \(daemon.pid); touch go; until ps -o stat= -p $(cat pid) | grep -q ^T; do :; done"
    _ = try TerminalSession.playInShell(
      [
        "keys scene packing -- sh late &\\n", "await ready", "keys \(stop)\\n",
        "await the-shell: ", "keys (sh thaws &); fg\\n",
      ] + Self.finish.dropFirst(), on: daemon)
  }

  @Test("Ctrl-C is the program's, and its status the command's; so is a change of the window")
  func signals() throws {
    let daemon = try daemon()
    _ = try daemon.workplace.write(
      "signals",
      """
      trap 'echo heard; exit 5' INT
      trap 'stty size' WINCH
      stty rows 33 columns 77
      while :; do sleep 0.1; done
      """)
    _ = try TerminalSession.playInShell(
      [
        "keys scene packing -- sh signals\\n", "await \\r\\n33 77", "keys \\x03", "await heard",
        "await the-shell: ", "keys echo status $?\\n", "await \\r\\nstatus 5", "await the-shell: ",
      ], on: daemon)
    #expect(
      try daemon.run(
        "scenectl", ["wait", "packing unattached disconnect.reason=connectionLost"]
      ).code == 0)
  }

  @Test("reclaimed, it waits with the terminal; activated, its program has the keys again")
  func reclaimed() throws {
    let daemon = try daemon()
    _ = try daemon.workplace.write(
      "keeps",
      #"""
      test -f "$SCENE_ACTIVITY" && echo again
      echo '{"activityType":"x","userInfo":{"n":1}}' >"$SCENE_ACTIVITY"
      exec cat
      """#)
    _ = try daemon.workplace.write(
      "reclaims",
      """
      scenectl wait 'packing activity.userInfo.n=1'
      scenectl background packing
      scenectl reclaim packing
      """)
    _ = try TerminalSession.playInShell(
      [
        "keys (sh reclaims &)\\n", "await the-shell: ", "keys scene packing -- sh keeps\\n",
        "await scene: waiting to be activated (Ctrl-C ends scene)", "keys \\x1a", "await Stopped",
        "await the-shell: ", "keys (scenectl activate packing &); fg\\n", "await \\r\\nagain",
        "keys \\x04", "await the-shell: ", "keys echo status $?\\n", "await \\r\\nstatus 0",
        "await the-shell: ",
      ], on: daemon)
  }

  @Test("one that is killed leaves the terminal as it was")
  func killed() throws {
    let daemon = try daemon()
    _ = try daemon.workplace.write("dies", "stty -echo; kill -9 $$")
    _ = try daemon.workplace.write(
      "looks", "scene packing -- sh dies; echo status $?; stty -a | grep -qw -e -echo || echo sane")
    _ = try TerminalSession.playInShell(
      [
        "keys sh looks\\n", "await \\r\\nstatus 137", "await \\r\\nsane", "await the-shell: ",
      ], on: daemon)
  }

  @Test("without a shell nothing could continue the program, so Ctrl-Z does not stop it for good")
  func alone() throws {
    let daemon = try daemon()
    let shown = try TerminalSession.play(
      [
        "await ready", "keys one\\n", "await \\r\\none", "keys \\x1a", "keys two\\n",
        "await \\r\\ntwo", "keys \\x04", "end",
      ], ["packing", "--", "sh", daemon.workplace.file("echoes")], on: daemon)
    #expect(shown.contains("status 0\n"))
  }
}
