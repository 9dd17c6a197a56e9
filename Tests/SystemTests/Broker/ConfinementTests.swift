import ScenePlatform
import SceneTestSupport
import Testing

#if os(Linux)
  /// `scened --confine`.
  @Suite("A confined broker")
  struct ConfinementTests {
    private let workplace: Workplace
    private let other: Workplace

    init() throws {
      (workplace, other) = (try Workplace(), try Workplace())
      _ = try workplace.write("app.json", "{}")
      _ = try other.write("app.json", #"{"topics": {"news": {}}}"#)
    }

    private func daemon(_ options: String...) throws -> Daemon {
      try Daemon(
        workplace, ["--manifest", workplace.file("app.json")] + options,
        environment: ["TMPDIR": other.file(""), "MEMORY_PRESSURE_WATCH": other.file("")])
    }

    /// Reads the manifest again after it has become a link to a file elsewhere.
    private func reload(_ daemon: Daemon) throws -> Outcome {
      try File.remove(workplace.file("app.json"))
      #expect(
        try RunningProgram.run("ln", ["-s", other.file("app.json"), workplace.file("app.json")])
          .code == 0)
      return try daemon.run("scenectl", ["manifest", "reload"])
    }

    @Test(
      "reads only its own files and those of the system, also after an upgrade",
      .enabled(if: Confinement.isSupported, "this kernel has no Landlock"),
      Sanitizer.changes("writes its reports elsewhere"))
    func confined() throws {
      let daemon = try daemon("--confine")
      let scene = try daemon.scene("notes")
      try daemon.scenectl("save", "notes", #"com.example.note={"line":1}"#)
      _ = try workplace.write("app.json", #"{"topics": {"mail": {}}}"#)
      try daemon.scenectl("manifest", "reload")
      for _ in 1...2 {
        let upgraded = try daemon.run("scenectl", ["upgrade"])
        #expect(upgraded.output.contains("; 1 scene resumed"), "\(upgraded)")
      }
      try daemon.scenectl("save", "notes", #"com.example.note={"line":2}"#)
      let refused = try reload(daemon)
      #expect(refused.code != 0)
      #expect(
        refused.errors.contains("cannot read the file: Permission denied"), "\(refused.errors)")
      try daemon.scenectl("discard", "notes")
      #expect(try scene.reap().isSuccess)
      #expect(try daemon.stop().isSuccess)
    }

    @Test("a broker that is not confined reads the file elsewhere")
    func free() throws { #expect(try reload(daemon()).code == 0) }

    @Test(
      "has no directory that contains the home directory",
      arguments: [
        (["--state", ""], "home"), (["--state", "/home"], "home"),
        (["--state", "/home/."], "home"),
        (["--state", "/home/../home"], "home"),
        (["--state", "/home"], "link"), (["--manifest", "/home/./app.json"], "home"),
        (["--manifest", "/linked.json"], "home"), (["-S", "/./socket"], "absent/home"),
      ])
    func home(option: [String], home: String) throws {
      try Directory.make(workplace.file("home"))
      _ = try workplace.write("home/app.json", "{}")
      try File.link(workplace.file("link"), to: "home")
      try File.link(workplace.file("linked.json"), to: "home/app.json")
      let others = ["-S", other.socket, "--state", other.file("state")]
      let outcome = try RunningProgram.run(
        "scened", others + [option[0], workplace.file("") + option[1], "--confine"],
        environment: ["HOME": workplace.file(home)])
      #expect(outcome.code == 78, "\(outcome.errors)")
      #expect(outcome.errors.contains("contains your home directory; move the socket"))
    }

    @Test("starts no programs, and refuses a command")
    func programs() throws {
      let manifest = try workplace.write(
        "app.json",
        #"{"configurations": {"windowApplication": [{"name": "Note", "launch": ["true"]}]}}"#)
      let checked = try RunningProgram.run(
        "scened", ["--check", "--confine", "--manifest", manifest])
      #expect(
        checked.output.contains("the launch command of Note: a confined broker starts no programs"))
      let daemon = try daemon("--confine")
      let warning = "the launch command of Note: a confined broker starts no programs"
      try daemon.program.errorLine(containing: warning)
      try daemon.scenectl("manifest", "reload")
      try daemon.program.errorLine(containing: warning)
      let activated = try daemon.run("scenectl", ["new"])
      #expect(activated.code != 0)
      #expect(activated.errors.contains("this broker starts no programs"), "\(activated.errors)")
      let command = try RunningProgram.run("scened", ["--confine", "--", "true"])
      #expect(command.code == 2)
      #expect(command.errors.contains("a confined broker starts no COMMAND"))
    }
  }
#endif
