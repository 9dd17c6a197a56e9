import ScenePlatform
import SceneTestSupport
import Testing

/// A scene on a terminal, with a person's keys.
struct TerminalTests {
  /// Plays keys to a program on a terminal of its own. What the program shows stands on standard
  /// output as a person would see it in the end, line by line.
  ///
  /// Its arguments: the program and its arguments; standard input: a step a line. `await TEXT`
  /// waits until it was shown, `keys TEXT` types, `stopped` waits until the process has stopped
  /// itself, `continue` continues it, `end` waits for its end.
  private static let player = #"""
    import os, pty, select, signal, sys
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(sys.argv[1], sys.argv[1:])
    shown = b""
    seen = 0
    def read(timeout):
        global shown
        if not select.select([terminal], [], [], timeout)[0]:
            sys.exit("nothing more is shown after:\n" + shown.decode())
        try:
            shown += os.read(terminal, 65536)
            return True
        except OSError:
            return False
    for step in sys.stdin:
        verb, _, text = step.rstrip("\n").partition(" ")
        text = text.encode().decode("unicode_escape").encode("latin-1")
        if verb == "await":
            while text not in shown[seen:]:
                if not read(60):
                    sys.exit("it ended before " + repr(text) + ":\n" + shown.decode())
            seen = shown.index(text, seen) + len(text)
        elif verb == "keys":
            os.write(terminal, text)
        elif verb == "stopped":
            _, status = os.waitpid(pid, os.WUNTRACED)
            assert os.WIFSTOPPED(status), status
        elif verb == "continue":
            os.kill(pid, signal.SIGCONT)
        elif verb == "end":
            while read(60):
                pass
            _, status = os.waitpid(pid, 0)
            print("status", os.waitstatus_to_exitcode(status))
    # What is left on the screen: an erased prompt is not there.
    for line in shown.decode().split("\n"):
        print(line.rstrip("\r").split("\x1b[J")[-1])
    """#

  private func play(_ steps: [String], _ arguments: [String], on daemon: Daemon) throws -> String {
    try play(steps, with: try Programs.path("scene"), arguments, on: daemon)
  }

  private func play(
    _ steps: [String], with program: String, _ arguments: [String], on daemon: Daemon
  ) throws -> String {
    let player = try RunningProgram(
      "/usr/bin/env", ["python3", "-c", Self.player, program] + arguments,
      environment: ["SCENE_SOCKET": daemon.socket])
    for step in steps { try player.type(step) }
    player.closeInput()
    let shown = try player.rest()
    let errors = try player.everythingOnErrors()
    #expect(try player.reap().isSuccess, "\(errors)")
    return shown
  }

  @Test("who leaves a scene that hangs is told what is waited for")
  func hung() throws {
    let daemon = try Daemon(Workplace(), ["--budget", "default=500ms"])
    let shown = try play(
      [
        "await didBecomeActive", #"keys hang\n"#, "await answered any more", #"keys \x03"#,
        "await leaving; what is not answered is waited for until its time is over", "end",
      ], ["packing"], on: daemon)
    #expect(shown.contains("disconnected: willResignActive was not answered in time\n"))
    #expect(shown.contains("status 1\n"))
  }

  @Test("what happens while a person types stays above what is typed")
  func prompt() throws {
    let daemon = try Daemon(Workplace())
    let shown = try play(
      [
        "await didBecomeActive", #"keys activity com.example.note {\"line\": 42}\n"#,
        "await generation 1", "keys title Going hom", "await > title Going hom",
        "keys \\x7f\\x7f\\x7fHome\\n", "await > title Going Home", "keys background\\n",
        "await stateRestorationActivity", "keys close\\n", "end",
      ], ["packing"], on: daemon)
    let lines = shown.split(separator: "\n").map(String.init)
    let expected = [
      "status 0", "packing is new (",
      "  willConnect          new, launch", "  willEnterForeground", "  didBecomeActive",
      #"> activity com.example.note {"line": 42}"#, "saved, generation 1",
      "> title Going Home", "> background", "the scene goes to the background",
      "  willResignActive", "  didEnterBackground",
      #"  stateRestorationActivity com.example.note {"line": 42}"#, "> close",
      "  didDisconnect        clientRequest",
    ]
    #expect(lines.count == expected.count, "\(shown)")
    for (line, beginning) in zip(lines, expected) { #expect(line.hasPrefix(beginning)) }
  }

  @Test("Ctrl-Z sends it to the background before it stops; continued, it comes to the foreground")
  func home() throws {
    let daemon = try Daemon(Workplace())
    let shown = try play(
      [
        "await didBecomeActive", #"keys activity x {\"n\":1.10}\n"#, "await generation 1",
        "keys \\x1a", "stopped", "continue", "await willEnterForeground",
        "await didBecomeActive", "keys \\x04", "end",
      ], [], on: daemon)
    #expect(shown.contains(#"stateRestorationActivity x {"n":1.10}"#))
    #expect(shown.contains("status 0"))
  }

  @Test("a shell's job in the background leaves the keys alone; in the foreground it prompts")
  func foreground() throws {
    let daemon = try Daemon(Workplace())
    let scene = try Programs.path("scene")
    let shown = try play(
      [
        "keys PS1=the-'shell: '\\n", "await the-shell: ",
        "keys \(scene) packing &\\n", "await didBecomeActive",
        "keys echo still $((40 + 2))\\n", "await still 42", "keys fg\\n", "await > ",
        "keys title A\\n", "await > title A", "keys \\x04", "await clientRequest",
        // Until then the keys are the scene's.
        "await the-shell: ", "keys exit $?\\n", "end",
      ], with: "/bin/bash", ["--norc", "--noprofile", "-i"], on: daemon)
    #expect(shown.contains("status 0"))
    #expect(
      try daemon.run(
        "scenectl", ["is", "packing unattached title=A disconnect.reason=clientRequest"]
      ).code == 0)
  }

  @Test(
    "Ctrl-Z brings it home and stops the whole job, its broker too; fg brings all of it back",
    arguments: [false, true])
  func homeInsideBroker(isInScript: Bool) throws {
    let daemon = try Daemon(Workplace())
    let scene = "\(try Programs.path("scene")) packing"
    let command = isInScript ? "bash -c '\(scene); exit $?'" : scene
    let count = isInScript ? 3 : 2
    let shown = try play(
      [
        "keys PS1=the-'shell: '\\n", "await the-shell: ",
        "keys \(try Programs.path("scened")) -- \(command)\\n",
        "await didBecomeActive", "keys \\x1a", "await stateRestorationActivity",
        "await the-shell: ",
        "keys echo stopped: $(ps -o stat= | grep -c ^T)\\n", "await stopped: \(count)",
        "keys fg\\n", "await willEnterForeground",
        "await didBecomeActive", "await > ", "keys \\x04", "await clientRequest",
        "await the-shell: ", "keys exit $?\\n", "end",
      ], with: "/bin/bash", ["--norc", "--noprofile", "-i"], on: daemon)
    #expect(shown.contains("status 0"))
  }

  @Test("Ctrl-C leaves in order; the next one finds everything")
  func interrupt() throws {
    let daemon = try Daemon(Workplace())
    let first = try play(
      ["await didBecomeActive", "keys \\x03", "end"],
      ["packing", "--activity", #"x={"a": 1}"#], on: daemon)
    #expect(first.contains("didDisconnect        clientRequest"))
    let second = try play(
      ["await didBecomeActive", "keys crash\\n", "end"], ["packing"], on: daemon)
    #expect(second.contains("packing restored ("))
    #expect(second.contains(#"willConnect          restore, x {"a": 1}"#))
    #expect(second.contains("status -9"))
  }
}
