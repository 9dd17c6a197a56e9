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

  @Test("there are as many as there were")
  func number() throws {
    #expect(try Self.names.get().count >= 50)
  }

  @Test(
    "one that wants something else in the end fails there, and says why", arguments: try names.get()
  )
  func spoilt(name: String) throws {
    let path = "Tests/Scripts/\(name)"
    let spoilt = try #require(
      SpoiltScript(try Repository.text(path)), "its end is neither expected nor traced")
    let outcome = try Theatre.play(spoilt.text, path: path)
    let failures = outcome.sections.compactMap { section in
      if case .failed(let failure) = section.result { failure } else { nil }
    }
    let failure = try #require(failures.first, "it passed")
    #expect(failures.count == 1 && spoilt.lines.contains(failure.place.line))
    let reasons = ["\n  no ", "\n  - ", ", not "]
    #expect(reasons.contains { failure.message.contains($0) }, "\(failure.message)")
  }
}
