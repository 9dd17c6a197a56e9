import ScenePlatform
import SceneTestSupport
import Testing

/// The page with one test in four languages. The examples run here, except the script, which runs
/// with the scripts of other pages.
@Suite("Testing life cycles")
struct PageTests {
  private let workplace: Workplace
  private let page: String

  init() throws {
    workplace = try Workplace()
    page = try Repository.text("Sources/Manual/Manual.docc/Testing-life-cycles.md")
  }

  /// The first block in this language. Other blocks show conditions, an application and a broker.
  private func example(_ language: String) throws -> String {
    let blocks = page.split(separator: "```").filter { $0.hasPrefix("\(language)\n") }
    try #require(!blocks.isEmpty, "\(language)")
    return String(blocks[0].dropFirst(language.count + 1))
  }

  /// Runs a file with a broker.
  private func run(
    _ command: String..., on text: String, named name: String = "test"
  ) throws -> Outcome {
    let outcome = try RunningProgram.run(
      "scened", ["--"] + command + [try workplace.write(name, text)],
      environment: [
        "TMPDIR": workplace.path, "PATH": Programs.searchPath(),
        "PYTHONDONTWRITEBYTECODE": "1",
      ])
    #expect(try Directory.list(workplace.path) == [name])
    return outcome
  }

  private static let interpreters = [("sh", "bash"), ("python", "python3")]

  @Test("the example on the page passes", arguments: interpreters)
  func passes(language: String, interpreter: String) throws {
    let outcome = try run(interpreter, on: try example(language))
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output + outcome.errors == "")
  }

  @Test("a changed example fails and ends", arguments: interpreters)
  func fails(language: String, interpreter: String) throws {
    for broken in try broken(language) {
      #expect(try run(interpreter, on: broken).code == 1, "\(broken)")
    }
  }

  /// The example with a changed expectation.
  private func broken(_ language: String) throws -> [String] {
    let test = try example(language)
    let changes = [("reason=reclaimed", "reason=watchdog"), ("activate", "background")]
    return changes.map { part, other in
      let broken = test.replacing("disconnect.\(part)", with: "disconnect.\(other)")
        .replacing(" \(part) packing", with: " \(other) packing")
        .replacing("\"\(part)\", \"packing\"", with: "\"\(other)\", \"packing\"")
      #expect(broken != test)
      return broken
    }
  }

  @Test("the Python example is a pytest test")
  func pytest() throws {
    let version = try RunningProgram.run("python3", ["-m", "pytest", "--version"])
    guard version.code == 0 else {
      #expect(version.errors.contains("No module named pytest"))
      return
    }
    func run(_ text: String) throws -> Outcome {
      try self.run(
        "python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", on: text,
        named: "test_reclaim.py")
    }
    let outcome = try run(try example("python"))
    #expect(outcome.code == 0 && outcome.output.contains("1 passed"), "\(outcome.output)")
    for broken in try broken("python") {
      #expect(try run(broken).output.contains("1 failed"))
    }
  }

  @Test("the Swift test on the page is the file that is built and run")
  func swift() throws {
    let source = try Repository.text("Tests/SceneTestingTests/ReclaimTests.swift")
    #expect(try example("swift") == source)
  }
}
