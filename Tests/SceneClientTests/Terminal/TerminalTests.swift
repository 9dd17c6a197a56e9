import SceneTestSupport
import Testing

/// A scene on a terminal, with a user's keys.
struct TerminalTests {
  private let daemon: Daemon

  init() throws { daemon = try Daemon(Workplace()) }

  @Test("a user who quits a scene that hangs learns what the scene waits for")
  func hung() throws {
    let daemon = try Daemon(Workplace(), ["--budget", "default=500ms"])
    let shown = try TerminalSession.play(
      [
        "await didBecomeActive", #"keys hang\n"#, "await no longer answers", #"keys \x03"#,
        "await closing the scene; waiting for unanswered callbacks to time out", "end",
      ], ["packing"], on: daemon)
    #expect(shown.contains("disconnected: willResignActive was not answered in time\n"))
    #expect(shown.contains("status 1\n"))
  }

  @Test("a terminal that Ctrl-S has stopped delays no answer, and shows the lines after Ctrl-Q")
  func stoppedOutput() throws {
    let daemon = try Daemon(Workplace(), ["--budget", "default=500ms"])
    let scenectl = try Programs.path("scenectl")
    let shown = try TerminalSession.play(
      [
        "await didBecomeActive", "await > ", "keys \\x13",
        "run \(scenectl) background packing && \(scenectl) activate packing", "keys \\x11",
        "await didEnterBackground", "await didBecomeActive", "keys \\x04", "end",
      ], ["packing"], on: daemon)
    #expect(shown.contains("status 0"))
  }

  @Test("events during typing appear above the typed line")
  func prompt() throws {
    let shown = try TerminalSession.play(
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

  @Test("Ctrl-Z moves the scene to the background before the stop, and fg moves it back")
  func home() throws {
    let shown = try TerminalSession.play(
      [
        "await didBecomeActive", #"keys activity x {\"n\":1.10}\n"#, "await generation 1",
        "keys \\x1a", "stopped", "signal SIGCONT", "await willEnterForeground",
        "await didBecomeActive", "keys \\x04", "end",
      ], [], on: daemon)
    #expect(shown.contains(#"stateRestorationActivity x {"n":1.10}"#))
    #expect(shown.contains("status 0"))
  }

  @Test("a job in the background does not read keys, and in the foreground it prompts")
  func foreground() throws {
    let scene = try Programs.path("scene")
    let shown = try TerminalSession.play(
      [
        "keys PS1=the-'shell: '\\n", "await the-shell: ",
        "keys \(scene) packing &\\n", "await didBecomeActive",
        "keys echo still $((40 + 2))\\n", "await still 42", "keys fg\\n", "await > ",
        "keys title A\\n", "await > title A", "keys \\x04", "await clientRequest",
        // Until then the scene gets the keys.
        "await the-shell: ", "keys exit $?\\n", "end",
      ], with: "/bin/bash", ["--norc", "--noprofile", "-i"], on: daemon)
    #expect(shown.contains("status 0"))
    #expect(
      try daemon.run(
        "scenectl", ["is", "packing unattached title=A disconnect.reason=clientRequest"]
      ).code == 0)
  }

  @Test(
    "Ctrl-Z stops the broker with its command, and fg continues both", arguments: [false, true])
  func homeInsideBroker(isInScript: Bool) throws {
    let scene = "\(try Programs.path("scene")) packing"
    let command = isInScript ? "bash -c '\(scene); exit $?'" : scene
    let shown = try TerminalSession.play(
      [
        "keys PS1=the-'shell: '\\n", "await the-shell: ",
        "keys \(try Programs.path("scened")) -- \(command)\\n",
        "await didBecomeActive", "keys \\x1a", "await the-shell: ",
        "keys fg\\n", "await didBecomeActive", "await > ", "keys \\x04", "await clientRequest",
        "await the-shell: ", "keys exit $?\\n", "end",
      ], with: "/bin/bash", ["--norc", "--noprofile", "-i"], on: daemon)
    #expect(shown.contains("status 0"))
  }

  @Test("Ctrl-C closes the scene in order, and the next scene has its state")
  func interrupt() throws {
    let first = try TerminalSession.play(
      ["await didBecomeActive", "keys \\x03", "end"],
      ["packing", "--activity", #"x={"a": 1}"#], on: daemon)
    #expect(first.contains("didDisconnect        clientRequest"))
    let second = try TerminalSession.play(
      ["await didBecomeActive", "keys crash\\n", "end"], ["packing"], on: daemon)
    #expect(second.contains("packing restored ("))
    #expect(second.contains(#"willConnect          restore, x {"a": 1}"#))
    #expect(second.contains("status -9"))
  }

  @Test("commands without a broker wait for the next broker, with a message")
  func withoutBroker() throws {
    _ = try daemon.workplace.write(
      "kills", "scenectl wait 'packing foregroundActive' && kill -9 \(daemon.pid)")
    let shown = try TerminalSession.playInShell(
      [
        "keys (sh kills &)\\n", "await the-shell: ", "keys scene packing\\n",
        "await the broker is gone", "keys title A\\n",
        "await title waits for the next broker (Ctrl-C ends scene at once)", "keys help close\\n",
        "await as in: close", "keys \\x04", "await close waits for the next broker",
        "keys \\x03", "await the-shell: ",
      ], on: daemon)
    #expect(shown.matches(of: /waits for the next broker/).count == 2, "\(shown)")
  }
}
