/// Splits a line into words as a shell does.
///
/// `'…'`, `"…"` and `\` quote as in a POSIX shell; nothing is expanded. JSON in braces or brackets
/// needs no quotes at the start of a word or after an `=`. Such a JSON text extends to its closing
/// bracket, with spaces and quotes. A single `{` or `[` at the end of the line is a plain word.
package enum ShellWords {
  package static func split(_ line: String) throws(ShellWordsError) -> [String] {
    try located(line).map(\.text)
  }

  /// The words with their start columns.
  package static func located(_ line: String) throws(ShellWordsError) -> [LocatedWord] {
    var splitter = Splitter(line)
    return try splitter.words()
  }
}

/// A word of a line, without its quotes.
package struct LocatedWord: Equatable, Sendable {
  package var text: String
  /// The column in Unicode scalars, from 1.
  package var column: Int

  package init(_ text: String, column: Int) {
    self.text = text
    self.column = column
  }
}

/// A syntax error of a line.
package struct ShellWordsError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Reason: Equatable, Sendable {
    /// The line ends inside a quotation or bracket that opens here.
    case unclosed(Unicode.Scalar)
    /// The bracket does not match the open bracket.
    case mismatched(Unicode.Scalar)
    /// Nothing follows the backslash.
    case nothingQuoted
  }

  package var reason: Reason
  /// The column in Unicode scalars, from 1.
  package var column: Int

  package var description: String {
    switch reason {
    case .unclosed(let character):
      "unclosed \(character) at column \(column)"
    case .mismatched(let character):
      "the \(character) at column \(column) matches no open bracket"
    case .nothingQuoted:
      "no character follows the \\ at column \(column)"
    }
  }
}

private struct Splitter {
  private let line: [Unicode.Scalar]
  private var place = 0
  private var word = String.UnicodeScalarView()

  init(_ line: String) {
    self.line = Array(line.unicodeScalars)
  }

  mutating func words() throws(ShellWordsError) -> [LocatedWord] {
    var words: [LocatedWord] = []
    while true {
      while place < line.count, line[place].properties.isWhitespace { place += 1 }
      if place == line.count { return words }
      let column = place + 1
      words.append(LocatedWord(try nextWord(), column: column))
    }
  }

  private mutating func nextWord() throws(ShellWordsError) -> String {
    word.removeAll()
    var mayBeJSON = true
    while place < line.count, !line[place].properties.isWhitespace {
      let character = line[place]
      switch character {
      case "'": try copySingleQuoted()
      case "\"": try copyDoubleQuoted()
      case "\\": try copyEscaped()
      case "{" where mayBeJSON, "[" where mayBeJSON: try copyJSON()
      default:
        word.append(character)
        place += 1
      }
      mayBeJSON = character == "="
    }
    return String(word)
  }

  private mutating func copySingleQuoted() throws(ShellWordsError) {
    let start = place
    place += 1
    while place < line.count, line[place] != "'" {
      word.append(line[place])
      place += 1
    }
    if place == line.count { throw ShellWordsError(reason: .unclosed("'"), column: start + 1) }
    place += 1
  }

  /// In double quotes, a backslash quotes only `"`, `\`, `$` and a backtick.
  private mutating func copyDoubleQuoted() throws(ShellWordsError) {
    let start = place
    place += 1
    while place < line.count, line[place] != "\"" {
      if line[place] == "\\", place + 1 < line.count,
        "\"\\$`".unicodeScalars.contains(line[place + 1])
      {
        place += 1
      }
      word.append(line[place])
      place += 1
    }
    if place == line.count { throw ShellWordsError(reason: .unclosed("\""), column: start + 1) }
    place += 1
  }

  private mutating func copyEscaped() throws(ShellWordsError) {
    guard place + 1 < line.count else {
      throw ShellWordsError(reason: .nothingQuoted, column: place + 1)
    }
    word.append(line[place + 1])
    place += 2
  }

  private mutating func copyJSON() throws(ShellWordsError) {
    if line[(place + 1)...].allSatisfy({ $0.properties.isWhitespace }) {
      word.append(line[place])
      place += 1
      return
    }
    var open: [(bracket: Unicode.Scalar, place: Int)] = []
    repeat {
      guard place < line.count else {
        let last = open[open.count - 1]
        throw ShellWordsError(reason: .unclosed(last.bracket), column: last.place + 1)
      }
      let character = line[place]
      switch character {
      case "{", "[":
        open.append((character, place))
      case "}", "]":
        guard open.last?.bracket == (character == "}" ? "{" : "[") else {
          throw ShellWordsError(reason: .mismatched(character), column: place + 1)
        }
        open.removeLast()
      case "\"":
        try copyJSONString()
        continue
      default:
        break
      }
      word.append(character)
      place += 1
    } while !open.isEmpty
  }

  /// Ignores brackets within a JSON string.
  private mutating func copyJSONString() throws(ShellWordsError) {
    let start = place
    repeat {
      if line[place] == "\\", place + 1 < line.count {
        word.append(line[place])
        place += 1
      }
      word.append(line[place])
      place += 1
    } while place < line.count && line[place] != "\""
    if place == line.count { throw ShellWordsError(reason: .unclosed("\""), column: start + 1) }
    word.append("\"")
    place += 1
  }
}
