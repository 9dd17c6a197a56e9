import ScenePlatform
import SceneTestSupport
import Testing

/// `scenectl delegate -- COMMAND`, and the messages of a delegate in a shell.
struct DelegateCommandTests {
  private let workplace: Workplace

  init() throws { workplace = try Workplace() }

  private func daemon(
    _ participation: String = "optional", budgets: String = "{}"
  ) throws -> Daemon {
    let manifest = try workplace.write(
      "app.json",
      """
      {"supportsMultipleScenes": true, "applicationDelegate": "\(participation)",
        "budgets": \(budgets),
        "configurations": {"windowApplication": [{"name": "Note"}, {"name": "Composer"}]}}
      """)
    return try Daemon(workplace, ["--manifest", manifest])
  }

  /// A launched delegate that runs `body` for the configuration of a new session.
  private func delegate(_ daemon: Daemon, _ body: String) throws -> RunningProgram {
    let script = "case $(cat) in *configurationForConnecting*)\n\(body);;\nesac"
    let delegate = try daemon.start("scenectl", ["delegate", "--", "bash", "-c", script])
    try delegate.line(containing: "didFinishLaunching")
    return delegate
  }

  private static let hang = "echo stuck >&2; sleep 1000 & exec sleep 1000"

  /// A process that still runs would keep its standard error open.
  private func expectNothingLeft(of delegate: RunningProgram) throws {
    #expect(try !delegate.everythingOnErrors().contains("ended by"))
  }

  @Test("a command that exceeds its budget is ended, and runs again for the next callback")
  func overrun() throws {
    let daemon = try daemon(budgets: #"{"configurationForConnecting": 0.2}"#)
    let delegate = try delegate(
      daemon, "if mkdir '\(workplace.file("asked"))'; then \(Self.hang); fi")
    let scene = try daemon.start("scene", ["packing", "--json"])
    #expect(try scene.line(containing: "willConnect").contains(#""name":"Note""#))
    try delegate.line(containing: "configurationForConnecting exceeded its budget")
    let other = try daemon.start("scene", ["itinerary", "--json"])
    try delegate.line(containing: "itinerary")
    try other.line(containing: "willConnect")
    #expect(try daemon.stop().isSuccess)
    #expect(try delegate.reap().isSuccess)
    try expectNothingLeft(of: delegate)
  }

  @Test(
    "the answer is the output at the command's exit, even if another process keeps it open"
  )
  func held() throws {
    let daemon = try daemon(budgets: #"{"configurationForConnecting": 1000}"#)
    let delegate = try delegate(daemon, #"sleep 1000 & echo '{"configuration": "Composer"}'"#)
    let scene = try daemon.start("scene", ["packing", "--json"])
    #expect(try scene.line(containing: "willConnect").contains(#""name":"Composer""#))
    #expect(try daemon.stop().isSuccess)
    #expect(try delegate.reap().isSuccess)
    try expectNothingLeft(of: delegate)
  }

  @Test("a command need not read a long question, and can print a long answer")
  func long() throws {
    let daemon = try daemon(budgets: #"{"default": 1000}"#)
    let script = """
      head -c 100000 /dev/zero | tr '\\0' ' '
      echo '{"userInfo": {"asked": true}}'
      """
    let delegate = try daemon.start("scenectl", ["delegate", "--", "bash", "-c", script])
    try delegate.line(containing: "didFinishLaunching")
    // The text is larger than a pipe.
    let text = String(repeating: "x", count: 60_000)
    let scene = try daemon.start(
      "scene",
      ["packing", "--user-info", #"{"text": "\#(text)"}"#, "--url", "note:\(text)", "--json"])
    let connect = try scene.line(containing: "willConnect")
    #expect(connect.contains(#""asked": true"#), "\(connect.prefix(300))")
    #expect(try daemon.stop().isSuccess)
    #expect(try delegate.reap().isSuccess)
  }

  @Test(
    "the command ends with the delegate, whichever signal ends the delegate",
    arguments: [Signal.terminate, .interrupt, .hangup])
  func ended(signal: Signal) throws {
    let daemon = try daemon(budgets: #"{"configurationForConnecting": 1000}"#)
    let delegate = try delegate(daemon, Self.hang)
    let scene = try daemon.start("scene", ["packing", "--json"])
    try delegate.errorLine(containing: "stuck")
    try delegate.send(signal)
    #expect(try delegate.reap() == .signalled(signal))
    try expectNothingLeft(of: delegate)
    try scene.line(containing: "willConnect")
  }

  @Test("the command ends with a killed delegate", .enabled(if: Self.endsWithItsStarter))
  func killed() throws {
    let daemon = try daemon(budgets: #"{"configurationForConnecting": 1000}"#)
    let delegate = try delegate(daemon, "echo stuck >&2; exec sleep 1000")
    let scene = try daemon.start("scene", ["packing", "--json"])
    try delegate.errorLine(containing: "stuck")
    try delegate.send(.kill)
    #expect(try delegate.reap() == .signalled(.kill))
    try expectNothingLeft(of: delegate)
    try scene.line(containing: "willConnect")
  }

  private static var endsWithItsStarter: Bool {
    #if os(Linux)
      true
    #else
      false
    #endif
  }

  @Test("the delegate ends with the application, and waits for a killed broker")
  func applicationEnds() throws {
    let first = try daemon(budgets: #"{"configurationForConnecting": 1000}"#)
    let delegate = try delegate(first, Self.hang)
    let scene = try first.start("scene", ["packing", "--json"])
    try delegate.errorLine(containing: "stuck")
    try first.kill()
    try scene.kill()
    try delegate.line(containing: "disconnected; waiting for the broker")
    let second = try daemon(budgets: #"{"configurationForConnecting": 1000}"#)
    try delegate.line(containing: "didFinishLaunching")
    let other = try second.start("scene", ["itinerary", "--json"])
    try delegate.errorLine(containing: "stuck")
    #expect(try second.stop().isSuccess)
    try other.kill()
    #expect(try delegate.reap().isSuccess)
    try expectNothingLeft(of: delegate)
  }

  @Test("a command that does not exist is an error")
  func missing() throws {
    let daemon = try daemon()
    let outcome = try daemon.run("scenectl", ["delegate", "--", "./nothere"])
    #expect(outcome.code == 127)
    #expect(outcome.errors == "scenectl: exec ./nothere: No such file or directory\n")
  }

  @Test("a scene reports that it waits for a required delegate")
  func required() throws {
    let daemon = try daemon("required")
    let scene = try daemon.start("scene", ["packing"])
    try scene.errorLine(containing: "scene: waiting for the application delegate")
    let delegate = try daemon.start("scenectl", ["delegate"])
    try delegate.line(containing: "didFinishLaunching")
    try scene.line(containing: "packing is new")
  }

  @Test(
    "a command reports that it waits for a delegate, and a killed command's request stays")
  func requiredByControl() throws {
    let daemon = try daemon("required")
    let new = try daemon.start("scenectl", ["new", "packing"])
    try new.errorLine(
      containing: "packing: the broker waits for the application delegate that the manifest")
    try new.kill()
    let waits = try daemon.scenectl("status")
    #expect(waits.contains("1 request waits for the application delegate that"), "\(waits)")
    let host = try daemon.connect()
    try host.initialize(hosts: ["*"])
    let delegate = try daemon.start("scenectl", ["delegate"])
    try delegate.line(containing: "didFinishLaunching")
    try daemon.scenectl("wait", "packing")
  }
}
