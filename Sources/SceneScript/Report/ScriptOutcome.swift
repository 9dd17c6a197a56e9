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

  /// The line, and the beginning of what was the matter with it.
  package var reason: String {
    let lines = message.split(separator: "\n").map(\.trimmed)
    let start = lines.first?.hasSuffix(":") == true ? lines.prefix(2) : lines.prefix(1)
    return (["\(place): \(line):"] + start).joined(separator: " ")
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
