import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneCommands
@testable import SceneScript

/// Runs scripts in this process.
enum ScriptFixture {
  static func settings() throws -> ScriptEnvironment.Settings {
    Signal.ignoreBrokenPipes()
    let programs = try #require(Directory.parent(of: try Programs.path("scened")))
    return ScriptEnvironment.Settings(
      programs: programs, environment: Environment.all, controlVerbs: .scenectl)
  }

  static func run(
    _ text: String, path: String = "a.scene",
    _ adjust: (inout ScriptEnvironment.Settings) -> Void = { _ in }
  ) throws -> ScriptOutcome {
    var settings = try settings()
    adjust(&settings)
    let plan = try ScriptPlan(
      reading: text, path: path, verbs: ScriptVerb.table(settings.controlVerbs),
      environment: settings.environment)
    return ScriptRun(plan: plan, settings: settings).outcome()
  }

  /// The failure of a script that must fail.
  static func failure(
    _ text: String, _ adjust: (inout ScriptEnvironment.Settings) -> Void = { _ in }
  ) throws -> ScriptFailure {
    try #require(try run(text, path: "a.scene", adjust).failure, "it passed: \(text)")
  }

  /// Runs a script that must pass.
  static func pass(
    _ text: String, _ adjust: (inout ScriptEnvironment.Settings) -> Void = { _ in }
  ) throws {
    let failure = try run(text, path: "a.scene", adjust).failure
    #expect(failure == nil, "\(failure?.message ?? "")")
  }
}
