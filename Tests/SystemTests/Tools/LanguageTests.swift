import ScenePlatform
import SceneTestSupport
import Testing

/// The clients in languages whose compiler or interpreter may be missing.
@Suite("Clients in other languages")
struct LanguageTests {
  struct Language: Sendable, CustomTestStringConvertible {
    let name: String
    /// The command that must be installed.
    let tool: String
    let source: String
    /// Compiles `$1` to `$2`; nil for a script.
    var compiler: String?

    var testDescription: String { name }
  }

  private static let all = [
    Language(name: "JavaScript", tool: "node", source: "scripts/scene.js"),
    Language(
      name: "Go", tool: "go", source: "scripts/scene.go", compiler: #"go build -o "$2" "$1""#),
    Language(
      name: "Rust", tool: "rustc", source: "scripts/scene.rs", compiler: #"rustc -o "$2" "$1""#),
  ]

  private static let installed = all.filter { Programs.isInstalled($0.tool) }

  /// The command of the client.
  private func client(in language: Language, _ workplace: Workplace) throws -> String {
    let source = try Repository.file(language.source)
    guard let compiler = language.compiler else { return source }
    let program = workplace.file("client")
    let outcome = try RunningProgram.run("/bin/sh", ["-c", compiler, "sh", source, program])
    #expect(outcome.code == 0, "\(outcome.errors)")
    return program
  }

  @Test(
    "a client passes every required case, restores its state, and loses no save in a move",
    arguments: installed)
  func conform(language: Language) throws {
    let workplace = try Workplace()
    let client = try client(in: language, workplace)
    let outcome = try RunningProgram.run("scenectl", ["conform", "--patience", "3m", "--", client])
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.contains(#/\nok \d+ - kept: /#), "\(outcome.output)")
    let daemon = try Daemon(workplace)
    for line in 1...2 {
      let scene = try daemon.start(client, ["packing"])
      try scene.line(containing: "at line \(line) - saved")
      try scene.kill()
    }
    let scene = try daemon.start(client, ["packing"])
    try scene.line(containing: "at line 3 - saved")
    let desktop = try Daemon(Workplace())
    let remote = "\(try Programs.path("scenectl").shellWord) -S \(desktop.socket.shellWord)"
    try daemon.scenectl("move", "packing", "--to", "desktop", "--remote", remote)
    #expect(try scene.reap().isSuccess)
    #expect(try desktop.scenectl("show", "packing", "--value", "activity.userInfo.line") == "3\n")
  }

  @Test("the manual shows the clients, and each has at most 80 lines", arguments: all)
  func page(language: Language) throws {
    let source = try Repository.text(language.source)
    #expect(source.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= 80)
    let page = try Repository.text("Sources/Manual/Manual.docc/Other-languages.md")
    #expect(page.contains(source))
  }
}
