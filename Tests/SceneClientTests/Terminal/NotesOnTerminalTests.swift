import SceneTestSupport
import Testing

/// The sample on a terminal, as a job of a shell.
struct NotesOnTerminalTests {
  /// A broker of the sample, and the first steps in a shell.
  private func daemon() throws -> Daemon {
    let workplace = try Workplace()
    let printed = try RunningProgram.run("notes", ["--print-manifest"])
    return try Daemon(
      workplace, ["--manifest", try workplace.write("notes.json", printed.output)])
  }

  private static let start = [
    "keys export NOTES=$PWD\\n", "await the-shell: ", "keys notes packing\\n",
    "await \\r\\n--- packing", "keys charger\\n", "keys :show\\n", "await \\r\\n+  charger",
  ]
  private static let showState = [
    "keys scenectl show packing --value state\\n", "await \\r\\nbackground", "await the-shell: ",
  ]
  private static func finish(_ key: String) -> [String] {
    [
      "keys \(key)", "await the-shell: ", "keys echo status $?\\n", "await \\r\\nstatus 0",
      "await the-shell: ",
    ]
  }

  private func isClosed(_ daemon: Daemon) throws -> Bool {
    try daemon.run(
      "scenectl",
      [
        "is", "packing", "unattached", "disconnect.reason=clientRequest",
        "activity.userInfo.draft.0=charger",
      ]
    ).code == 0
  }

  @Test("Ctrl-Z moves the window to the background and stops; fg returns both; Ctrl-D closes")
  func home() throws {
    let daemon = try daemon()
    _ = try TerminalSession.playInShell(
      Self.start + ["keys \\x1a", "await Stopped", "await the-shell: "] + Self.showState + [
        "keys fg\\n", "await \\r\\n--- packing", "await \\r\\n+  charger",
      ] + Self.finish("\\x04"), on: daemon)
    #expect(try isClosed(daemon))
  }

  private static let warning = [
    "await notes: unsaved state in packing would be lost: no broker is running",
    "await --print-manifest > notes.json; scened",
    "await Press Ctrl-C or Ctrl-D again to end the program anyway",
  ]

  @Test(
    "without a broker Ctrl-D and Ctrl-C name what would be lost, and a second key quits",
    arguments: [("\\x04", "\\x04"), ("\\x04", "\\x03"), ("\\x03", "\\x04")])
  func leavingAlone(first: String, second: String) throws {
    let daemon = try daemon()
    _ = try daemon.workplace.write(
      "kills",
      "scenectl wait 'packing activity.userInfo.draft.0=charger' && kill -9 \(daemon.pid)")
    let shown = try TerminalSession.playInShell(
      ["keys (sh kills &)\\n", "await the-shell: "] + Self.start
        + [
          "await the broker is gone", "keys socks\\n", "keys :show\\n", "await \\r\\n+  socks",
          "keys \(first)",
        ] + Self.warning + Self.finish(second), on: daemon)
    #expect(shown.contains("notes: the draft of packing is not saved: "), "\(shown)")
    #expect(shown.matches(of: /would be lost/).count == 1, "\(shown)")
  }

  @Test("lines typed after fg without a broker reach no window, and the sample reports this")
  func typedAlone() throws {
    let daemon = try daemon()
    _ = try TerminalSession.playInShell(
      Self.start + [
        "keys \\x1a", "await Stopped", "await the-shell: ", "keys kill -9 \(daemon.pid)\\n",
        "await the-shell: ", "keys fg\\n", "await the broker is gone", "keys socks\\n",
        "await socks\\r\\n", "keys hat\\n", "await hat\\r\\n", "keys \\x04",
        "await notes: 2 typed lines have not been processed",
        "await --print-manifest > notes.json; scened",
        "await Press Ctrl-C or Ctrl-D again to end the program anyway",
      ] + Self.finish("\\x04"), on: daemon)
  }

  @Test("a job in the background shows its window, and gets the keys after fg")
  func background() throws {
    _ = try TerminalSession.playInShell(
      [
        "keys export NOTES=$PWD\\n", "await the-shell: ", "keys notes packing &\\n",
        "await --- packing", "keys echo mine\\n", "await \\r\\nmine", "await the-shell: ",
        "keys fg\\n", "keys charger\\n", "keys :show\\n", "await \\r\\n+  charger",
      ] + Self.finish("\\x04"), on: daemon())
  }

  @Test("Ctrl-D in one window closes it, and the window behind it stays")
  func another() throws {
    let daemon = try daemon()
    _ = try TerminalSession.playInShell(
      Self.start + [
        "keys :open list\\n", "await \\r\\n--- list", "keys milk\\n", "keys \\x04",
        "await \\r\\n--- packing", "await \\r\\n+  charger",
      ] + Self.finish("\\x04"), on: daemon)
    #expect(
      try daemon.run("scenectl", ["is", "list", "unattached", "activity.userInfo.draft.0=milk"])
        .code == 0)
  }

  @Test("after fg the same one of several windows is in front")
  func severalHome() throws {
    let interrupt = Self.finish("\\x03")
    _ = try TerminalSession.playInShell(
      Self.start + [
        "keys :open list\\n", "await \\r\\n--- list", "keys :open poem\\n",
        "await \\r\\n--- poem", "keys \\x1a", "await Stopped", "await the-shell: ",
        "keys fg\\n", "await \\r\\n--- packing", "await \\r\\n--- list",
        "await \\r\\n--- poem", "keys roses\\n", "keys :show\\n",
        "await \\r\\n--- poem\\r\\n+  roses",
      ] + interrupt, on: daemon())
  }

  @Test("without a shell Ctrl-Z does not stop the sample, because no process could continue it")
  func alone() throws {
    let daemon = try daemon()
    let shown = try TerminalSession.play(
      [
        "await --- packing", "keys \\x1a", "await in the background", "await --- packing",
        "keys :close\\n", "end",
      ], with: try Programs.path("notes"), ["packing"], on: daemon)
    #expect(shown.contains("status 0\n"))
  }
}
