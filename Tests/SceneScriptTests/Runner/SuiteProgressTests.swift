import Testing

@testable import SceneScript

struct SuiteProgressTests {
  @Test(
    "the progress of a suite counts scripts or runs, and names the scripts that failed",
    arguments: [
      (false, [], "12 of 40 scripts"), (true, [], "12 of 40 runs"),
      (false, ["a.scene"], "12 of 40 scripts, 1 failed: a.scene"),
      (false, ["a.scene", "b.scene"], "12 of 40 scripts, 2 failed: a.scene, b.scene"),
    ] as [(Bool, [String], String)])
  func description(countsRuns: Bool, failed: [String], text: String) {
    let progress = SuiteProgress(countsRuns: countsRuns, endedCount: 12, count: 40, failed: failed)
    #expect(progress.description == text)
  }
}
