/// A typed line, taken apart into words as a shell would.
///
/// `'…'`, `"…"` and `\` quote as they do in a POSIX shell; nothing is expanded. In addition, JSON
/// in braces or brackets at the start of a word, or right behind an `=`, needs no quoting: it is
/// taken as it is, spaces and quotes included, up to the bracket that closes it. A single `{` or
/// `[` at the end of the line is a plain word.
package enum Words {
  package static func split(_ line: String) throws(WordsError) -> [String] {
    try located(line).map(\.text)
  }

  /// The words with the columns they begin in.
  package static func located(_ line: String) throws(WordsError) -> [LocatedWord] {
    var splitter = Splitter(line)
    return try splitter.words()
  }
}

/// A word of a line, without its quotes.
package struct LocatedWord: Equatable, Sendable {
  package var text: String
  /// In Unicode scalars, from 1.
  package var column: Int

  package init(_ text: String, column: Int) {
    self.text = text
    self.column = column
  }
}

/// A line that cannot be taken apart.
package struct WordsError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Reason: Equatable, Sendable {
    /// The line ends within a quotation or bracket that opens here.
    case unclosed(Unicode.Scalar)
    /// This bracket closes another kind.
    case mismatched(Unicode.Scalar)
    /// Nothing follows the backslash.
    case nothingQuoted
  }

  package var reason: Reason
  /// In Unicode scalars, from 1.
  package var column: Int

  package init(_ reason: Reason, column: Int) {
    self.reason = reason
    self.column = column
  }

  package var description: String {
    switch reason {
    case .unclosed(let character):
      "the \(character) at column \(column) is never closed"
    case .mismatched(let character):
      "the \(character) at column \(column) does not close what is open there"
    case .nothingQuoted:
      "nothing follows the \\ at column \(column)"
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

  mutating func words() throws(WordsError) -> [LocatedWord] {
    var words: [LocatedWord] = []
    while true {
      while place < line.count, line[place].properties.isWhitespace { place += 1 }
      if place == line.count { return words }
      let column = place + 1
      words.append(LocatedWord(try nextWord(), column: column))
    }
  }

  private mutating func nextWord() throws(WordsError) -> String {
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

  private mutating func copySingleQuoted() throws(WordsError) {
    let start = place
    place += 1
    while place < line.count, line[place] != "'" {
      word.append(line[place])
      place += 1
    }
    if place == line.count { throw WordsError(.unclosed("'"), column: start + 1) }
    place += 1
  }

  /// Within double quotes a backslash quotes only what would mean something there.
  private mutating func copyDoubleQuoted() throws(WordsError) {
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
    if place == line.count { throw WordsError(.unclosed("\""), column: start + 1) }
    place += 1
  }

  private mutating func copyEscaped() throws(WordsError) {
    guard place + 1 < line.count else { throw WordsError(.nothingQuoted, column: place + 1) }
    word.append(line[place + 1])
    place += 2
  }

  private mutating func copyJSON() throws(WordsError) {
    if line[(place + 1)...].allSatisfy({ $0.properties.isWhitespace }) {
      word.append(line[place])
      place += 1
      return
    }
    var open: [(bracket: Unicode.Scalar, place: Int)] = []
    repeat {
      guard place < line.count else {
        let last = open[open.count - 1]
        throw WordsError(.unclosed(last.bracket), column: last.place + 1)
      }
      let character = line[place]
      switch character {
      case "{", "[":
        open.append((character, place))
      case "}", "]":
        guard open.last?.bracket == (character == "}" ? "{" : "[") else {
          throw WordsError(.mismatched(character), column: place + 1)
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

  /// Brackets within a string close nothing.
  private mutating func copyJSONString() throws(WordsError) {
    let start = place
    repeat {
      if line[place] == "\\", place + 1 < line.count {
        word.append(line[place])
        place += 1
      }
      word.append(line[place])
      place += 1
    } while place < line.count && line[place] != "\""
    if place == line.count { throw WordsError(.unclosed("\""), column: start + 1) }
    word.append("\"")
    place += 1
  }
}
