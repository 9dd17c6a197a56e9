import Testing

/// Rules for the public declarations of the libraries.
struct PublicSurfaceTests {
  @Test(
    "no public declaration names AsyncStream or an unchecked conformance",
    arguments: ["SceneApp", "SceneClient", "SceneFoundation", "SceneTesting"])
  func sequences(module: String) throws {
    for file in try SourceTree.files(under: "Sources/\(module)", suffix: ".swift") {
      for line in try SourceTree.text(file).split(separator: "\n") where line.contains("public ") {
        // A class with a subclass cannot have a checked conformance.
        let isScene = line.hasSuffix("Scene: @unchecked Sendable {") || line.contains(": Scene, ")
        #expect(
          !line.contains("AsyncStream") && (isScene || !line.contains("@unchecked")),
          "\(file): \(line)")
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
    #expect(typed > 20)
  }
}
