import ScenePlatform
import SceneTestSupport
import Testing

/// Programs that the broker starts in a terminal window, and `scenectl window`.
struct TerminalLaunchTests {
  private let workplace: Workplace
  /// One opener that ends with its window, and one that ends before it.
  private static let openers = ["env", #"sh -c '"$@" & exit' sh"#]

  init() throws { workplace = try Workplace() }

  private func daemon(_ opener: String) throws -> Daemon {
    let scene = try Programs.path("scene")
    let path = try workplace.write(
      "app.json",
      #"{"supportsMultipleScenes": true, "configurations": {"windowApplication": [{"name": "Note", "#
        + #""launch": {"command": ["\#(scene)", "--title", "a  'b'"], "terminal": true}}]}}"#)
    return try Daemon(
      workplace, ["--manifest", path], environment: ["SCENE_OPENER": opener])
  }

  @Test("a launch with a terminal runs the command by the opener", arguments: openers)
  func launch(opener: String) throws {
    let daemon = try daemon(opener)
    try daemon.scenectl("new", "packing")
    let title = try daemon.run("scenectl", ["show", "packing", "--value", "title"])
    #expect(title.output == "a  'b'\n")
    try daemon.scenectl("kill", "packing")
    try daemon.scenectl("activate", "packing")
    #expect(try daemon.stop().isSuccess)
    #expect(MarkedProcesses("SCENE_SOCKET", daemon.socket).all == [])
  }

  @Test("an opener that fails is the problem of the launch")
  func failure() throws {
    let daemon = try daemon("false")
    let outcome = try daemon.run("scenectl", ["new", "packing"])
    #expect(outcome.code == 75)
    #expect(outcome.errors.contains("exited with status 1"), "\(outcome.errors)")
    #expect(try daemon.stop().isSuccess)
    let log = try daemon.program.everythingOnErrors()
    #expect(log.contains("no window: false ended with status 1\n"))
  }

  @Test(
    "scenectl window passes the words as they are, and the status of its program back",
    arguments: openers)
  func end(opener: String) throws {
    let file = workplace.file("out")
    let script = #"printf '%s|' "$PWD" "$SCENE_TEST" "$@" >"$0"; exit 7"#
    let words = ["a b", "-x", "line\nline", "", "--"]
    let outcome = try RunningProgram.run(
      "scenectl", ["window", "--with", opener, "--", "sh", "-c", script, file] + words,
      environment: ["SCENE_TEST": "1"])
    #expect(outcome.code == 7, "\(outcome.errors)")
    let directory = try Directory.current()
    #expect(
      try workplace.read("out") == ([directory, "1"] + words).map { $0 + "|" }.joined())
  }

  @Test(
    "scenectl window ends by the signal that ended its program",
    arguments: [Signal.segmentationFault, .kill, .hangup, .terminate])
  func signalled(signal: Signal) throws {
    let window = try RunningProgram(
      "scenectl",
      ["window", "--with", Self.openers[0], "--", "sh", "-c", "kill -\(signal.name) $$"])
    #expect(try window.reap() == .signalled(signal))
  }

  @Test("a program in a window gets SIGHUP when its terminal is closed")
  func closedTerminal() throws {
    let file = workplace.file("pid")
    let opener =
      #"python3 -c "import os, pty, sys; open(sys.argv[1], 'w').write(str(os.getpid())); "#
      + #"pty.spawn(sys.argv[2:])" "# + file
    let daemon = try Daemon(workplace)
    let window = try daemon.start(
      "scenectl",
      ["window", "--with", opener, "--", Programs.path("scene"), "log", "--", "sleep", "1000"])
    try daemon.scenectl("wait", "log foregroundActive")
    let terminal = try #require(Int32(try workplace.read("pid")))
    try Signal.kill.send(to: terminal)
    try daemon.scenectl("wait", "log unattached")
    let end = try daemon.run("scenectl", ["show", "log", "--value", "disconnect.cause"])
    #expect(end.output == "hangup\n")
    let open = try daemon.run("scenectl", ["sessions", "--was-open", "--names"])
    #expect(open.output == "log\n")
    _ = try window.reap()
  }

  @Test("the end of a pipe into a program on a terminal is no closed terminal")
  func pipe() throws {
    let daemon = try Daemon(workplace)
    let terminal = try RunningProgram.onTerminal(
      ["/bin/sh", "-c", "echo hat | \(Programs.path("scene").shellWord) log -- cat"],
      environment: ["SCENE_SOCKET": daemon.socket, "TERM": "xterm"])
    try terminal.type("end")
    #expect(try terminal.finish().output.contains("status 0"))
    let end = try daemon.run("scenectl", ["show", "log", "--value", "disconnect.reason"])
    #expect(end.output == "clientRequest\n")
    #expect(try daemon.scenectl("sessions", "--was-open", "--names") == "")
  }

  @Test("SIGTERM for scenectl window ends the program", arguments: openers)
  func terminate(opener: String) throws {
    let file = workplace.file("pid")
    let window = try RunningProgram(
      "scenectl",
      ["window", "--with", opener, "--", "sh", "-c", #"echo $$ >"$0"; exec sleep 1000"#, file])
    var pid: Int32?
    try eventually("the program writes its process ID", polling: .files) {
      pid = (try? workplace.read("pid")).flatMap { Int32($0.dropLast()) }
      return pid != nil
    }
    try window.send(.terminate)
    #expect(try window.reap() == .signalled(.terminate))
    let number = try #require(pid)
    try eventually("the program ends", polling: .processes) { ProcessIdentity.of(number) == nil }
  }

  @Test("scenectl window reports a program that does not exist before it opens a window")
  func missing() throws {
    let outcome = try RunningProgram.run("scenectl", ["window", "--with", "env", "--", "/no/such"])
    #expect(outcome.code == 127)
    #expect(outcome.errors.contains("/no/such"))
    let late = try RunningProgram.run(
      "scenectl", ["window", "--with", "true", "--timeout", "100ms", "--", "true"])
    #expect(late.code == 124)
    #expect(late.errors == "scenectl: no window: true has not opened one in time\n")
  }
}
