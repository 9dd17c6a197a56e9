import Foundation
import Testing

/// The house as it should be: which floor each module is on, and what of the toolchain it may use.
private let floors: [(floor: Int, modules: [String])] = [
  (0, ["JSON", "ScenePlatform", "CPlatform", "CommandLine"]),
  (1, ["SceneModel"]),
  (2, ["SceneBroker", "SceneWire", "SceneJournal", "SceneManifest"]),
  (3, ["SceneServer", "SceneClient", "SceneControl"]),
  (4, ["SceneScript"]),
  (5, ["scened", "scenectl", "scene", "scene-bench", "SceneTesting", "notes"]),
]

private let systemModules: [String: [String]] = [
  "Glibc": ["ScenePlatform"], "Darwin": ["ScenePlatform"], "CPlatform": ["ScenePlatform"],
  "Foundation": ["SceneManifest", "notes"], "FoundationEssentials": ["SceneManifest"],
  "Synchronization": ["ScenePlatform", "SceneJournal", "SceneClient", "scene"],
]

struct FloorTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Every source file with the modules it imports.
  private static func imports() throws -> [(module: String, file: String, imported: String)] {
    let sources = root.appending(path: "Sources")
    var found: [(String, String, String)] = []
    for module in try FileManager.default.contentsOfDirectory(atPath: sources.path()) {
      let directory = sources.appending(path: module)
      let files = FileManager.default.enumerator(atPath: directory.path())
      while let file = files?.nextObject() as? String {
        guard file.hasSuffix(".swift") else { continue }
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

  private static func floor(of module: String) -> Int? {
    floors.first { $0.modules.contains(module) }?.floor
  }

  @Test("imports go down only, and never to a neighbour")
  func importsGoDown() throws {
    let imports = try Self.imports()
    #expect(imports.count > 100, "the sources were not found")
    for (module, file, imported) in imports {
      let own = try #require(Self.floor(of: module), "\(module) has no floor")
      if let other = Self.floor(of: imported) {
        let isOwnHeader = module == "ScenePlatform" && imported == "CPlatform"
        #expect(other < own || isOwnHeader, "\(file) imports \(imported)")
      } else {
        let allowed = try #require(
          systemModules[imported], "\(file) imports \(imported), which no module may")
        #expect(allowed.contains(module), "\(file) imports \(imported)")
      }
    }
  }

  @Test("what judges the rules from outside does not ask them")
  func scriptsHaveTablesOfTheirOwn() throws {
    let imports = try Self.imports().filter { $0.module == "SceneScript" }
    #expect(!imports.isEmpty)
    #expect(imports.filter { $0.imported == "SceneBroker" }.map(\.file) == [])
  }

  @Test("the top level holds these and nothing else that is not hidden")
  func topLevel() throws {
    let entries = try Self.trackedEntries() ?? Self.allEntries()
    let visible = Set(entries.filter { !$0.hasPrefix(".") })
    #expect(visible == ["Package.swift", "Sources", "Tests", "scripts", "README.md"])
  }

  private static func allEntries() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.path())
  }

  /// What git tracks at the top level, so that what somebody keeps there for themselves is theirs;
  /// nil where git has nothing to say.
  private static func trackedEntries() throws -> [String]? {
    guard FileManager.default.fileExists(atPath: root.appending(path: ".git").path()) else {
      return nil
    }
    let git = Process()
    let output = Pipe()
    git.executableURL = URL(filePath: "/usr/bin/env")
    git.arguments = ["git", "-C", root.path(), "ls-files"]
    git.standardOutput = output
    git.standardError = FileHandle.nullDevice
    try git.run()
    let names = try output.fileHandleForReading.readToEnd() ?? Data()
    git.waitUntilExit()
    guard git.terminationStatus == 0 else { return nil }
    return String(decoding: names, as: UTF8.self).split(separator: "\n")
      .compactMap { $0.split(separator: "/").first.map(String.init) }
  }

  @Test("the package depends on nothing")
  func noDependencies() throws {
    let manifest = try String(
      contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
    #expect(!manifest.contains(".package("))
    #expect(!manifest.contains("systemLibrary"))
  }
}
