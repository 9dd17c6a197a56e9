import SceneBroker
import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// Each name in backticks exists: code in the sources, messages in the catalogue, files in the
/// tree, options in the programs.
struct NameTests {
  private let words: DeclaredWords

  /// The text of the scripts, which have their own options.
  private let scripts: String

  init() throws {
    words = try DeclaredWords.shared.get()
    scripts = try SourceTree.text("scripts/install") + SourceTree.text("scripts/docs")
  }

  @Test("every name in backticks is declared somewhere")
  func names() throws {
    var count = 0
    for page in try SourceTree.pages() {
      let examples = page.blocks.filter { $0.language == "swift" }.map(\.text).joined()
      for (number, line) in page.prose {
        for span in codeSpans(in: line) {
          guard let missing = missing(in: span), !examples.contains(stem(of: span)) else {
            continue
          }
          Issue.record("\(page.path):\(number): `\(span)`: there is no \(missing)")
          count += 1
        }
      }
    }
    #expect(count == 0)
  }

  /// An example declares the names that it uses, or the sources declare them.
  @Test("every function that an example calls is declared")
  func calls() throws {
    for page in try SourceTree.pages() {
      for block in page.blocks where block.language == "swift" {
        let own = DeclaredWords.declarations(in: block.text)
        for match in block.text.matches(of: /([A-Za-z]\w+)(\(|: RequestMessage)/) {
          let name = String(match.1)
          #expect(
            own.contains(name) || words.declared.contains(name)
              || DeclaredWords.ofTheLanguage.contains(name),
            "\(page.path):\(block.line): \(name)")
        }
        for match in block.text.matches(of: /([a-z]\w+\(\w+):/) {
          let name = match.1.prefix { $0 != "(" }
          #expect(
            own.contains(String(name)) || words.text.contains(match.1),
            "\(page.path):\(block.line): \(match.1):")
        }
      }
    }
  }

  @Test("every function and type in a drawing is declared")
  func drawings() throws {
    var count = 0
    for page in try SourceTree.pages() {
      for block in page.blocks where block.language.isEmpty {
        for match in block.text.matches(of: /\b[A-Z]\w+(\.\w+)*/) {
          let parts = match.0.split(separator: ".").map(String.init)
          // A single word can be the beginning of a sentence.
          guard parts.count > 1 || parts[0].dropFirst().contains(where: \.isUppercase) else {
            continue
          }
          guard parts[0].contains(where: \.isLowercase) else { continue }
          count += 1
          let unknown = parts.first { !words.knows($0) } ?? words.unknownMember(in: parts)
          #expect(unknown == nil, "\(page.path):\(block.line): \(match.0)")
        }
      }
    }
    #expect(count > 10)
  }

  /// The name of a file or message that an example adds, without its ending.
  private func stem(of span: String) -> String {
    guard span.hasSuffix(".swift"), let slash = span.lastIndex(of: "/") else { return span }
    return String(span[span.index(after: slash)...].dropLast(6))
  }

  /// The missing part of a code span; nil if all parts exist or the span is no name.
  private func missing(in span: String) -> String? {
    if span.contains(" ") || span.isEmpty { return nil }
    if let path = span.firstMatch(of: /^(Sources|Tests|scripts|\.ci)\/[\w.\/+-]+$/) {
      return SourceTree.exists(String(path.0)) ? nil : "file \(span)"
    }
    if span.wholeMatch(of: /(scene|session|application|broker|trace)\/[A-Za-z]+/) != nil {
      return Self.messages.contains(span) ? nil : "message \(span)"
    }
    if let option = span.wholeMatch(of: /--([a-z-]+)/) {
      let isKnown = words.quotes(option.1) || scripts.contains("\(span) ")
      return isKnown ? nil : "option \(span)"
    }
    if SourceTree.exists("scripts/units/\(span.replacing("NAME", with: ""))") { return nil }
    guard let name = span.wholeMatch(of: /([A-Za-z_][\w.\/]*)(\(([\w:]*)\))?\??/) else {
      return nil
    }
    let parts = name.1.split(whereSeparator: { "./".contains($0) }).map(String.init)
    if let unknown = parts.first(where: { !words.knows($0) }) ?? words.unknownMember(in: parts) {
      return unknown
    }
    guard let list = name.2, let function = parts.last else { return nil }
    let signature = "\(function)\(list)"
    return words.signatures.contains(signature) ? nil : "function \(signature)"
  }

  private static let messages: Set<String> = Set(
    RequestMethod.all.map(\.description) + CallbackKind.allCases.map { "\($0.method)" }
      + BrokerNotification.methods.map(\.description))
}
