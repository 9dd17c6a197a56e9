import ScenePlatform
import SceneTestSupport
import Testing

/// A program whose scenes take input, without an `App`: its end, and its messages while it runs.
struct LineSceneTests {
  private let daemon: Daemon

  init() throws { daemon = try Daemon(Workplace()) }

  private func start(_ daemon: Daemon, _ arguments: String...) throws -> RunningProgram {
    try daemon.start("line-scene", arguments)
  }

  private func scenectl(_ daemon: Daemon, _ words: String...) throws {
    let outcome = try daemon.run("scenectl", words)
    #expect(outcome.code == 0, "\(words): \(outcome.errors)")
  }

  private static let untaken =
    "line not delivered: no scene is open; Ctrl-D ends this program"

  @Test("Ctrl-D in the last scene ends a program that main() runs")
  func closed() throws {
    let shown = try TerminalSession.play(
      [
        "await key: packing", "keys hat\\n", "await typed: hat", "keys \\x04",
        "await ended: clientRequest", "end",
      ], with: try Programs.path("line-scene"), ["packing"], on: daemon)
    #expect(shown.contains("status 0\n"), "\(shown)")
  }

  @Test("the end of a pipe also ends the program, after all lines")
  func piped() throws {
    let program = try start(daemon, "packing")
    for line in ["hat", "socks"] { try program.type(line) }
    program.closeInput()
    #expect(
      try program.rest() == "key: packing\ntyped: hat\ntyped: socks\nended: clientRequest\n")
    #expect(try program.everythingOnErrors() == "")
    #expect(try program.reap() == .exited(0))
  }

  @Test("a scene whose input never ends answers its callbacks between two lines")
  func endless() throws {
    let program = try Programs.path("line-scene").shellWord
    let shell = try daemon.start(
      "/bin/sh", ["-c", "yes slow | \(program) packing >/dev/null"])
    try scenectl(daemon, "wait", "packing", "foregroundActive")
    try scenectl(daemon, "background", "packing")
    try scenectl(daemon, "discard", "packing")
    #expect(try shell.reap() == .exited(0))
  }

  @Test("a blocked delegate does not answer a ping, also if its program runs")
  func blocked() throws {
    let program = try start(daemon, "packing")
    try program.line(containing: "key: packing")
    try scenectl(daemon, "ping", "packing")
    let fifo = "\(daemon.workplace.path)/fifo"
    _ = try daemon.run("/bin/sh", ["-c", "mkfifo \(fifo)"])
    try program.type("block \(fifo)")
    try program.line(containing: "typed: block")
    let outcome = try daemon.run("scenectl", ["ping", "packing", "--timeout", "100ms"])
    #expect(outcome.code == 75)
    #expect(
      outcome.errors.contains(#/^scenectl: packing: line-scene \d+ has not answered for 100 ms/#))
    // A time below the budget marks nothing.
    try scenectl(daemon, "is", "packing", "client.unresponsive=null")
    // The program waits for a writer.
    _ = try daemon.run("/bin/sh", ["-c", "echo > \(fifo)"])
    try scenectl(daemon, "ping", "packing")
    program.closeInput()
    #expect(try program.reap() == .exited(0))
  }

  @Test("a program whose last scene is discarded, or refused by its delegate, reports it and ends")
  func lost() throws {
    let discarded = try start(daemon, "packing")
    try discarded.line(containing: "key: packing")
    try scenectl(daemon, "discard", "packing")
    #expect(try discarded.everythingOnErrors() == "line-scene: the session packing was discarded\n")
    #expect(try discarded.reap() == .exited(0))
    let refused = try start(daemon, "unwanted")
    #expect(try refused.everythingOnErrors() == "line-scene: not this one\n")
    #expect(try refused.reap() == .exited(1))
  }

  @Test("after a reclaim the program continues, and a line brings the scene back")
  func reclaimed() throws {
    let program = try start(daemon, "packing")
    try program.line(containing: "key: packing")
    try scenectl(daemon, "background", "packing")
    try scenectl(daemon, "reclaim", "packing")
    try program.line(containing: "ended: reclaimed")
    try program.type("hat")
    try program.line(containing: "typed: hat")
    program.closeInput()
    #expect(try program.everythingOnErrors() == "")
    #expect(try program.reap() == .exited(0))
  }

  @Test("a program without a scene reports that it waits, and which input it cannot use")
  func host() throws {
    let program = try start(daemon, "--host")
    try program.line(containing: "connected")
    try scenectl(daemon, "new", "packing")
    try program.line(containing: "key: packing")
    try scenectl(daemon, "close", "packing")
    try program.errorLine(
      containing: "line-scene: no scene is open; waiting for a scene from the broker")
    try program.type("hat")
    try program.errorLine(containing: Self.untaken)
    program.closeInput()
    #expect(
      try program.everythingOnErrors().hasSuffix(
        "line-scene: 1 typed line has not been processed\n"))
    #expect(try program.reap() == .exited(1))
  }

  // MARK: - A missing delegate class

  /// A broker with a manifest whose first configuration can have a launch command.
  private func daemon(launching: String...) throws -> Daemon {
    let workplace = try Workplace()
    let words = launching.map { "\"\($0)\"" }.joined(separator: ", ")
    let launch = launching.isEmpty ? "" : #", "launch": [\#(words)]"#
    let manifest = """
      {"supportsMultipleScenes": true, "configurations": {"windowApplication": [
        {"name": "Note", "delegateClass": "NoteDelegate"\(launch)},
        {"name": "Map", "delegateClass": "MapDelegate"}
      ]}}
      """
    return try Daemon(workplace, ["--manifest", try workplace.write("notes.json", manifest)])
  }

  private static let missing =
    "no delegate class NoteDelegate for configuration Note: this program has ListDelegate, "
    + "MapDelegate; add the class, or change the manifest"

  @Test("a program without the delegate class of its scene names the class, and exits with 78")
  func missingClass() throws {
    let daemon = try daemon()
    let outcome = try daemon.run("line-scene", ["packing", "MapDelegate", "ListDelegate"])
    #expect(outcome.code == 78)
    #expect(outcome.errors == "line-scene: \(Self.missing)\n")
    let thrown = try daemon.run("line-scene", ["--run", "MapDelegate", "ListDelegate"])
    #expect(thrown.output == "thrown: noDelegateClass: \(Self.missing)\n")
    try scenectl(daemon, "is", "application sessions=0")
  }

  @Test("a program reports a further scene that it cannot create, and continues")
  func missingFurtherClass() throws {
    let daemon = try daemon()
    let program = try start(daemon, "--host", "MapDelegate", "ListDelegate")
    try program.line(containing: "connected")
    try scenectl(daemon, "new", "itinerary", "--configuration", "Map")
    try program.line(containing: "key: itinerary")
    try program.type("open Note")
    try program.errorLine(containing: "line-scene: \(Self.missing)")
    try program.type("hat")
    try program.line(containing: "typed: hat")
  }

  @Test("a launched program without the class waits for scenes that it can create")
  func missingLaunchedClass() throws {
    let daemon = try daemon(
      launching: try Programs.path("line-scene"), "packing", "MapDelegate", "ListDelegate")
    #expect(try daemon.run("scenectl", ["new", "packing"]).code == 1)
    try scenectl(daemon, "new", "itinerary", "--configuration", "Map")
    try scenectl(daemon, "is", "itinerary client.name=line-scene")
    // The program would wait for the next broker.
    try scenectl(daemon, "kill", "itinerary")
  }
}
