import Foundation
import Testing

/// The layer of each module, and the modules of the toolchain that it can import.
private let layers: [(layer: Int, modules: [String])] = [
  (0, ["SceneJSON", "ScenePlatform", "CScenePlatform"]),
  (1, ["SceneCommandLine", "SceneModel"]),
  (2, ["SceneBroker", "SceneWire", "SceneJournal", "SceneManifest"]),
  (3, ["SceneServer", "SceneTransport", "SceneJournalTools", "SceneHandoff"]),
  (4, ["SceneClient", "SceneControl"]),
  (5, ["SceneApp", "SceneFoundation", "SceneScript"]),
  (6, ["SceneCommands"]),
  (
    7,
    [
      "scened", "scenectl", "SceneTool", "scene-bench", "SceneTesting", "SceneNotes",
      "scenehandoff",
    ]
  ),
]

/// The modules below `Tests` that tests import or start. Each can import every module of `Sources`.
private let testModules = [
  "SceneControlTestSupport", "SceneFuzzing", "SceneTestSupport", "NoteScene", "LineScene",
  "NoteApp",
]
private let testLayer = 8

private let systemModules: [String: [String]] = [
  "Glibc": ["ScenePlatform"], "Darwin": ["ScenePlatform"], "CScenePlatform": ["ScenePlatform"],
  "Testing": ["SceneTesting"], "Dispatch": ["ScenePlatform"],
  "Foundation": ["SceneFoundation", "SceneManifest", "SceneNotes"],
  "FoundationEssentials": ["SceneManifest"],
  "Swift": ["SceneModel"],
  "Synchronization": ["ScenePlatform", "SceneJournal", "SceneClient", "SceneApp", "SceneTool"],
]

/// The modules of the toolchain that these modules can import.
private let systemModulesOfTests = ["Glibc", "Darwin", "Synchronization", "Testing"]

struct LayerTests {
  /// Every source file below a directory of the checkout with the modules it imports.
  private static func imports(
    below directory: String = "Sources"
  ) throws -> [(module: String, file: String, imported: String)] {
    let sources = Checkout.root.appending(path: directory)
    var found: [(String, String, String)] = []
    for module in try FileManager.default.contentsOfDirectory(atPath: sources.path()) {
      let directory = sources.appending(path: module)
      for file in Checkout.swiftFiles(below: directory) {
        let text = try String(contentsOf: directory.appending(path: file), encoding: .utf8)
        for line in text.prefix(2000).split(separator: "\n") where line.utf8.count < 100 {
          let words = line.split(separator: " ")
          guard let keyword = words.firstIndex(of: "import"),
            words[..<keyword].allSatisfy(Self.canPrecedeImport),
            let name = words.dropFirst(keyword + 1).first
          else { continue }
          found.append((module, "\(module)/\(file)", String(name)))
        }
      }
    }
    return found
  }

  private static func canPrecedeImport(_ word: Substring) -> Bool {
    word.hasPrefix("@")
      || ["public", "package", "internal", "private", "fileprivate"].contains(word)
  }

  private static func layer(of module: String) -> Int? {
    testModules.contains(module) ? testLayer : layers.first { $0.modules.contains(module) }?.layer
  }

  @Test("a module imports only modules of lower layers")
  func importsGoDown() throws {
    let support = try Self.imports(below: "Tests").filter { testModules.contains($0.module) }
    #expect(Set(support.map(\.module)) == Set(testModules))
    let ports = try Self.imports(below: "Tests/Ports")
    #expect(
      Set(ports.map(\.imported)).isSubset(of: [
        "SceneApp", "SceneFoundation", "Foundation", "Synchronization",
      ]))
    let imports = try Self.imports() + support
    #expect(imports.count > 100, "the sources were not found")
    // A file for macOS can use Foundation, which is a part of the system.
    for (module, file, imported) in imports
    where imported != "Foundation" || !file.hasSuffix("+Darwin.swift") {
      let own = try #require(Self.layer(of: module), "\(module) has no layer")
      if let other = Self.layer(of: imported) {
        let isOwnHeader = module == "ScenePlatform" && imported == "CScenePlatform"
        #expect(other < own || isOwnHeader, "\(file) imports \(imported)")
      } else {
        let allowed = try #require(
          systemModules[imported], "\(file) imports \(imported), which no module may")
        let isAllowed =
          testModules.contains(module)
          ? systemModulesOfTests.contains(imported) : allowed.contains(module)
        #expect(isAllowed, "\(file) imports \(imported)")
      }
    }
  }

  @Test("a module that a release builds imports Testing only if it can")
  func testing() throws {
    let support = try Self.imports(below: "Tests").filter { testModules.contains($0.module) }
      .map { ("Tests/\($0.file)", $0.imported) }
    let sources = try Self.imports().map { ("Sources/\($0.file)", $0.imported) }
    let files = (support + sources).filter { $0.1 == "Testing" }.map(\.0)
    #expect(files.count >= 3)
    for file in files {
      let text = try String(contentsOf: Checkout.root.appending(path: file), encoding: .utf8)
      #expect(text.contains("#if canImport(Testing)\n"), "\(file)")
    }
  }

  private static func manifest() throws -> String {
    try String(contentsOf: Checkout.root.appending(path: "Package.swift"), encoding: .utf8)
  }

  /// The declared targets with their directories and dependencies.
  private static func targets() throws -> [(name: String, path: String, dependencies: Set<String>)]
  {
    let manifest = try Self.manifest()
    return manifest.split(separator: /\.(target|executableTarget|testTarget)\(\n?/).dropFirst()
      .compactMap { declaration in
        guard let name = declaration.firstMatch(of: /name: "([^"]+)"/)?.1 else { return nil }
        let list = declaration.firstMatch(of: /dependencies: \[([^\]]*)\]/)?.1 ?? ""
        let path = declaration.firstMatch(of: /path: "([^"]+)"/)?.1
        let parent = name.hasSuffix("Tests") ? "Tests" : "Sources"
        return (
          String(name), path.map(String.init) ?? "\(parent)/\(name)",
          Set(list.matches(of: /"([^"]+)"/).map { String($0.1) })
        )
      }
  }

  @Test("a target declares the modules that it imports, and no others")
  func dependencies() throws {
    let targets = try Self.targets()
    let imports =
      try Self.imports().map { ("Sources/\($0.module)", $0.imported) }
      + Self.imports(below: "Tests").map { ("Tests/\($0.module)", $0.imported) }
      + Self.imports(below: "Tests/Ports").map { ("Tests/Ports/\($0.module)", $0.imported) }
    let executables = Set(
      try Self.manifest().matches(of: /\.executableTarget\(\s*name: "([^"]+)"/)
        .map { String($0.1) })
    let names = Set(targets.map(\.name))
    #expect(targets.count > 40 && !executables.isEmpty)
    for target in targets {
      let imported = Set(imports.filter { $0.0 == target.path }.map(\.1)).intersection(names)
      let undeclared = imported.subtracting(target.dependencies)
      #expect(undeclared.isEmpty, "\(target.name) does not declare \(undeclared.sorted())")
      // Tests start programs without an import.
      let unused = target.dependencies.subtracting(imported).subtracting(executables)
      #expect(unused.isEmpty, "\(target.name) does not import \(unused.sorted())")
    }
  }

  @Test("a target's name cannot be the name of a target in a user's package")
  func names() throws {
    for target in try Self.targets() {
      let isOwn = target.name.hasPrefix("Scene") || target.name.hasPrefix("scene")
      // A package that depends on this one does not build its tests.
      let isTest = target.name.hasSuffix("Tests")
      #expect(isOwn || isTest || target.name == "CScenePlatform", "\(target.name)")
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
    let manifest = try Self.manifest()
    #expect(!manifest.contains(".package("))
    #expect(!manifest.contains("systemLibrary"))
  }
}
