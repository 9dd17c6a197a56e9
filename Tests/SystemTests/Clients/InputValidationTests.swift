import SceneJSON
import SceneModel
import SceneTestSupport
import Testing

/// Invalid command lines and standard input of the programs.
struct InputValidationTests {
  private let daemon: Daemon

  init() throws { daemon = try Daemon(Workplace()) }

  /// Runs a line of bash; `$0` is the program.
  private func bash(_ line: String, _ program: String, _ daemon: Daemon? = nil) throws -> Outcome {
    try RunningProgram.run(
      "/bin/bash", ["-c", line, try Programs.path(program)],
      environment: ["SCENE_SOCKET": daemon?.socket ?? "/nowhere"])
  }

  @Test(
    "the error for a variable that is not UTF-8 names it",
    arguments: ["scened", "scene", "scenectl"])
  func illFormedVariable(program: String) throws {
    let line = #"SCENE_SOCKET=$'/tmp/\xff' exec "$0""#
    let outcome = try bash(line, program)
    #expect(outcome.code == 78)
    #expect(outcome.output == "")
    #expect(outcome.errors.contains("the variable SCENE_SOCKET is not UTF-8"), "\(outcome.errors)")
    let other = try bash(#"OTHER=$'\xff' "$0" --help"#, program)
    #expect(other.code == 0)
  }

  @Test("errors and replies come in the order of their lines")
  func inOrder() throws {
    let outcome = try bash(
      #"printf '{"do":"status","id":1}\n{"do":"dance","id":2}\n{"do":"title","id":3}\n"#
        + #"{"do":"status","id":4}\n{"do":"close","id":5}\n' | "$0" --json packing"#,
      "scene", daemon)
    let identifiers = outcome.output.split(separator: "\n").compactMap { line in
      line.contains(#""id":"#) ? line.suffix(2).first : nil
    }
    #expect(identifiers == ["1", "2", "3", "4", "5"], "\(outcome.output)")
    #expect(outcome.output.contains("line 3: title: missing; expected a string, or null"))
  }

  @Test("a word that is a name and the beginning of an identifier selects the name, with a note")
  func nameOrIdentifier() throws {
    let client = try daemon.client()
    let first = try client.request(SceneConnect(name: "packing")).session
    let beginning = String("\(first)".prefix(8)).lowercased()
    let second = try client.request(SceneConnect(name: beginning)).session
    let outcome = try daemon.run(
      "scenectl", ["show", beginning, "--value", "persistentIdentifier"])
    #expect(outcome.output == "\(second)\n")
    #expect(
      outcome.errors == "scenectl: \(beginning) is the name of one session and the start of the "
        + "identifier \(first); the name has precedence\n")
    #expect(try daemon.run("scenectl", ["show", "packing"]).errors == "")
  }
}
