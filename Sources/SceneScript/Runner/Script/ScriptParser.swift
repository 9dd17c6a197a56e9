import SceneCommandLine
import ScenePlatform

extension Script {
  /// Parses a script, and collects the errors of all lines.
  static func reading(_ text: String, path: String) -> (script: Script, errors: [ScriptError]) {
    // Some editors write a byte order mark before the first line.
    let archive = ScriptArchive(
      text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text)
    var parser = ScriptParser(archive.lines, path: path)
    parser.parse()
    let script = Script(
      path: path, sections: parser.sections.filter { !$0.lines.isEmpty }, files: archive.files,
      lineCount: archive.lines.count)
    return (script, parser.errors + archive.errors(in: path))
  }
}

private struct ScriptParser {
  private let lines: [String]
  private let path: String
  /// The index of the next line.
  private var next = 0
  private(set) var sections: [Script.Section]
  private(set) var errors: [ScriptError] = []
  /// Whether the previous line was a heading.
  private var isInHeading = false

  init(_ lines: [String], path: String) {
    self.lines = lines
    self.path = path
    sections = [Script.Section(title: "", line: 1, lines: [])]
  }

  mutating func parse() {
    while next < lines.count {
      let number = next + 1
      let text = lines[next].trimmed
      next += 1
      if text.hasPrefix("#") {
        addHeading(String(text.dropFirst().drop { $0 == "#" }).trimmed, at: number)
        continue
      }
      isInHeading = false
      guard !text.isEmpty else { continue }
      do throws(ScriptError) {
        let line = try line(number, text)
        sections[sections.count - 1].lines.append(line)
      } catch {
        errors.append(error)
      }
    }
  }

  /// The first line of a heading is the title; the other lines are comments.
  private mutating func addHeading(_ title: String, at number: Int) {
    if !isInHeading { sections.append(Script.Section(title: title, line: number, lines: [])) }
    isInHeading = true
  }

  private mutating func line(_ number: Int, _ text: String) throws(ScriptError) -> Script.Line {
    var rest = LineRest(lines[number - 1], location: ScriptLocation(file: path, line: number))
    try rest.checkCharacters()
    let conditions = try rest.takeConditions()
    let location = rest.location
    let mustFail = rest.takeMark()
    if rest.text.isEmpty {
      throw rest.error("expected a verb after \(mustFail ? "!" : "the condition")")
    }
    let content: Script.Content
    if let (name, speech) = rest.takeSpeech() {
      if speech.isEmpty { throw rest.error("expected the text to type at \(name.text)") }
      content = .typed(name, speech)
    } else {
      var words = try rest.words()
      try rest.checkComments(words)
      let block = rest.opensBlock(words) ? try block(endingLine: number, &words) : nil
      content = .command(words[0], Array(words.dropFirst()), block)
    }
    return Script.Line(
      location: location, conditions: conditions, mustFail: mustFail, content: content, text: text)
  }

  /// Removes the `{` from the words, and reads the lines up to the `}`.
  private mutating func block(
    endingLine number: Int, _ words: inout [LocatedWord]
  ) throws(ScriptError) -> Script.Block {
    let last = words.removeLast()
    if last.text == "{}" { return Script.Block(lines: [], end: number, isOneLine: true) }
    var content: [(Int, String)] = []
    while next < lines.count {
      let text = lines[next].trimmed
      next += 1
      if text == "}" { return Script.Block(lines: content, end: next, isOneLine: false) }
      if !text.isEmpty, !text.hasPrefix("#") { content.append((next, lines[next - 1])) }
    }
    throw ScriptError(
      ScriptLocation(file: path, line: number, column: last.column),
      "unclosed {: expected a } on its own line")
  }
}

/// The unread rest of a line.
private struct LineRest {
  private let scalars: [Unicode.Scalar]
  private var index = 0
  private let start: ScriptLocation

  init(_ line: String, location: ScriptLocation) {
    scalars = Array(line.unicodeScalars)
    start = location
    skipBlanks()
  }

  /// The location of the rest.
  var location: ScriptLocation { location(at: index + 1) }

  private func location(at column: Int) -> ScriptLocation {
    ScriptLocation(file: start.file, line: start.line, column: column)
  }

  /// An error at a column, by default at the rest.
  func error(_ message: String, at column: Int? = nil) -> ScriptError {
    ScriptError(location(at: column ?? index + 1), message)
  }

  var text: String { string(scalars[index...]) }

  private func string(_ part: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: part)
    return String(view)
  }

  private mutating func skipBlanks() {
    while index < scalars.count, scalars[index].properties.isWhitespace { index += 1 }
  }

  mutating func takeConditions() throws(ScriptError) -> [LineCondition] {
    var conditions: [LineCondition] = []
    while index < scalars.count, scalars[index] == "[" {
      guard let end = scalars[index...].firstIndex(of: "]") else {
        throw error("unclosed [: expected a condition such as [linux]")
      }
      let text = string(scalars[(index + 1)..<end])
      guard let condition = LineCondition(text) else {
        throw error("unknown condition [\(text)]: expected [!]linux, [!]darwin or [!]env:NAME")
      }
      conditions.append(condition)
      index = end + 1
      skipBlanks()
    }
    return conditions
  }

  /// Takes a separate `!`.
  mutating func takeMark() -> Bool {
    guard index < scalars.count, scalars[index] == "!" else { return false }
    let isAlone = index + 1 == scalars.count || scalars[index + 1].properties.isWhitespace
    guard isAlone else { return false }
    index += 1
    skipBlanks()
    return true
  }

  /// Takes a name with a colon, and the text behind the colon.
  mutating func takeSpeech() -> (name: LocatedWord, speech: String)? {
    let end =
      scalars[index...].firstIndex { $0.properties.isWhitespace } ?? scalars.count
    guard end - index > 1, scalars[end - 1] == ":" else { return nil }
    let name = LocatedWord(string(scalars[index..<(end - 1)]), column: index + 1)
    index = end
    skipBlanks()
    return (name, text.trimmed)
  }

  /// A command line cannot contain a NUL character.
  func checkCharacters() throws(ScriptError) {
    guard let index = scalars.firstIndex(of: "\0") else { return }
    throw error("a line must not contain a NUL character", at: index + 1)
  }

  /// A word that begins with `#` is probably meant as a comment.
  func checkComments(_ words: [LocatedWord]) throws(ScriptError) {
    guard let word = words.first(where: { scalars[$0.column - 1] == "#" }) else { return }
    throw error(
      "a comment must be on its own line; quote a word that begins with #", at: word.column)
  }

  /// Whether the last word is an unquoted `{` or `{}`, and not the only word.
  func opensBlock(_ words: [LocatedWord]) -> Bool {
    guard words.count > 1, let last = words.last, ["{", "{}"].contains(last.text) else {
      return false
    }
    return scalars[last.column - 1] == "{"
  }

  func words() throws(ScriptError) -> [LocatedWord] {
    do throws(ShellWordsError) {
      return try ShellWords.located(text).map { LocatedWord($0.text, column: $0.column + index) }
    } catch {
      var problem = error
      problem.column += index
      throw self.error(problem.description, at: problem.column)
    }
  }
}
