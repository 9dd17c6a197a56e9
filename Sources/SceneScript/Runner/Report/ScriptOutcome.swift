import ScenePlatform

/// The outcome of one script.
package struct ScriptOutcome: Sendable {
  package var path: String
  package var sections: [SectionOutcome] = []
  /// The changes that make the `trace` blocks of the script pass.
  package var rewrites: [BlockRewrite] = []
  /// The directory of the script, if the settings keep it.
  package var keptDirectory: String?
  /// The path of the timeline page in the kept directory.
  package var keptPage: String?

  /// The number of runs, this one included.
  package var runCount = 1

  /// The first failure.
  package var failure: ScriptFailure? {
    sections.lazy.compactMap { section in
      if case .failed(let failure) = section.result { failure } else { nil }
    }.first
  }

  package var passed: Bool { failure == nil }
}
