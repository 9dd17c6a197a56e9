import ScenePlatform

/// The outcome of one script.
package struct ScriptOutcome: Sendable {
  package var path: String
  /// Each section is a test with its title.
  package var sections: [TestReport.Test] = []
  /// The failure of a section.
  package private(set) var failure: ScriptFailure?
  /// The changes that make the `trace` blocks of the script pass.
  package var rewrites: [BlockRewrite] = []
  /// The directory of the script, if the settings keep it.
  package var keptDirectory: String?
  /// The path of the timeline page in the kept directory.
  package var keptPage: String?

  /// The number of runs, this one included.
  package var runCount = 1

  package var passed: Bool { failure == nil }

  mutating func fail(section index: Int, _ failure: ScriptFailure) {
    self.failure = failure
    sections[index].result = .failed(failure.reason, failure.lines)
  }
}
