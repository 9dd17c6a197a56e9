import ScenePlatform

/// The words that the sources declare or quote.
struct DeclaredWords: Sendable {
  /// The words of all sources, which are read once.
  static let shared = Result { try DeclaredWords() }

  /// The text of all sources without these tests.
  let text: String
  let declared: Set<String>
  private let quoted: Set<String>
  private let modules: Set<String>

  private init() throws {
    var text = ""
    var modules: Set<String> = []
    for top in ["Sources", "Tests"] {
      modules.formUnion(try Directory.list("\(SourceTree.root)/\(top)"))
      for file in try SourceTree.files(under: top, suffix: ".swift")
      where !file.hasPrefix("Tests/DocumentationTests") {
        text += try SourceTree.text(file)
      }
    }
    self.text = text
    self.modules = modules
    declared = Self.declarations(in: text)
    quoted = Self.quotations(in: text)
  }

  /// Whether a string literal in the sources is this word.
  func quotes(_ word: some StringProtocol) -> Bool { quoted.contains(String(word)) }

  func knows(_ word: String) -> Bool {
    declared.contains(word) || quoted.contains(word) || modules.contains(word)
      || Self.ofTheLanguage.contains(word)
  }

  /// Names of the language, the toolchain and the system, and a unit.
  static let ofTheLanguage: Set<String> = [
    "init", "switch", "async", "Task", "Sendable", "Set", "Dictionary", "preconditionFailure",
    "throws", "MiB", "Glibc", "Darwin", "Synchronization", "docc", "socat", "Info", "fg", "bg",
    "nohup", "man", "sudo", "compinit",
  ]

  private static let keywords: Set<String> = [
    "func", "var", "let", "case", "struct", "class", "actor", "enum", "protocol", "typealias",
    "associatedtype",
  ]

  /// The names after a keyword of a declaration.
  static func declarations(in text: String) -> Set<String> {
    var names: Set<String> = []
    var declares = false
    for word in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }) {
      if declares { names.insert(String(word)) }
      declares = keywords.contains(String(word))
    }
    return names
  }

  /// The text between two quotation marks on a line.
  private static func quotations(in text: String) -> Set<String> {
    var words: Set<String> = []
    for line in text.split(separator: "\n") where line.contains("\"") {
      let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
      for index in stride(from: 1, to: parts.count, by: 2) { words.insert(String(parts[index])) }
    }
    return words
  }
}
