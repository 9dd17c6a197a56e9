import Foundation
import Testing

/// The layer of each module, and the modules of the toolchain that it can import.
private let layers: [(layer: Int, modules: [String])] = [
  (0, ["JSON", "ScenePlatform", "CPlatform"]),
  (1, ["CommandLine", "SceneModel"]),
  (2, ["SceneBroker", "SceneWire", "SceneJournal", "SceneManifest"]),
  (3, ["SceneServer", "SceneTransport", "SceneJournalTools"]),
  (4, ["SceneClient", "SceneControl"]),
  (5, ["SceneScript"]),
  (6, ["SceneCommands"]),
  (7, ["scened", "scenectl", "scene", "scene-bench", "SceneTesting", "notes"]),
]

private let systemModules: [String: [String]] = [
  "Glibc": ["ScenePlatform"], "Darwin": ["ScenePlatform"], "CPlatform": ["ScenePlatform"],
  "Foundation": ["SceneManifest", "notes"], "FoundationEssentials": ["SceneManifest"],
  "Synchronization": ["ScenePlatform", "SceneJournal", "SceneClient", "scene"],
]

struct LayerTests {
  /// Every source file with the modules it imports.
  private static func imports() throws -> [(module: String, file: String, imported: String)] {
    let sources = Checkout.root.appending(path: "Sources")
    var found: [(String, String, String)] = []
    for module in try FileManager.default.contentsOfDirectory(atPath: sources.path()) {
      let directory = sources.appending(path: module)
      for file in Checkout.swiftFiles(below: directory) {
        let text = try String(contentsOf: directory.appending(path: file), encoding: .utf8)
        for line in text.split(separator: "\n") {
          let words = line.split(separator: " ")
          guard let keyword = words.firstIndex(of: "import"), keyword <= 1,
            let name = words.dropFirst(keyword + 1).first
          else { continue }
          found.append((module, "\(module)/\(file)", String(name)))
        }
      }
    }
    return found
  }

  private static func layer(of module: String) -> Int? {
    layers.first { $0.modules.contains(module) }?.layer
  }

  @Test("a module imports only modules of lower layers")
  func importsGoDown() throws {
    let imports = try Self.imports()
    #expect(imports.count > 100, "the sources were not found")
    for (module, file, imported) in imports {
      let own = try #require(Self.layer(of: module), "\(module) has no layer")
      if let other = Self.layer(of: imported) {
        let isOwnHeader = module == "ScenePlatform" && imported == "CPlatform"
        #expect(other < own || isOwnHeader, "\(file) imports \(imported)")
      } else {
        let allowed = try #require(
          systemModules[imported], "\(file) imports \(imported), which no module may")
        #expect(allowed.contains(module), "\(file) imports \(imported)")
      }
    }
  }

  @Test("SceneScript does not import the rules that it checks")
  func scriptsHaveTablesOfTheirOwn() throws {
    let imports = try Self.imports().filter { $0.module == "SceneScript" }
    #expect(!imports.isEmpty)
    #expect(imports.filter { $0.imported == "SceneBroker" }.map(\.file) == [])
  }

  @Test("the top level has five entries that are not hidden")
  func topLevel() throws {
    let entries = try Self.trackedEntries() ?? Self.allEntries()
    let visible = Set(entries.filter { !$0.hasPrefix(".") })
    #expect(visible == ["Package.swift", "Sources", "Tests", "scripts", "README.md"])
  }

  private static func allEntries() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: Checkout.root.path())
  }

  /// The entries that git tracks at the top level, so that untracked files are allowed;
  /// nil outside a git repository.
  private static func trackedEntries() throws -> [String]? {
    guard FileManager.default.fileExists(atPath: Checkout.root.appending(path: ".git").path())
    else {
      return nil
    }
    let git = try Checkout.run("git", "ls-files")
    guard git.status == 0 else { return nil }
    return git.output.split(separator: "\n")
      .compactMap { $0.split(separator: "/").first.map(String.init) }
  }

  @Test("the package has no dependencies")
  func noDependencies() throws {
    let manifest = try String(
      contentsOf: Checkout.root.appending(path: "Package.swift"), encoding: .utf8)
    #expect(!manifest.contains(".package("))
    #expect(!manifest.contains("systemLibrary"))
  }
}
