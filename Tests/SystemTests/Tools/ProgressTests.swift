import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// The progress of a long operation, as a terminal shows it.
struct ProgressTests {
  /// Runs a command on a terminal as standard error, with a pipe as standard output. Prints the
  /// contents of the terminal as a Python literal. Continues after a line of standard input.
  private static let player = """
    import os, pty, sys, termios, fcntl, struct
    terminal, end = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 25, 70, 0, 0))
    pid = os.fork()
    if pid == 0:
        os.setsid()
        fcntl.ioctl(end, termios.TIOCSCTTY, 0)
        os.dup2(end, 2)
        os.execv(sys.argv[2], sys.argv[2:])
    os.close(end)
    shown = b""
    def read():
        global shown
        try: part = os.read(terminal, 4096)
        except OSError: part = b""
        shown += part
        return part
    while sys.argv[1].encode() not in shown and read(): pass
    print("shown " + repr(shown.decode()), flush=True)
    if sys.stdin.readline().strip() == "interrupt": os.write(terminal, b"\\x03")
    shown = b""
    while read(): pass
    print("rest " + repr(shown.decode()))
    print("status", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    """

  private func play(
    awaiting text: String, _ program: String, _ words: [String], socket: String? = nil
  ) throws -> RunningProgram {
    var variables = ["TERM": "xterm"]
    if let socket { variables["SCENE_SOCKET"] = socket }
    return try RunningProgram(
      "python3", ["-c", Self.player, text, try Programs.path(program)] + words,
      environment: variables)
  }

  /// Two scripts that run one after the other. The first fails if the file `go` exists.
  private func scripts(_ workplace: Workplace) throws -> [String] {
    let wait = "while ! test -e \(workplace.file("go")); do sleep 0.02; done"
    return [
      try workplace.write("first.scene", "exec sh -c '\(wait); exit 1'\n"),
      try workplace.write("second.scene", "exec true\n"),
    ]
  }

  @Test("scenectl test shows how many scripts have ended, and leaves an empty line")
  func test() throws {
    let workplace = try Workplace()
    let words = ["test", "--jobs", "1"] + (try scripts(workplace))
    let player = try play(awaiting: "\u{1B}[K", "scenectl", words)
    #expect(
      try player.line(containing: "shown") == #"shown '\r0 of 2 scripts\x1b[K'"#)
    _ = try workplace.write("go", "")
    try player.type("go on")
    let rest = try player.rest()
    #expect(rest.contains("not ok 1"))
    #expect(rest.contains(#"\r\x1b[K'"# + "\nstatus 1\n"), "\(rest)")
  }

  @Test("Ctrl-C erases the progress line")
  func interrupted() throws {
    let workplace = try Workplace()
    let words = ["test", "--jobs", "1"] + (try scripts(workplace))
    let player = try play(awaiting: "\u{1B}[K", "scenectl", words)
    try player.line(containing: "0 of 2 scripts")
    try player.type("interrupt")
    let rest = try player.line(containing: "rest")
    #expect(rest.contains(#"^C\r\x1b[Kscenectl: interrupted by SIGINT"#), "\(rest)")
    try player.line(containing: "status 130")
  }

  @Test("a pipe as standard error receives no progress")
  func pipe() throws {
    let workplace = try Workplace()
    let program = try RunningProgram(
      "scenectl", ["test", "--jobs", "1"] + (try scripts(workplace)),
      environment: ["TERM": "xterm"])
    try program.line(containing: "1..2")
    _ = try workplace.write("go", "")
    #expect(try program.everythingOnErrors() == "")
    #expect(try program.reap() == .exited(1))
  }

  @Test("a shutdown that waits names the scenes that have not disconnected")
  func shutdown() throws {
    let daemon = try Daemon(Workplace())
    let scene = try daemon.scene("packing")
    try scene.send(.stop)
    let player = try play(awaiting: "packing", "scenectl", ["shutdown"], socket: daemon.socket)
    let shown = try player.line(containing: "shown")
    #expect(shown.contains(" s for 1 scene to disconnect: packing"), "\(shown)")
    try scene.send(.continue)
    try player.type("go on")
    let rest = try player.line(containing: "rest")
    #expect(rest.hasSuffix(#"\r\x1b[K'"#), "\(rest)")
    try player.line(containing: "status 0")
  }
}
