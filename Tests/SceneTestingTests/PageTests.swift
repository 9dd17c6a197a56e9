import ScenePlatform
import SceneTestSupport
import Testing

/// The page that tells the same test four times: each is run as it stands there. The script is
/// played with the other pages' scripts.
@Suite("Testing life cycles")
struct PageTests {
  private let workplace: Workplace
  private let page: String

  init() throws {
    workplace = try Workplace()
    page = try Repository.text("Sources/SceneTesting/SceneTesting.docc/Testing-life-cycles.md")
  }

  /// The one block in a language.
  private func example(_ language: String) throws -> String {
    let blocks = page.split(separator: "```").filter { $0.hasPrefix("\(language)\n") }
    try #require(blocks.count == 1, "\(language)")
    return String(blocks[0].dropFirst(language.count + 1))
  }

  /// Runs a file with a broker around it.
  private func run(_ interpreter: String, _ text: String) throws -> Outcome {
    let programs = try #require(Directory.parent(of: try Programs.path("scened")))
    let outcome = try RunningProgram.run(
      "scened", ["--", interpreter, try workplace.write("test", text)],
      environment: [
        "TMPDIR": workplace.path, "PATH": "\(programs):\(Environment["PATH"] ?? "")",
      ])
    #expect(try Directory.list(workplace.path) == ["test"])
    return outcome
  }

  private static let interpreters = [("sh", "bash"), ("python", "python3")]

  @Test("what stands there passes", arguments: interpreters)
  func passes(language: String, interpreter: String) throws {
    let outcome = try run(interpreter, try example(language))
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output + outcome.errors == "")
  }

  @Test("what stands there can fail, and then it ends", arguments: interpreters)
  func fails(language: String, interpreter: String) throws {
    let test = try example(language)
    for (part, other) in [("reason=reclaimed", "reason=watchdog"), ("activate", "background")] {
      let broken = test.replacing("disconnect.\(part)", with: "disconnect.\(other)")
        .replacing(" \(part) packing", with: " \(other) packing")
        .replacing("\"\(part)\", \"packing\"", with: "\"\(other)\", \"packing\"")
      #expect(broken != test)
      #expect(try run(interpreter, broken).code == 1, "\(broken)")
    }
  }

  @Test("the test in Swift is the one that is built and run, also in the README")
  func swift() throws {
    let source = try Repository.text("Tests/SceneTestingTests/ReclaimTests.swift")
    #expect(try example("swift") == source)
    let test = try #require(source.split(separator: "\n\n").last)
    #expect(try Repository.text("README.md").contains(test))
  }
}
