package import SceneCommandLine

/// A parsed script: sections of lines, and the script's files.
package struct Script: Equatable, Sendable {
  /// As on the command line.
  package var path: String
  package var sections: [Section]
  package var files: [ScriptArchive.File]
  /// The number of lines before the first file.
  package var lineCount: Int

  /// The lines below a heading.
  package struct Section: Equatable, Sendable {
    /// Without the `#`; empty for lines before the first heading.
    package var title: String
    package var line: Int
    package var lines: [Line]
  }

  /// A line with a command or with text for a client.
  package struct Line: Equatable, Sendable {
    /// The location of the first word, or of the `!` before that word.
    package var location: ScriptLocation
    package var conditions: [LineCondition]
    /// Whether `!` stands before the line.
    package var mustFail: Bool
    package var content: Content
    /// As in the script, trimmed.
    package var text: String

    package func location(atColumn column: Int) -> ScriptLocation {
      ScriptLocation(file: location.file, line: location.line, column: column)
    }
  }

  package enum Content: Equatable, Sendable {
    /// A verb, its words, and the block behind them.
    case command(LocatedWord, [LocatedWord], Block?)
    /// `NAME: TEXT`, a line that is typed at a client.
    case typed(LocatedWord, String)
  }

  /// The lines between a `{` and a `}`.
  package struct Block: Equatable, Sendable {
    /// Each line with its line number.
    package var lines: [(number: Int, text: String)]
    /// The number of the line with the `}`, which is the first line for `{}`.
    package var end: Int
    package var isOneLine: Bool

    package static func == (one: Block, other: Block) -> Bool {
      one.end == other.end && one.isOneLine == other.isOneLine
        && one.lines.elementsEqual(other.lines, by: ==)
    }
  }
}
