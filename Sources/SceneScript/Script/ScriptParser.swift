import CommandLine

extension Script {
  /// Reads a script as far as it can be read, and tells what is wrong with the rest.
  static func reading(_ text: String, path: String) -> (script: Script, flaws: [ScriptFlaw]) {
    // An editor may have put a mark of its own before the first line.
    let archive = ScriptArchive(
      text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text)
    var parser = ScriptParser(archive.lines, path: path)
    parser.parse()
    let script = Script(
      path: path, sections: parser.sections.filter { !$0.lines.isEmpty }, files: archive.files,
      lineCount: archive.lines.count)
    return (script, parser.flaws + archive.flaws(in: path))
  }
}

private struct ScriptParser {
  private let lines: [String]
  private let path: String
  /// The index of the line to be read next.
  private var next = 0
  private(set) var sections: [Script.Section]
  private(set) var flaws: [ScriptFlaw] = []
  /// Whether the line before was a heading, too.
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
      do throws(ScriptFlaw) {
        let line = try line(number, text)
        sections[sections.count - 1].lines.append(line)
      } catch {
        flaws.append(error)
      }
    }
  }

  /// Of several lines of a heading the first is the title; what follows explains it.
  private mutating func addHeading(_ title: String, at number: Int) {
    if !isInHeading { sections.append(Script.Section(title: title, line: number, lines: [])) }
    isInHeading = true
  }

  private mutating func line(_ number: Int, _ text: String) throws(ScriptFlaw) -> Script.Line {
    var rest = LineRest(lines[number - 1], place: ScriptPlace(path, line: number))
    try rest.checkCharacters()
    let conditions = try rest.takeConditions()
    let place = rest.place
    let mustFail = rest.takeMark()
    if rest.text.isEmpty {
      throw ScriptFlaw(
        rest.place, "expected a verb \(mustFail ? "behind !" : "behind the condition")")
    }
    if let (name, speech) = rest.takeSpeech() {
      if speech.isEmpty {
        throw ScriptFlaw(rest.place, "expected what is typed at \(name.text)")
      }
      return Script.Line(
        place: place, conditions: conditions, mustFail: mustFail,
        content: .typed(name, speech), text: text)
    }
    var words = try rest.words()
    try rest.checkComments(words)
    let block = rest.opensBlock(words) ? try block(endingLine: number, &words) : nil
    return Script.Line(
      place: place, conditions: conditions, mustFail: mustFail,
      content: .command(words[0], Array(words.dropFirst()), block), text: text)
  }

  /// Takes the `{` at the end of a line, and the lines up to the `}`.
  private mutating func block(
    endingLine number: Int, _ words: inout [LocatedWord]
  ) throws(ScriptFlaw) -> Script.Block {
    let last = words.removeLast()
    if last.text == "{}" { return Script.Block(lines: [], end: number, isOneLine: true) }
    var content: [(Int, String)] = []
    while next < lines.count {
      let text = lines[next].trimmed
      next += 1
      if text == "}" { return Script.Block(lines: content, end: next, isOneLine: false) }
      if !text.isEmpty, !text.hasPrefix("#") { content.append((next, lines[next - 1])) }
    }
    throw ScriptFlaw(
      ScriptPlace(path, line: number, column: last.column),
      "the { is never closed: expected a } on a line of its own")
  }
}

/// What is left of a line while it is read from the left.
private struct LineRest {
  private let scalars: [Unicode.Scalar]
  private var index = 0
  private let start: ScriptPlace

  init(_ line: String, place: ScriptPlace) {
    scalars = Array(line.unicodeScalars)
    start = place
    skipBlanks()
  }

  var place: ScriptPlace { ScriptPlace(start.file, line: start.line, column: index + 1) }

  var text: String { string(scalars[index...]) }

  private func string(_ part: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: part)
    return String(view)
  }

  private mutating func skipBlanks() {
    while index < scalars.count, scalars[index].properties.isWhitespace { index += 1 }
  }

  mutating func takeConditions() throws(ScriptFlaw) -> [LineCondition] {
    var conditions: [LineCondition] = []
    while index < scalars.count, scalars[index] == "[" {
      guard let end = scalars[index...].firstIndex(of: "]") else {
        throw ScriptFlaw(place, "the [ is never closed: expected a condition such as [linux]")
      }
      let text = string(scalars[(index + 1)..<end])
      guard let condition = LineCondition(text) else {
        throw ScriptFlaw(
          place,
          "[\(text)] is no condition: expected linux, darwin or env:NAME, or one with ! before it")
      }
      conditions.append(condition)
      index = end + 1
      skipBlanks()
    }
    return conditions
  }

  /// Takes a `!` that stands alone.
  mutating func takeMark() -> Bool {
    guard index < scalars.count, scalars[index] == "!" else { return false }
    let isAlone = index + 1 == scalars.count || scalars[index + 1].properties.isWhitespace
    guard isAlone else { return false }
    index += 1
    skipBlanks()
    return true
  }

  /// Takes a name with a colon at its end, and what is said to it.
  mutating func takeSpeech() -> (name: LocatedWord, speech: String)? {
    let end =
      scalars[index...].firstIndex { $0.properties.isWhitespace } ?? scalars.count
    guard end - index > 1, scalars[end - 1] == ":" else { return nil }
    let name = LocatedWord(string(scalars[index..<(end - 1)]), column: index + 1)
    index = end
    skipBlanks()
    return (name, text.trimmed)
  }

  /// No command can be told what has a NUL in it.
  func checkCharacters() throws(ScriptFlaw) {
    guard let index = scalars.firstIndex(of: "\0") else { return }
    throw ScriptFlaw(
      ScriptPlace(start.file, line: start.line, column: index + 1),
      "there is a NUL character here, which can stand in no line")
  }

  /// What a shell would take for a comment is hardly a word.
  func checkComments(_ words: [LocatedWord]) throws(ScriptFlaw) {
    guard let word = words.first(where: { scalars[$0.column - 1] == "#" }) else { return }
    throw ScriptFlaw(
      ScriptPlace(start.file, line: start.line, column: word.column),
      "a comment has a line of its own; a word that begins with # has quotes around it")
  }

  /// Whether the last of several words is a `{` or `{}`, and no quotes are around it.
  func opensBlock(_ words: [LocatedWord]) -> Bool {
    guard words.count > 1, let last = words.last, ["{", "{}"].contains(last.text) else {
      return false
    }
    return scalars[last.column - 1] == "{"
  }

  func words() throws(ScriptFlaw) -> [LocatedWord] {
    do throws(WordsError) {
      return try Words.located(text).map { LocatedWord($0.text, column: $0.column + index) }
    } catch {
      var problem = error
      problem.column += index
      throw ScriptFlaw(
        ScriptPlace(start.file, line: start.line, column: problem.column), problem.description)
    }
  }
}

extension LineCondition {
  /// What stands between brackets.
  fileprivate init?(_ text: String) {
    isNegated = text.hasPrefix("!")
    let name = isNegated ? String(text.dropFirst()) : text
    if name == "linux" {
      fact = .linux
    } else if name == "darwin" {
      fact = .darwin
    } else if name.hasPrefix("env:"), name.count > 4 {
      fact = .environment(String(name.dropFirst(4)))
    } else {
      return nil
    }
  }
}

extension StringProtocol {
  /// Without blanks around it.
  var trimmed: String {
    var text = Substring(self)
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
