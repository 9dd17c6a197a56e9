package import CommandLine

/// A script as it was written: sections of lines, and the files they use.
package struct Script: Equatable, Sendable {
  /// As it was named on the command line.
  package var path: String
  package var sections: [Section]
  package var files: [ScriptArchive.File]
  /// How many lines stand before the first file.
  package var lineCount: Int

  /// What stands below a heading.
  package struct Section: Equatable, Sendable {
    /// Without the `#`; empty for lines before the first heading.
    package var title: String
    package var line: Int
    package var lines: [Line]
  }

  /// One thing to do, or to look at.
  package struct Line: Equatable, Sendable {
    /// Of its first word, or of the `!` before that.
    package var place: ScriptPlace
    package var conditions: [LineCondition]
    /// Whether `!` stands before it.
    package var mustFail: Bool
    package var content: Content
    /// As it was written, without blanks around it.
    package var text: String

    package func place(atColumn column: Int) -> ScriptPlace {
      ScriptPlace(place.file, line: place.line, column: column)
    }
  }

  package enum Content: Equatable, Sendable {
    /// A verb, what it is about, and the block behind it.
    case command(LocatedWord, [LocatedWord], Block?)
    /// `NAME: TEXT`, a line for a client as a person would type it.
    case typed(LocatedWord, String)
  }

  /// Lines between a `{` and a `}` of its own.
  package struct Block: Equatable, Sendable {
    /// What stands between, each with its number.
    package var lines: [(number: Int, text: String)]
    /// The number of the line with the `}`; the line that opens it if it is written `{}`.
    package var end: Int
    package var isOneLine: Bool

    package static func == (one: Block, other: Block) -> Bool {
      one.end == other.end && one.isOneLine == other.isOneLine
        && one.lines.elementsEqual(other.lines, by: ==)
    }
  }
}

/// What must be so for a line to be done at all: `[linux]`, `[!env:CI]`.
package struct LineCondition: Equatable, Sendable {
  package enum Fact: Equatable, Sendable {
    case linux
    case darwin
    /// The variable is set, and not to nothing.
    case environment(String)
  }

  package var fact: Fact
  package var isNegated: Bool

  package init(_ fact: Fact, isNegated: Bool = false) {
    self.fact = fact
    self.isNegated = isNegated
  }

  package func holds(in environment: [String: String]) -> Bool {
    let isSo =
      switch fact {
      case .linux: Self.isLinux
      case .darwin: !Self.isLinux
      case .environment(let name): !environment[name, default: ""].isEmpty
      }
    return isSo != isNegated
  }

  private static var isLinux: Bool {
    #if os(Linux)
      true
    #else
      false
    #endif
  }
}
