import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// Standard output without a reader, or that cannot be written.
struct ClosedOutputTests {
  /// Runs a line of bash; `$0` is the program.
  private func bash(_ line: String, _ program: String, _ daemon: Daemon) throws -> Outcome {
    try daemon.run("/bin/bash", ["-c", line, try Programs.path(program)])
  }

  @Test("a scene ends in order when its reader exits, without an error", arguments: ["", "--json"])
  func readerGone(option: String) throws {
    let daemon = try Daemon(Workplace())
    let outcome = try bash(
      #"{ "$0" packing \#(option); echo $? >&2; } | head -n 1"#, "scene", daemon)
    #expect(outcome.output.split(separator: "\n").count == 1)
    #expect(outcome.errors == "141\n")
    try daemon.scenectl("is", "packing unattached disconnect.reason=clientRequest")
  }

  @Test("a program without further output also detects that its reader exited")
  func nothingToSay() throws {
    let daemon = try Daemon(Workplace())
    // The reader exits only after the last line.
    let outcome = try bash(
      #"{ "$0" packing --json; echo $? >&2; } | grep -q -m 1 didBecomeActive"#, "scene", daemon)
    #expect(outcome.errors == "141\n")
  }

  @Test(
    "a verb that follows events does not wait for another event to detect it",
    arguments: ["trace --follow", "trace -f --json", "sessions --watch", "sessions -w --json"])
  func following(words: String) throws {
    let daemon = try Daemon(Workplace())
    let scene = try daemon.scene("packing", "--json")
    defer { withExtendedLifetime(scene) {} }
    let outcome = try bash(#"{ "$0" \#(words); echo $? >&2; } | head -n 1"#, "scenectl", daemon)
    #expect(outcome.output.split(separator: "\n").count == 1)
    #expect(outcome.errors == "141\n")
  }

  @Test("a verb that waits for the next broker also detects it")
  func waiting() throws {
    let daemon = try Daemon(Workplace())
    var output = try FileDescriptor.pipe()
    var errors = try FileDescriptor.pipe()
    let said = output.takeSecond()
    let complained = errors.takeSecond()
    var variables = Environment.all
    variables["SCENE_SOCKET"] = daemon.socket
    let child = try ChildProcess.spawn(
      try Programs.path("scenectl"), ["observe", "news"], environment: variables,
      descriptors: [0: said.number, 1: said.number, 2: complained.number])
    said.close()
    complained.close()
    try eventually("the verb observes", polling: .broker) {
      try daemon.scenectl("topics").contains("news")
    }
    try daemon.kill()
    let reader = errors.takeFirst()
    _ = try reader.waitReadable()
    output.takeFirst().close()
    let text = String(decoding: try reader.readToEnd(), as: UTF8.self)
    #expect(text.hasSuffix("has ended; waiting for the next one\n"))
    #expect(text.split(separator: "\n").count == 1)
    #expect(try child.reap() == .signalled(.brokenPipe))
  }

  @Test("scenectl also ends without an error, even if SIGPIPE was ignored at its start")
  func control() throws {
    let daemon = try Daemon(Workplace())
    let line = #"trap '' PIPE; exec "$0" status"#
    let scenectl = try Programs.path("scenectl")
    for words in [[scenectl, "status"], ["/bin/bash", "-c", line, scenectl]] {
      var errors = try FileDescriptor.pipe()
      let said = errors.takeSecond()
      let child = try startWithoutReader(words, daemon.socket, errors: said.number)
      said.close()
      #expect(try errors.takeFirst().readToEnd() == [])
      #expect(try child.reap() == .signalled(.brokenPipe))
    }
  }

  @Test("a broker without a reader of its output continues to serve")
  func daemon() throws {
    // The reader exits at once.
    let wrapper = ["/bin/bash", "-c", #"exec "$0" "$@" > >(:) 2>&1"#]
    let daemon = try Daemon(Workplace(), wrapper: wrapper)
    let client = try daemon.client()
    _ = try client.request(SceneConnect(name: "packing"))
    try client.callback(.didBecomeActive)
    #expect(try daemon.stop() == .exited(0))
  }

  /// Starts a program whose standard output has no reader.
  private func startWithoutReader(
    _ words: [String], _ socket: String, errors: Int32
  ) throws -> ChildProcess {
    var output = try FileDescriptor.pipe()
    let mute = output.takeSecond()
    output.takeFirst().close()
    var variables = Environment.all
    variables["SCENE_SOCKET"] = socket
    return try ChildProcess.spawn(
      words[0], Array(words.dropFirst()), environment: variables,
      descriptors: [0: mute.number, 1: mute.number, 2: errors])
  }

  @Test("a full disk behind standard output is an error that states the reason")
  func full() throws {
    let daemon = try Daemon(Workplace())
    let lines = [
      ("scene", #""$0" packing >/dev/full"#), ("scene", #""$0" --json >/dev/full"#),
      ("scene", #""$0" --help >/dev/full"#), ("scenectl", #""$0" status >/dev/full"#),
      ("scenectl", #""$0" --help >/dev/full"#), ("scened", #""$0" --help >/dev/full"#),
    ]
    for (program, line) in lines {
      let outcome = try bash(line, program, daemon)
      #expect(outcome.code == 74, "\(line)")
      #expect(outcome.errors == "\(program): standard output: No space left on device\n")
    }
  }

  @Test(
    "standard output that was closed before the start is an error, and no socket uses its number"
  )
  func closed() throws {
    let daemon = try Daemon(Workplace())
    for (program, line) in [("scene", #""$0" packing >&-"#), ("scenectl", #""$0" status >&-"#)] {
      let outcome = try bash(line, program, daemon)
      #expect(outcome.code == 74)
      #expect(outcome.errors == "\(program): standard output: Bad file descriptor\n")
    }
  }
}
