import Testing

@testable import SceneScript

struct ScriptSuiteTests {
  @Test(
    "the progress of a suite counts scripts or runs, and names the scripts that failed",
    arguments: [
      (1, ["true"], "1 of 1 scripts"), (2, ["true", "true"], "4 of 4 runs"),
      (1, ["false", "true"], "2 of 2 scripts, 1 failed: 0.scene"),
      (1, ["false", "false"], "2 of 2 scripts, 2 failed: 0.scene, 1.scene"),
    ] as [(Int, [String], String)])
  func progress(times: Int, commands: [String], text: String) throws {
    let settings = try ScriptFixture.settings()
    let plans = try commands.enumerated().map { index, command in
      try ScriptPlan(
        reading: "exec \(command)\n", path: "tests/\(index).scene",
        verbs: ScriptVerb.table(settings.controlVerbs), environment: settings.environment)
    }
    var last: String?
    try ScriptSuite.run(plans, settings, times: times, jobs: 2, watch: { last = $0 }, { _ in })
    #expect(last == text)
  }
}
