import Foundation
import ScenePlatform
import SceneTestSupport

/// The public symbols of a module, as the toolchain describes them for docc.
struct SymbolGraph: Decodable {
  var symbols: [Symbol]

  /// Extracts the graphs of a compiled module: its own, and those of its extensions of other
  /// modules.
  static func symbols(of module: String, in modules: String) throws -> [Symbol] {
    let place = try Workplace()
    var arguments = [
      "symbolgraph-extract", "-module-name", module, "-I", modules,
      "-I", "\(SourceTree.root)/Sources/CScenePlatform/include", "-target", try targetTriple(),
      "-minimum-access-level", "public", "-output-dir", place.path,
    ]
    #if os(macOS)
      let sdk = try RunningProgram.run("xcrun", ["--show-sdk-path"]).output
      arguments += ["-sdk", sdk.trimmingCharacters(in: .newlines)]
    #endif
    let outcome = try RunningProgram.run("swift", arguments)
    guard outcome.code == 0 else { throw Unmet("no symbols of \(module): \(outcome.errors)") }
    return try Directory.list(place.path).sorted().flatMap { name in
      let bytes = try File.read(place.file(name), limit: 1 << 26)
      return try JSONDecoder().decode(SymbolGraph.self, from: Data(bytes)).symbols
    }
  }

  private static func targetTriple() throws -> String {
    struct Description: Decodable {
      struct Target: Decodable { var triple: String }
      var target: Target
    }
    let text = try RunningProgram.run("swift", ["-print-target-info"]).output
    return try JSONDecoder().decode(Description.self, from: Data(text.utf8)).target.triple
  }
}

/// A declaration with its comment.
struct Symbol: Decodable {
  struct Kind: Decodable { var identifier: String }
  struct Identifier: Decodable { var precise: String }
  struct Fragment: Decodable { var spelling: String }

  struct Signature: Decodable {
    struct Parameter: Decodable {
      var name: String
      var internalName: String?
    }
    var parameters: [Parameter]?
    var returns: [Fragment]?
  }

  struct Position: Decodable { var line: Int }

  struct Place: Decodable {
    var uri: String
    var position: Position
  }

  struct Comment: Decodable {
    struct Range: Decodable { var start: Position }
    struct Line: Decodable {
      var text: String
      var range: Range?
    }
    var uri: String?
    var lines: [Line]
  }

  var kind: Kind
  var identifier: Identifier
  var pathComponents: [String]
  var declarationFragments: [Fragment]
  var functionSignature: Signature?
  var docComment: Comment?
  var location: Place?

  var name: String { pathComponents.joined(separator: ".") }

  /// The kind without the language, such as `method`.
  var kindName: Substring { kind.identifier.dropFirst("swift.".count) }

  var declaration: String { declarationFragments.map(\.spelling).joined() }

  /// The names of the parameters in the body.
  var parameters: [String] {
    functionSignature?.parameters?.map { $0.internalName ?? $0.name } ?? []
  }

  var returnsValue: Bool {
    let type = functionSignature?.returns?.map(\.spelling).joined() ?? "()"
    return !["", "()", "Void"].contains(type)
  }

  /// Whether the declaration throws, apart from its parameters.
  var throwsErrors: Bool {
    var depth = 0
    var outside = ""
    for character in declaration {
      if character == ")" { depth -= 1 }
      if depth == 0 { outside.append(character) }
      if character == "(" { depth += 1 }
    }
    return outside.contains(/\b(?:throws|rethrows)\b/)
  }

  /// The file and the line, for a message.
  var place: String {
    guard let location else { return "(generated)" }
    let path = location.uri.replacing("file://", with: "", maxReplacements: 1)
    return "\(path.replacing(SourceTree.root + "/", with: "")):\(location.position.line + 1)"
  }
}
