import ScenePlatform
import SceneTestSupport
import Testing

/// `scripts/demo`.
struct DemoTests {
  @Test("both parts of the demo run to their end", arguments: [[], ["--handoff"]])
  func demo(part: [String]) throws {
    let script = try Repository.file("scripts/demo")
    let outcome = try RunningProgram.run(script, part + ["--programs", Programs.directory()])
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.contains("All checks passed."))
  }

  @Test("the demo refuses a directory without the programs")
  func demoOfNothing() throws {
    let workplace = try Workplace()
    let outcome = try RunningProgram.run(
      try Repository.file("scripts/demo"), ["--programs", workplace.path])
    #expect(outcome.code == 2)
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("scripts/demo: no program scened in \(workplace.path);"))
  }
}
