import SceneApp
import SceneClient
import SceneFoundation
import ScenePlatform
import SceneTestSupport
import SceneTesting
import Testing

/// The declarations that the libraries promise to their users.
struct PublicInterfaceGoldenTests {
  @Test(
    "the public declarations of a library equal its golden file",
    arguments: ["SceneClient", "SceneApp", "SceneFoundation", "SceneTesting"])
  func golden(module: String) throws {
    let programs = try Directory.parent(of: SceneTestSupport.Programs.path("scened")) ?? "."
    let symbols = try SymbolGraph.symbols(of: module, in: "\(programs)/Modules").documentedHere
    let lines = Set(symbols.map { "\($0.name): \($0.declaration)" }).sorted()
    try GoldenFile.expect(lines.joined(separator: "\n") + "\n", equals: "api/\(module).txt")
  }
}
