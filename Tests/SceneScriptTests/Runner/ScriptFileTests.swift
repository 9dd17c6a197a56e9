import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneScript

@Suite("The scripts of the package")
struct ScriptFileTests {
  private static let names = Result {
    try Directory.list(Repository.file("Tests/Scripts")).filter { $0.hasSuffix(".scene") }
  }

  @Test("a script passes", arguments: try names.get())
  func passes(name: String) throws {
    let path = "Tests/Scripts/\(name)"
    let outcome = try ScriptFixture.run(try Repository.text(path), path: path)
    #expect(outcome.passed, "\(TestReport.lines(of: outcome, from: 1))")
    #expect(outcome.sections.contains { $0.result == .passed })
  }

  @Test("there are at least 50 scripts")
  func number() throws {
    #expect(try Self.names.get().count >= 50)
  }

  @Test(
    "a script with a changed last expectation fails there and says why", arguments: try names.get()
  )
  func modified(name: String) throws {
    let path = "Tests/Scripts/\(name)"
    let modified = try #require(
      ModifiedScript(try Repository.text(path)), "its end is neither expected nor traced")
    let outcome = try ScriptFixture.run(modified.text, path: path)
    let failure = try #require(outcome.failure, "it passed")
    #expect(outcome.sections.count { !$0.passed } == 1)
    #expect(modified.lines.contains(failure.location.line))
    let reasons = ["\n  no ", "\n  - ", ", expected "]
    #expect(reasons.contains { failure.message.contains($0) }, "\(failure.message)")
  }
}
