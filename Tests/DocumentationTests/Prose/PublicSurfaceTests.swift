import Testing

/// Every public declaration of the library has a documentation comment.
struct PublicSurfaceTests {
  /// A public declaration, and its place in the sources.
  private struct Declaration: CustomStringConvertible {
    let file: String
    let line: Int
    let text: String
    let isDocumented: Bool

    var description: String { "\(file):\(line): \(text)" }
  }

  @Test("every public declaration has a documentation comment")
  func documented() throws {
    var declarations: [Declaration] = []
    for file in try Self.files {
      declarations += Self.declarations(in: try SourceTree.text(file), of: file)
    }
    #expect(declarations.count > 160, "the sources were not found")
    let silent = declarations.filter { !$0.isDocumented }
    #expect(silent.isEmpty, "\(silent.map(\.description).joined(separator: "\n"))")
  }

  /// The sources of the libraries.
  private static var files: [String] {
    get throws {
      try ["SceneApp", "SceneClient", "SceneFoundation", "SceneTesting"].flatMap {
        try SourceTree.files(under: "Sources/\($0)", suffix: ".swift")
      }
    }
  }

  @Test("no public declaration names AsyncStream or an unchecked conformance")
  func sequences() throws {
    for file in try Self.files {
      let declarations = Self.declarations(in: try SourceTree.text(file), of: file)
      for name in ["AsyncStream", "@unchecked"] {
        let found = declarations.filter { $0.text.contains(name) }
        #expect(found.isEmpty, "\(found.map(\.description).joined(separator: "\n"))")
      }
    }
  }

  /// `withBroker` also throws the errors of its body.
  @Test("every throwing method of SceneTesting declares the type of its error")
  func typedErrors() throws {
    let signature = /\)\s+(async )?throws(\(\w+\))?\s+(->|\{)/
    var typed = 0
    for file in try SourceTree.files(under: "Sources/SceneTesting", suffix: ".swift")
    where !file.hasSuffix("/WithBroker.swift") {
      for match in try SourceTree.text(file).matches(of: signature) {
        #expect(match.2 != nil, "\(file): \(match.0)")
        typed += 1
      }
    }
    #expect(typed > 30)
  }

  /// Scans the text for lines that begin with `public`, and for members of public protocols and
  /// enumerations.
  private static func declarations(in text: String, of file: String) -> [Declaration] {
    var found: [Declaration] = []
    var isDocumented = false
    /// The end of a block whose members are public without a keyword, or need no comment.
    var block: (end: String, speaks: Bool)?
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for (index, line) in lines.enumerated() {
      let indentation = line.prefix { $0 == " " }
      let code = String(line.dropFirst(indentation.count))
      if line == block?.end { block = nil }
      if isDeclaration(code, in: block?.speaks), !isWitness(code) {
        found.append(
          Declaration(file: file, line: index + 1, text: code, isDocumented: isDocumented))
      }
      let opens = code.hasPrefix("public protocol ") || code.hasPrefix("public enum ")
      if opens { block = ("\(indentation)}", true) }
      let givesDefaults = code.hasPrefix("extension ") && code.hasSuffix("Delegate {")
      if givesDefaults { block = ("}", false) }
      if !code.hasPrefix("@") { isDocumented = code.hasPrefix("///") }
    }
    return found
  }

  /// The requirement of a protocol has the comment, so its default implementation needs none.
  private static func isDeclaration(_ code: String, in speaks: Bool?) -> Bool {
    guard speaks != false else { return false }
    if code.hasPrefix("public ") { return !code.hasPrefix("public import") }
    guard speaks == true else { return false }
    return ["case ", "func ", "var ", "init"].contains { code.hasPrefix($0) }
      && !code.hasSuffix(":")
  }

  /// Whether a protocol that has the comment requires this member.
  private static func isWitness(_ code: String) -> Bool {
    [
      "public var description: ", "public var id: ", "public var jsonText: ",
      "public init?(jsonText: ", "public func hash(into ", "public static func == ",
    ].contains { code.hasPrefix($0) }
  }
}
