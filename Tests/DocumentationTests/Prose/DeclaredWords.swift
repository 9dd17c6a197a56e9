import ScenePlatform

/// The words that the sources declare or quote.
struct DeclaredWords: Sendable {
  /// All sources are read once.
  static let shared = Result { try DeclaredWords() }

  /// The text of all sources except these tests.
  let text: String
  let declared: Set<String>
  /// The functions, initializers and cases with their labels, such as `flush(readRest:_:)`.
  let signatures: Set<String>
  /// For each type, what the files declare that declare or extend the type.
  private let members: [String: Set<String>]
  private let quoted: Set<String>
  private let modules: Set<String>

  private init() throws {
    var text = ""
    var modules: Set<String> = []
    var members: [String: Set<String>] = [:]
    for top in ["Sources", "Tests"] {
      modules.formUnion(try Directory.list("\(SourceTree.root)/\(top)"))
      for file in try SourceTree.files(under: top, suffix: ".swift")
      where !file.hasPrefix("Tests/DocumentationTests") {
        let source = try SourceTree.text(file)
        text += source
        let names = Self.declarations(in: source)
        for match in source.matches(of: /(?:struct|class|actor|enum|protocol|extension) ([\w.]+)/) {
          for type in match.1.split(separator: ".") {
            members[String(type), default: []].formUnion(names)
          }
        }
      }
    }
    self.text = text
    self.modules = modules
    self.members = members
    declared = Self.declarations(in: text)
    signatures = Self.signatures(in: text)
    quoted = Self.quotations(in: text + (try SourceTree.text("Package.swift")))
  }

  /// Whether a text between two quotes is this word.
  func quotes(_ word: some StringProtocol) -> Bool { quoted.contains(String(word)) }

  func knows(_ word: String) -> Bool {
    declared.contains(word) || quoted.contains(word) || modules.contains(word)
      || Self.ofTheLanguage.contains(word)
  }

  /// The first part of a dotted name that is no member of the type before it.
  func unknownMember(in parts: [String]) -> String? {
    zip(parts, parts.dropFirst()).first { type, member in
      guard !modules.contains(type), let members = members[type], member != "swift" else {
        return false
      }
      return !members.contains(member) && !Self.ofTheLanguage.contains(member)
    }
    .map { "\($0).\($1)" }
  }

  /// Names of the language, the toolchain and the system, and a unit.
  static let ofTheLanguage: Set<String> = [
    "init", "switch", "async", "Task", "Sendable", "Set", "Dictionary", "preconditionFailure",
    "throws", "MiB", "Glibc", "Darwin", "Synchronization", "docc", "socat", "Info", "fg", "bg",
    "nohup", "man", "sudo", "compinit", "SendableMetatype", "withThrowingTaskGroup", "cancelAll",
    "sleep", "await",
  ]

  private static let keywords: Set<String> = [
    "func", "var", "let", "case", "struct", "class", "actor", "enum", "protocol", "typealias",
    "associatedtype",
  ]

  /// The words after the keywords of declarations.
  static func declarations(in text: String) -> Set<String> {
    var names: Set<String> = []
    var declares = false
    for word in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }) {
      if declares { names.insert(String(word)) }
      declares = keywords.contains(String(word))
    }
    return names
  }

  /// The names of functions with the labels of their parameters.
  private static func signatures(in text: String) -> Set<String> {
    var found: Set<String> = []
    let lines = text.split(separator: "\n")
    let starts = ["func ", "init", "case "]
    for (number, line) in lines.enumerated() {
      guard let start = starts.lazy.compactMap({ line.firstRange(of: $0) }).first,
        let opening = line[start.lowerBound...].firstIndex(of: "(")
      else { continue }
      let name = line[start.lowerBound..<opening].split { $0 == " " || $0 == "<" || $0 == "?" }
      guard let last = name.first == "init" ? "init" : name.dropFirst().first else { continue }
      var list = line[line.index(after: opening)...]
      for more in lines.dropFirst(number + 1).prefix(20) {
        if list.count(where: { $0 == ")" }) > list.count(where: { $0 == "(" }) { break }
        list += "\n" + more
      }
      let labels = parameters(of: list).map { parameter in
        guard let colon = parameter.firstIndex(of: ":") else { return "_" as Substring }
        return parameter[..<colon].split(whereSeparator: \.isWhitespace)
          .first { !$0.hasPrefix("@") } ?? "_"
      }
      found.insert("\(last)(\(labels.map { "\($0):" }.joined()))")
    }
    return found
  }

  /// The parts of a list between the commas that are in no brackets, up to the end of the list.
  private static func parameters(of list: Substring) -> [Substring] {
    var parts: [Substring] = []
    var depth = 0
    var start = list.startIndex
    for index in list.indices {
      switch list[index] {
      case "(", "[", "<": depth += 1
      case ")" where depth == 0:
        parts.append(list[start..<index])
        return parts.filter { !$0.allSatisfy(\.isWhitespace) }
      case ")", "]": depth -= 1
      case ">" where index > start && list[list.index(before: index)] != "-": depth -= 1
      case "," where depth == 0:
        parts.append(list[start..<index])
        start = list.index(after: index)
      default: break
      }
    }
    return parts
  }

  /// The texts between two quotes on a line.
  private static func quotations(in text: String) -> Set<String> {
    var words: Set<String> = []
    for line in text.split(separator: "\n") where line.contains("\"") {
      let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
      for index in stride(from: 1, to: parts.count, by: 2) { words.insert(String(parts[index])) }
    }
    return words
  }
}
