import Testing

/// What a program that imports the library sees is told.
struct PublicSurfaceTests {
  /// A declaration that others see, and where it stands.
  private struct Declaration: CustomStringConvertible {
    let file: String
    let line: Int
    let text: String
    let isDocumented: Bool

    var description: String { "\(file):\(line): \(text)" }
  }

  @Test("everything public says what it is")
  func documented() throws {
    var declarations: [Declaration] = []
    let files = try ["SceneClient", "SceneTesting"].flatMap {
      try SourceTree.files(under: "Sources/\($0)", suffix: ".swift")
    }
    for file in files {
      declarations += Self.declarations(in: try SourceTree.text(file), of: file)
    }
    #expect(declarations.count > 160, "the sources were not found")
    let silent = declarations.filter { !$0.isDocumented }
    #expect(silent.isEmpty, "\(silent.map(\.description).joined(separator: "\n"))")
  }

  /// A text scan: lines that begin with `public`, and what stands in a public protocol or
  /// enumeration.
  private static func declarations(in text: String, of file: String) -> [Declaration] {
    var found: [Declaration] = []
    var isDocumented = false
    /// Where the block ends whose members are public without saying so, or need say nothing.
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

  /// The defaults of a protocol's methods are told of where they are required.
  private static func isDeclaration(_ code: String, in speaks: Bool?) -> Bool {
    guard speaks != false else { return false }
    if code.hasPrefix("public ") { return !code.hasPrefix("public import") }
    guard speaks == true else { return false }
    return ["case ", "func ", "var ", "init"].contains { code.hasPrefix($0) }
      && !code.hasSuffix(":")
  }

  /// What a protocol of the standard library, or of ours, asks for and tells of.
  private static func isWitness(_ code: String) -> Bool {
    [
      "public var description: ", "public var id: ", "public var jsonText: ",
      "public init?(jsonText: ", "public func hash(into ", "public static func == ",
    ].contains { code.hasPrefix($0) }
  }
}
