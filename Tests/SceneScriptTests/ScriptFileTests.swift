import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneScript
@testable import scenectl

/// What scripts are played with in tests.
enum Theatre {
  static func settings() throws -> Stage.Settings {
    Signal.ignoreBrokenPipes()
    let programs = try #require(Directory.parent(of: try Programs.path("scened")))
    return Stage.Settings(programs: programs, environment: Environment.all, hand: .scenectl)
  }

  static func play(
    _ text: String, path: String = "a.scene", _ adjust: (inout Stage.Settings) -> Void = { _ in }
  ) throws -> ScriptOutcome {
    var settings = try settings()
    adjust(&settings)
    let plan = try ScriptPlan(
      reading: text, path: path, verbs: ScriptVerb.table(settings.hand),
      environment: settings.environment)
    return ScriptRun(plan, settings).outcome()
  }
}

@Suite("The scripts of the package")
struct ScriptFileTests {
  private static let names = Result {
    try Directory.list(Repository.file("Tests/Scripts")).filter { $0.hasSuffix(".scene") }
  }

  @Test("a script passes", arguments: try names.get())
  func passes(name: String) throws {
    let path = "Tests/Scripts/\(name)"
    let outcome = try Theatre.play(try Repository.text(path), path: path)
    #expect(outcome.passed, "\(TestReport.lines(of: outcome, from: 1))")
    #expect(outcome.sections.contains { $0.result == .passed })
  }
}
