import ScenePlatform

/// A failed line, with the last events before the failure.
package struct ScriptFailure: Equatable, Sendable {
  package var location: ScriptLocation
  /// As in the script.
  package var line: String
  package var message: String
  /// The last rows of the timeline.
  package var timeline: [String]

  /// The location, the line and the first sentence of the message.
  package var reason: String {
    let lines = message.split(separator: "\n").map(\.trimmed)
    let start = lines.first?.hasSuffix(":") == true ? lines.prefix(2) : lines.prefix(1)
    return (["\(location): \(line):"] + start).joined(separator: " ")
  }

  /// The location, the line and the message.
  package var explanation: [String] {
    let message = message.split(separator: "\n", omittingEmptySubsequences: false)
    return ["\(location): \(line)"] + message.map(String.init)
  }

  /// The complete report, one element for each line, with control characters escaped.
  package var lines: [String] {
    var lines = explanation
    if !timeline.isEmpty { lines += ["last events:"] + timeline.map { "  " + $0 } }
    let word = "\(location.file):\(location.line)".shellWord
    lines.append("to reproduce: scenectl test \(word)")
    return lines
  }
}
