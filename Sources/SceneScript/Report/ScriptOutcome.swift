import ScenePlatform

/// What came of a script.
package struct ScriptOutcome: Sendable {
  package var path: String
  package var sections: [SectionOutcome] = []
  /// What the blocks of the script would have to say instead.
  package var rewrites: [BlockRewrite] = []
  /// The stage's directory, where that was kept.
  package var keptDirectory: String?
  /// The page in it that shows what happened.
  package var keptPage: String?

  /// How often it was played up to this outcome.
  package var plays = 1

  /// The first there is.
  package var failure: ScriptFailure? {
    sections.lazy.compactMap { section in
      if case .failed(let failure) = section.result { failure } else { nil }
    }.first
  }

  package var passed: Bool {
    sections.allSatisfy { $0.result == .passed || $0.result == .leftOut }
  }
}

/// What came of one section of a script.
package struct SectionOutcome: Sendable {
  package enum Result: Equatable, Sendable {
    case passed
    case failed(ScriptFailure)
    /// A section before it failed.
    case notReached
    /// No line's condition holds here.
    case leftOut
  }

  package var title: String
  package var result: Result
  package var nanoseconds: Int64 = 0
}

/// Why a line failed, and what a person needs to see why.
package struct ScriptFailure: Equatable, Sendable {
  package var place: ScriptPlace
  /// The line as it was written.
  package var line: String
  package var message: String
  /// The end of what happened, drawn.
  package var timeline: [String]

  /// In a line.
  package var reason: String {
    let first = message.prefix { !$0.isNewline }
    return "\(place): \(first.hasSuffix(":") ? first.dropLast() : first)"
  }

  /// The line, and what was the matter.
  package var explanation: [String] {
    let message = message.split(separator: "\n", omittingEmptySubsequences: false)
    return ["\(place): \(line)"] + message.map(String.init)
  }

  /// All of it, line by line and safe to show.
  package var lines: [String] {
    var lines = explanation
    if !timeline.isEmpty { lines += ["what happened last:"] + timeline.map { "  " + $0 } }
    let word = "\(place.file):\(place.line)".shellWord
    lines.append("once more, up to this line: scenectl test \(word)")
    return lines
  }
}
