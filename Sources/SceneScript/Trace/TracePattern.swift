import CommandLine
import JSON
import SceneControl
import SceneModel

/// A line of a `trace` block: `CALLBACK [PATH=VALUE]…`, `posted [PATH=VALUE]…`, or `...` for whatever happens there.
struct TracePattern: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    /// The callback, and what must hold of it.
    case callback(String, Condition)
    case anything
  }

  let kind: Kind
  /// Whether `~` stands before it: with its neighbours that have one it comes in any order.
  let isLoose: Bool
  /// As it was written, without blanks around it, and on which line of the script.
  let text: String
  let line: Int

  /// Reads a line of the block; nil for one with nothing on it.
  init(_ line: String, at place: ScriptPlace) throws(ScriptFlaw) {
    text = line.trimmed
    self.line = place.line
    var words = try Self.words(of: line, at: place)
    var isLoose = false
    if let first = words.first, first.text.hasPrefix("~") {
      isLoose = true
      words[0] = LocatedWord(String(first.text.dropFirst()), column: first.column + 1)
      if words[0].text.isEmpty { words.removeFirst() }
    }
    self.isLoose = isLoose
    guard let first = words.first else {
      throw ScriptFlaw(place, "expected a callback behind the ~")
    }
    if first.text == "..." {
      guard words.count == 1, !isLoose else {
        throw ScriptFlaw(place, "expected ... alone on its line")
      }
      kind = .anything
    } else {
      kind = .callback(first.text, try Self.condition(words, at: place))
    }
  }

  private static func words(
    of line: String, at place: ScriptPlace
  ) throws(ScriptFlaw) -> [LocatedWord] {
    do throws(WordsError) {
      return try Words.located(line)
    } catch {
      var place = place
      place.column = error.column
      throw ScriptFlaw(place, error.description)
    }
  }

  /// What holds of a callback is said as it is of a session.
  private static func condition(
    _ words: [LocatedWord], at place: ScriptPlace
  ) throws(ScriptFlaw) -> Condition {
    var place = place
    place.column = words[0].column
    let names = ToldCallback.names
    guard names.contains(words[0].text) else {
      let advice = suggestion(for: words[0].text, among: names)
      throw ScriptFlaw(
        place,
        "there is no callback \(words[0].text)"
          + (advice.isEmpty ? ": expected one of \(names.joined(separator: ", "))" : advice))
    }
    var requirements: [Condition.Requirement] = []
    for word in words.dropFirst() {
      place.column = word.column
      if word.text.hasPrefix("#") { throw ScriptFlaw(place, "a comment has a line of its own") }
      let read = try? Condition(words: [words[0].text, word.text]).requirements
      guard case .value? = read?.first, let read else {
        throw ScriptFlaw(place, "expected PATH=VALUE, found \"\(word.text)\"")
      }
      requirements += read
    }
    return Condition(.session(words[0].text), requirements)
  }

  // MARK: - Looking

  /// Of the callback that it is about; nil for `...`.
  var name: String? {
    if case .callback(let name, _) = kind { name } else { nil }
  }

  /// Whether it is about a callback of this name, and all that it says holds of it.
  func matches(_ name: String, _ told: JSONValue) -> Bool {
    guard case .callback(name, let condition) = kind else { return false }
    return condition.outcome(for: told).holds
  }

  /// The line that would have matched, with the same said of what was told.
  func line(for told: ToldCallback) -> String {
    guard case .callback(_, let condition) = kind else { return told.line() }
    let paths = condition.requirements.compactMap { requirement -> ValuePath? in
      if case .value(let path, _, _) = requirement { path } else { nil }
    }
    return (isLoose ? "~ " : "") + told.line(with: paths)
  }
}
