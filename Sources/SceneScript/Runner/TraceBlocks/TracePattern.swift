import SceneCommandLine
import SceneControl
import SceneJSON
import SceneModel
import ScenePlatform

/// A line of a `trace` block: `CALLBACK [PATH=VALUE]…`, `posted [PATH=VALUE]…`, or `...` for any
/// callbacks.
struct TracePattern: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    /// A name and its conditions.
    case callback(String, Condition)
    case anything
  }

  let kind: Kind
  /// Whether `~` stands before the line. Neighboring lines with `~` match in any order.
  let isUnordered: Bool
  /// The trimmed text, and its line in the script.
  let text: String
  let line: Int

  /// Parses a line of a block.
  init(_ line: String, at location: ScriptLocation) throws(ScriptError) {
    text = line.trimmed
    self.line = location.line
    var words = try Self.words(of: line, at: location)
    var isUnordered = false
    if let first = words.first, first.text.hasPrefix("~") {
      isUnordered = true
      words[0] = LocatedWord(String(first.text.dropFirst()), column: first.column + 1)
      if words[0].text.isEmpty { words.removeFirst() }
    }
    self.isUnordered = isUnordered
    guard let first = words.first else {
      throw ScriptError(location, "expected a callback after ~")
    }
    if first.text == "..." {
      guard words.count == 1, !isUnordered else {
        throw ScriptError(location, "expected ... alone on its line")
      }
      kind = .anything
    } else {
      kind = .callback(first.text, try Self.condition(words, at: location))
    }
  }

  private static func words(
    of line: String, at location: ScriptLocation
  ) throws(ScriptError) -> [LocatedWord] {
    do throws(ShellWordsError) {
      return try ShellWords.located(line)
    } catch {
      var location = location
      location.column = error.column
      throw ScriptError(location, error.description)
    }
  }

  /// A condition for a callback has the syntax of a condition for a session.
  private static func condition(
    _ words: [LocatedWord], at location: ScriptLocation
  ) throws(ScriptError) -> Condition {
    var location = location
    location.column = words[0].column
    let names = ObservedCallback.names
    guard names.contains(words[0].text) else {
      throw ScriptError(
        location, ObservedCallback.problem(withUnknown: words[0].text, among: names))
    }
    var requirements: [Condition.Requirement] = []
    for word in words.dropFirst() {
      location.column = word.column
      if word.text.hasPrefix("#") {
        throw ScriptError(location, "a comment must be on its own line")
      }
      let read = try? Condition(words: [words[0].text, word.text]).requirements
      guard case .value? = read?.first, let read else {
        throw ScriptError(location, "expected PATH=VALUE, found \"\(word.text)\"")
      }
      requirements += read
    }
    return Condition(.session(words[0].text), requirements)
  }

  /// The patterns of the lines of a block.
  static func patterns(
    in lines: [(number: Int, text: String)], of file: String
  ) throws(ScriptError) -> [TracePattern] {
    var patterns: [TracePattern] = []
    for (number, text) in lines {
      patterns.append(try TracePattern(text, at: ScriptLocation(file: file, line: number)))
    }
    return patterns
  }

  // MARK: - Matching

  /// Nil for `...`.
  var name: String? {
    if case .callback(let name, _) = kind { name } else { nil }
  }

  /// Whether the name matches and all conditions hold.
  func matches(_ name: String, _ observed: JSONValue) -> Bool {
    guard case .callback(name, let condition) = kind else { return false }
    return condition.outcome(for: observed).holds
  }

  /// The line that would match the callback, with the same paths.
  func line(for observed: ObservedCallback) -> String {
    guard case .callback(_, let condition) = kind else { return observed.line() }
    let paths = condition.requirements.compactMap { requirement -> ValuePath? in
      if case .value(let path, _, _) = requirement { path } else { nil }
    }
    return (isUnordered ? "~ " : "") + observed.line(with: paths)
  }
}
