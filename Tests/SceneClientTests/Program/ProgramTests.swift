import ScenePlatform
import SceneTestSupport
import Testing

/// The errors of `scene` at its start, and its end.
struct ProgramTests {
  private func scene(_ arguments: [String], socket: String) throws -> Outcome {
    try RunningProgram.run("scene", arguments, environment: ["SCENE_SOCKET": socket])
  }

  @Test("the error without a broker states how to start one")
  func noBroker() throws {
    let workplace = try Workplace()
    let outcome = try scene([], socket: workplace.socket)
    #expect(outcome.code == 69)
    #expect(outcome.output == "")
    #expect(outcome.errors.hasSuffix("Start one with: scened &\n"))
    let named = try scene(["-a", "notes", "-S", workplace.socket], socket: "")
    #expect(named.errors.hasSuffix("Start one with: scened -a notes -S \(workplace.socket) &\n"))
    let quoted = try scene(["-a", "default", "-S", workplace.file("a b/sock")], socket: "")
    let word = workplace.file("a b/sock").shellWord
    #expect(quoted.errors.hasSuffix("Start one with: scened -S \(word) &\n"), "\(quoted.errors)")
  }

  @Test("the error for an impossible path does not suggest starting a broker")
  func hopelessPath() throws {
    let path = "/" + String(repeating: "x", count: 200)
    let outcome = try scene([], socket: path)
    #expect(outcome.code == 78)
    #expect(
      outcome.errors
        == "scene: the path of the socket is too long (201 bytes; the limit is "
        + "\(UnixSocket.maximumPathLength)): \(path); choose a shorter path with -S\n")
    // The other programs print the same error.
    for program in ["scenectl", "scened"] {
      let other = try RunningProgram.run(program, ["-S", path])
      #expect(other.code == 78)
      #expect(other.errors.hasSuffix(String(outcome.errors.dropFirst("scene: ".count))))
    }
  }

  @Test("scene requests no scene from a broker of another application", arguments: [false, true])
  func stranger(isNamedByOption: Bool) throws {
    let daemon = try Daemon(Workplace())
    let place = isNamedByOption ? ["-S", daemon.socket] : []
    let outcome = try scene(
      ["-a", "notes", "packing"] + place, socket: isNamedByOption ? "" : daemon.socket)
    #expect(outcome.code == 69)
    #expect(outcome.output == "")
    let way =
      isNamedByOption
      ? "omit -S, or name its socket" : "name its socket with -S, or run: unset SCENE_SOCKET"
    #expect(
      outcome.errors == """
        scene: the broker serves the application default, not notes
        That broker listens on \(daemon.socket), the value of \(isNamedByOption ? "-S" : "SCENE_SOCKET").
        To use that broker, omit -a notes; for the broker of notes, \(way)

        """)
    #expect(try daemon.run("scenectl", ["is", "application", "sessions=0"]).code == 0)
    #expect(try daemon.run("scenectl", ["-a", "notes", "status"]).code == 69)
  }

  @Test("scene uses the broker of the named application, and also its next broker")
  func namedApplication() throws {
    let workplace = try Workplace()
    var daemon = try Daemon(workplace, ["-a", "notes"])
    let scene = try daemon.start("scene", ["-a", "notes", "packing"])
    try scene.line(containing: "didBecomeActive")
    try daemon.kill()
    daemon = try Daemon(workplace, ["-a", "notes"])
    try scene.line(containing: "the scene has resumed")
    // A broker of another application in its place gets no request.
    try daemon.kill()
    daemon = try Daemon(workplace)
    #expect(try scene.reap() == .exited(69))
    #expect(
      try scene.everythingOnErrors()
        .contains("the broker serves the application default, not notes"))
    #expect(try daemon.run("scenectl", ["is", "packing unattached"]).code == 0)
  }

  private static let identifier = "00000000-0000-4000-8000-000000000000"

  @Test(
    "the error for a wrong command line names the wrong argument",
    arguments: [
      (["a", "b"], "unexpected argument \"b\""), (["a", "--new"], "cannot be used together"),
      (["a", "--new"], "--new makes a session without a name"),
      (["a", "--session", identifier], "both select a session; use one"),
      (["--new", "--session", "x"], "cannot be used together"),
      (["--session", ""], "name is empty"),
      (["-dash"], "name begins with a dash, use: scene --session=-NAME"),
      (["a", "--"], "expected a command after --"),
      (["--activity", "x"], "TYPE=JSON"), (["--activity", "x="], "TYPE=JSON"),
      (["--activity", #"{"a":"="}"#], "TYPE=JSON"),
      (["--activity", "x={"], "unexpected end of the JSON"),
      (["--activity", "x=[]"], "userInfo"), (["--user-info", "[]"], "expected an object"),
      (["-a", "a/b"], "application name"), (["--jsn"], "did you mean --json"),
    ])
  func usage(arguments: [String], message: String) throws {
    let outcome = try scene(arguments, socket: "/nowhere")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test("a name selects a session, even a dash, and so does the beginning of an identifier")
  func found() throws {
    let daemon = try Daemon(Workplace())
    let host = try daemon.start("scene", ["packing"])
    try host.line(containing: "didBecomeActive")
    for words in [
      ["background", "packing"], ["reclaim", "packing"], ["new", "--", "-dash"],
      ["close", "--", "-dash"],
    ] {
      #expect(try daemon.run("scenectl", words).code == 0)
    }
    let identifier = try daemon.run("scenectl", ["show", "packing", "--value", "session"]).output
    for (word, name) in [("-dash", "-dash"), (String(identifier.prefix(8)), "packing")] {
      let scene = try daemon.start("scene", ["--session=\(word)"])
      try scene.line(containing: "didBecomeActive")
      let condition = "\(name) foregroundActive client.pid=\(scene.child.pid)"
      #expect(try daemon.run("scenectl", ["is", "--", condition]).code == 0)
      let held = try self.scene(["--session=\(word)"], socket: daemon.socket)
      #expect(held.code == 75)
      #expect(held.errors.contains("\nTake the session with: scene --session"))
    }
    let unknown = try scene(["--session", "pakcing"], socket: daemon.socket)
    #expect(unknown.code == 66)
    #expect(
      unknown.errors == "scene: no session is called pakcing; did you mean packing?\n")
    let control = try daemon.run("scenectl", ["close", "pakcing"])
    #expect(control.code == 66)
    #expect(
      control.errors.hasPrefix("scenectl: no session is called pakcing; did you mean packing?\n"))
  }

  @Test("an unknown value of SCENE_DEBUG is reported", arguments: ["scene", "scenectl"])
  func debug(program: String) throws {
    let outcome = try RunningProgram.run(
      program, [], environment: ["SCENE_SOCKET": "/nowhere", "SCENE_DEBUG": "foo"])
    #expect(outcome.code == 69)
    let complaint = "SCENE_DEBUG: \"foo\" is unknown; set wire to print every frame\n"
    #expect(outcome.errors.hasPrefix("\(program): \(complaint)"), "\(outcome.errors)")
  }

  @Test("the exit status depends on the broker's error", arguments: [false, true])
  func refused(isJSON: Bool) throws {
    let daemon = try Daemon(Workplace())
    let unknown = "00000000-0000-4000-8000-000000000000"
    let outcome = try scene(
      ["--session", unknown] + (isJSON ? ["--json"] : []), socket: daemon.socket)
    #expect(outcome.code == 66)
    #expect(outcome.errors.hasPrefix("scene: "))
    #expect(outcome.output.contains(#""reason":"sessionNotFound""#) == isJSON)
  }

  @Test("scene and scenectl exit with the same status for the same error")
  func refusedAlike() throws {
    let daemon = try Daemon(Workplace())
    let role = ["--role", "nobodysRole"]
    #expect(try scene(role, socket: daemon.socket).code == 78)
    let outcome = try daemon.run(
      "scenectl", ["call", "scene/connect", #"{"role":"nobodysRole"}"#])
    #expect(outcome.code == 78, "\(outcome.errors)")
  }

  @Test("commands from a pipe run one after another, and its end has no effect")
  func piped() throws {
    let daemon = try Daemon(Workplace())
    let scene = try daemon.start("scene", ["packing"])
    for line in ["activity x {\"n\": 1}", "activity x {\"n\": 2}", "dance", "status"] {
      try scene.type(line)
    }
    scene.closeInput()
    try scene.line(containing: "generation 1")
    try scene.line(containing: "saved, generation 2")
    try scene.line(containing: "generation 2, x {\"n\": 2}")
    try scene.send(.terminate)
    try scene.line(containing: "didDisconnect        clientRequest")
    #expect(try scene.reap() == .exited(0))
  }
}
