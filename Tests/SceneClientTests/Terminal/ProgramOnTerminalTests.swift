import SceneTestSupport
import Testing

/// A program that runs as a scene, as a job of a shell on a terminal.
struct ProgramOnTerminalTests {
  /// A daemon with a program in its workplace that echoes lines.
  private func daemon() throws -> Daemon {
    let daemon = try Daemon(Workplace())
    _ = try daemon.workplace.write("echoes", "echo ready; exec cat")
    return daemon
  }

  /// Starts the program, which echoes a line.
  private static let start = [
    "keys scene packing -- sh echoes\\n", "await \\r\\nready", "keys one\\n", "await \\r\\none",
  ]
  /// Continues the program in the foreground, and closes it.
  private static let finish = [
    "keys fg\\n", "keys two\\n", "await \\r\\ntwo", "keys \\x04", "await the-shell: ",
    "keys echo status $?\\n", "await \\r\\nstatus 0", "await the-shell: ",
  ]
  private static let showState = [
    "keys scenectl show packing --value state\\n", "await \\r\\nbackground", "await the-shell: ",
  ]

  @Test("Ctrl-Z moves the scene to the background and stops both; fg returns both; Ctrl-D closes")
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

  @Test("a program that reads the terminal in the background stops, and its scene settles")
  func background() throws {
    let untilStopped = #"until ps -o stat= -p $(jobs -p) | grep -q ^T; do :; done"#
    _ = try TerminalSession.playInShell(
      Self.start + [
        "keys \\x1a", "await Stopped", "await the-shell: ", "keys bg\\n", "await the-shell: ",
        "keys \(untilStopped)\\n", "await the-shell: ",
      ] + Self.showState + Self.finish, on: daemon())
  }

  @Test("a program in the background gets the keys after fg")
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

  @Test("a second Ctrl-Z stops both although the broker does not answer; fg returns both")
  func hangingBroker() throws {
    let daemon = try Daemon(Workplace())
    _ = try daemon.workplace.write(
      "freezes", "echo $$ $PPID >pids; kill -STOP \(daemon.pid); echo frozen; exec cat")
    // The second Ctrl-Z, as soon as the terminal belongs to scene again.
    _ = try daemon.workplace.write(
      "presses",
      """
      until test -s pids; do sleep 0.02; done
      read program scene <pids
      until set -- $(ps -o stat=,tpgid= -p $program) && test "$2" = $scene; do sleep 0.02; done
      kill -TSTP $scene
      """)
    _ = try TerminalSession.playInShell(
      [
        "keys (sh presses &)\\n", "await the-shell: ", "keys scene packing -- sh freezes\\n",
        "await frozen", "keys \\x1a", "await Stopped", "await the-shell: ",
        "keys kill -CONT \(daemon.pid)\\n", "await the-shell: ",
      ] + Self.finish, on: daemon)
  }

  @Test("the program gets Ctrl-C and changes of the window size, and its status is the exit status")
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

  @Test(
    "a reclaimed scene waits on the terminal, and its program gets the keys after an activation")
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

  @Test("a killed program leaves the terminal in its original mode")
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

  @Test("without a shell Ctrl-Z does not stop the program, because no process could continue it")
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
