import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// Programs in Swift that use the client library.
struct SwiftProgramTests {
  @Test("the README shows the scene in Swift")
  func readme() throws {
    let readme = try Repository.text("README.md")
    #expect(readme.contains(try Repository.text("Tests/NoteScene/NoteScene.swift")))
  }

  @Test(
    "a signal that ends a program ends its scene in order",
    arguments: [Signal.interrupt, .terminate, .hangup])
  func signals(signal: Signal) throws {
    let daemon = try Daemon(Workplace())
    let scene = try daemon.start("note-scene")
    try scene.line(containing: "at line 1")
    try scene.send(signal)
    #expect(try scene.reap().isSuccess)
    let session = try #require(
      try daemon.client(as: .control).request(SessionList()).sessions.first
    ).session
    // In order: the next scene of the session is restored, and not recovered from a crash.
    let reason = try daemon.run("scenectl", ["show", "\(session)", "--value", "disconnect.reason"])
    #expect(reason.output == "clientRequest\n")
    let left = try daemon.scenectl("sessions", "--was-open", "--names")
    #expect(left.isEmpty == (signal == .interrupt))
  }

  @Test("a signal that ends a program ends its application delegate")
  func delegateSignal() throws {
    let daemon = try Daemon(Workplace())
    let app = try daemon.start("note-app")
    try app.line(containing: "will launch")
    try app.send(.terminate)
    #expect(try app.reap().isSuccess)
  }

  @Test("a Swift program reports its error, and exits with the status of scene")
  func swiftWithoutBroker() throws {
    let workplace = try Workplace()
    let outcome = try RunningProgram.run(
      "note-scene", [], environment: ["SCENE_SOCKET": workplace.socket])
    #expect(outcome.code == 69)
    #expect(
      outcome.errors == "note-scene: no broker runs for application default: there is no socket at "
        + "\(workplace.socket)\nStart one with: scened &\n")
    let daemon = try Daemon(workplace, ["--limit", "sessions=1"])
    let scene = try daemon.scene("packing", "--json")
    let refused = try daemon.run("note-scene", [])
    #expect(refused.code == 75)
    #expect(refused.errors.hasPrefix("note-scene: "), "\(refused.errors)")
    #expect(refused.errors.split(separator: "\n").count == 1, "\(refused.errors)")
    try scene.kill()
  }

  @Test(
    "a Swift program has a help text, and refuses unknown arguments",
    arguments: ["note-scene", "note-app", "notes"])
  func words(program: String) throws {
    func run(_ words: String...) throws -> Outcome {
      try RunningProgram.run(program, words, environment: ["SCENE_SOCKET": "/nowhere"])
    }
    let help = try run("--help")
    #expect(help.code == 0)
    #expect(help.output.hasPrefix("Usage: \(program) [OPTION]…"), "\(help.output)")
    let version = try run("--version")
    #expect(version.code == 0)
    #expect(version.output.hasPrefix("\(program) (SceneBroker "), "\(version.output)")
    for (words, reason) in [
      (["--hlep"], "unknown option --hlep; did you mean --help?"),
      (
        ["one", "cat"],
        program == "notes"
          ? "unexpected argument \"cat\"; did you mean notes one -- cat?"
          : "unexpected argument \"one\""
      ),
    ] {
      let refused = try RunningProgram.run(program, words)
      #expect(refused.code == 2)
      #expect(refused.errors == "\(program): \(reason)\nTry '\(program) --help'.\n")
    }
  }

  @Test("the package on the manual page depends on products that exist")
  func products() throws {
    let page = try Repository.text("Sources/Manual/Manual.docc/Swift.md")
    let manifest = try Repository.text("Package.swift")
    let dependency = /\.product\(name: "(.+?)", package: "SceneBroker"\)/
    let wanted = Set(page.matches(of: dependency).map(\.1))
    let there = manifest.matches(of: /\.(?:library|executable)\(name: "(.+?)", targets/).map(\.1)
    // The samples are only examples, and a test of one host has no engine, so no package depends on
    // them. SceneApp contains SceneClient.
    let others: Set<Substring> = [
      "notes", "note-scene", "note-app", "line-scene", "scenehandoff", "SceneClient",
    ]
    #expect(wanted.union(others) == Set(there))
    #expect(manifest.hasPrefix("// swift-tools-version: 6.2\n"))
    #expect(page.contains("\n// swift-tools-version: 6.2\n"))
    // SwiftPM refuses two targets of the same name, also in different packages.
    let target = try #require(page.firstMatch(of: /executableTarget\(\s+name: "(.+?)"/)).1
    #expect(!manifest.contains("\"\(target)\""))
    // SwiftPM builds only one of two executables with the same name, and reports nothing.
    let paragraph = try #require(page.firstMatch(of: /Do not give an executable [^#]+/)).0
    for product in manifest.matches(of: /\.executable\(name: "(.+?)", targets/) {
      #expect(paragraph.contains("`\(product.1)`"), "\(product.1)")
    }
  }
}
