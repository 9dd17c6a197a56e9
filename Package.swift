// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
]
/// The codec, the rules and the journal also name every unsafe construct they use.
let memorySafe = strict + [.strictMemorySafety()]

/// Scripts and tests start programs often. A program at a fixed address needs no relocation, which
/// takes a quarter of the time of a start.
let fixedAddress: [LinkerSetting] = [
  .unsafeFlags(
    ["-Xclang-linker", "-no-pie"], .when(platforms: [.linux], configuration: .release))
]

/// The layers, from the lowest: a module imports only modules of lower layers.
let layers: [Target] = [
  // Layer 0
  .target(name: "JSON", swiftSettings: memorySafe),
  .target(name: "CPlatform"),
  .target(name: "ScenePlatform", dependencies: ["CPlatform"], swiftSettings: strict),
  // Layer 1
  .target(name: "CommandLine", dependencies: ["ScenePlatform"], swiftSettings: strict),
  .target(name: "SceneModel", dependencies: ["JSON"], swiftSettings: memorySafe),
  // Layer 2
  .target(name: "SceneBroker", dependencies: ["JSON", "SceneModel"], swiftSettings: memorySafe),
  .target(
    name: "SceneWire", dependencies: ["CommandLine", "JSON", "SceneModel"],
    swiftSettings: memorySafe),
  .target(name: "SceneJournal", dependencies: ["ScenePlatform"], swiftSettings: memorySafe),
  .target(
    name: "SceneManifest", dependencies: ["CommandLine", "JSON", "SceneModel"],
    swiftSettings: strict),
  // Layer 3
  .target(
    name: "SceneServer",
    dependencies: [
      "CommandLine", "JSON", "SceneBroker", "SceneJournal", "SceneManifest", "SceneModel",
      "ScenePlatform", "SceneWire",
    ], swiftSettings: strict),
  .target(
    name: "SceneTransport", dependencies: ["JSON", "SceneModel", "ScenePlatform", "SceneWire"],
    swiftSettings: strict),
  .target(
    name: "SceneJournalTools",
    dependencies: ["CommandLine", "JSON", "SceneJournal", "SceneModel", "ScenePlatform"],
    swiftSettings: strict),
  // Layer 4
  .target(
    name: "SceneClient",
    dependencies: [
      "CommandLine", "JSON", "SceneModel", "ScenePlatform", "SceneTransport", "SceneWire",
    ], swiftSettings: strict),
  .target(
    name: "SceneControl",
    dependencies: [
      "CommandLine", "JSON", "SceneModel", "ScenePlatform", "SceneTransport", "SceneWire",
    ], swiftSettings: strict),
  // Layer 5
  .target(
    name: "SceneScript",
    dependencies: [
      "CommandLine", "JSON", "SceneControl", "SceneModel", "ScenePlatform", "SceneWire",
    ], swiftSettings: strict),
  // Layer 6
  .target(
    name: "SceneCommands",
    dependencies: [
      "CommandLine", "JSON", "SceneClient", "SceneControl", "SceneJournalTools", "SceneModel",
      "ScenePlatform", "SceneScript", "SceneTransport", "SceneWire",
    ], swiftSettings: strict),
  // Layer 7
  .target(
    name: "SceneTesting",
    dependencies: [
      "CommandLine", "SceneClient", "SceneCommands", "SceneControl", "SceneModel", "ScenePlatform",
      "SceneScript",
    ], swiftSettings: strict),
  .executableTarget(
    name: "scened",
    dependencies: [
      "CommandLine", "JSON", "SceneBroker", "SceneJournal", "SceneManifest", "SceneModel",
      "ScenePlatform", "SceneServer",
    ],
    swiftSettings: strict, linkerSettings: fixedAddress),
  .executableTarget(
    name: "scene",
    dependencies: [
      "CommandLine", "JSON", "SceneClient", "SceneModel", "ScenePlatform", "SceneWire",
    ], swiftSettings: strict, linkerSettings: fixedAddress),
  .executableTarget(
    name: "scenectl",
    dependencies: [
      "CommandLine", "SceneCommands", "SceneControl", "ScenePlatform", "SceneWire",
    ], swiftSettings: strict, linkerSettings: fixedAddress),
  .executableTarget(name: "notes", dependencies: ["SceneClient"], swiftSettings: strict),
  .executableTarget(
    name: "scene-bench",
    dependencies: [
      "CommandLine", "JSON", "SceneBroker", "SceneJournal", "SceneModel", "ScenePlatform",
      "SceneServer", "SceneWire",
    ], swiftSettings: strict),
]

/// The fixtures of the tests (a daemon, clients, a simulated disk, a stub of the broker), and the
/// programs that tests start: the README's scene in Swift, a scene that takes input, and a program
/// with an application delegate.
let support: [Target] = [
  .target(
    name: "SceneTestSupport",
    dependencies: [
      "JSON", "SceneJournal", "SceneModel", "ScenePlatform", "SceneScript", "SceneTesting",
      "SceneTransport", "SceneWire",
    ], path: "Tests/SceneTestSupport", swiftSettings: strict),
  .target(
    name: "SceneControlTestSupport",
    dependencies: ["JSON", "SceneControl", "SceneModel", "ScenePlatform", "SceneWire"],
    path: "Tests/SceneControlTestSupport", swiftSettings: strict),
  .executableTarget(
    name: "note-scene", dependencies: ["SceneClient"], path: "Tests/NoteScene",
    swiftSettings: strict),
  .executableTarget(
    name: "line-scene", dependencies: ["SceneClient"], path: "Tests/LineScene",
    swiftSettings: strict),
  .executableTarget(
    name: "note-app", dependencies: ["SceneClient"], path: "Tests/NoteApp", swiftSettings: strict),
]

let tests: [Target] = [
  .testTarget(name: "StructureTests", swiftSettings: strict),
  .testTarget(name: "JSONTests", dependencies: ["JSON"], swiftSettings: strict),
  .testTarget(
    name: "ScenePlatformTests", dependencies: ["ScenePlatform", "SceneTestSupport"],
    swiftSettings: strict),
  .testTarget(
    name: "CommandLineTests", dependencies: ["CommandLine", "ScenePlatform"],
    swiftSettings: strict),
  .testTarget(
    name: "SceneModelTests", dependencies: ["JSON", "SceneModel"], swiftSettings: strict),
  .testTarget(
    name: "SceneBrokerTests",
    dependencies: ["JSON", "SceneBroker", "SceneModel", "ScenePlatform"], swiftSettings: strict),
  .testTarget(
    name: "SceneWireTests", dependencies: ["JSON", "SceneModel", "SceneWire"],
    swiftSettings: strict),
  .testTarget(
    name: "SceneJournalTests",
    dependencies: ["SceneJournal", "ScenePlatform", "SceneTestSupport"], swiftSettings: strict),
  .testTarget(
    name: "SceneManifestTests",
    dependencies: ["JSON", "SceneManifest", "SceneModel", "ScenePlatform", "SceneTestSupport"],
    exclude: ["Files"], swiftSettings: strict),
  .testTarget(
    name: "SceneServerTests",
    dependencies: [
      "JSON", "SceneBroker", "SceneJournal", "SceneModel", "ScenePlatform", "SceneServer",
      "SceneTestSupport", "SceneWire",
    ], swiftSettings: strict),
  .testTarget(
    name: "SceneTransportTests",
    dependencies: [
      "JSON", "SceneModel", "ScenePlatform", "SceneTestSupport", "SceneTransport", "SceneWire",
    ], swiftSettings: strict),
  .testTarget(
    name: "SceneClientTests",
    dependencies: [
      "CommandLine", "JSON", "SceneClient", "SceneModel", "ScenePlatform", "SceneTestSupport",
      "SceneTransport",
      "SceneWire", "line-scene", "notes", "scene", "scened",
    ], swiftSettings: strict),
  .testTarget(
    name: "SceneControlTests",
    dependencies: [
      "JSON", "SceneControl", "SceneControlTestSupport", "SceneModel", "ScenePlatform",
      "SceneWire",
    ], swiftSettings: strict),
  .testTarget(
    name: "SceneScriptTests",
    dependencies: [
      "CommandLine", "JSON", "SceneBroker", "SceneCommands", "SceneModel", "ScenePlatform",
      "SceneScript", "SceneTestSupport", "SceneWire", "notes", "scene", "scenectl",
      "scened",
    ], swiftSettings: strict),
  .testTarget(
    name: "SceneTestingTests",
    dependencies: [
      "SceneClient", "ScenePlatform", "SceneTestSupport", "SceneTesting", "scene", "scenectl",
      "scened",
    ], swiftSettings: strict),
  .testTarget(
    name: "SceneCommandsTests",
    dependencies: [
      "CommandLine", "JSON", "SceneClient", "SceneCommands", "SceneControl",
      "SceneControlTestSupport",
      "SceneModel", "ScenePlatform", "SceneTestSupport", "SceneWire",
    ], swiftSettings: strict),
  .testTarget(
    name: "SceneJournalToolsTests",
    dependencies: [
      "CommandLine", "JSON", "SceneJournal", "SceneJournalTools", "SceneModel", "ScenePlatform",
      "SceneTestSupport",
    ], swiftSettings: strict),
  .testTarget(
    name: "SimulationTests",
    dependencies: [
      "JSON", "SceneBroker", "SceneJournal", "SceneModel", "ScenePlatform", "SceneServer",
      "SceneTestSupport", "SceneWire",
    ], swiftSettings: strict),
  .testTarget(
    name: "SystemTests",
    dependencies: [
      "JSON", "SceneModel", "ScenePlatform", "SceneTestSupport", "SceneTesting", "note-app",
      "note-scene", "notes", "scene", "scene-bench", "scenectl", "scened",
    ], swiftSettings: strict),
  .testTarget(
    name: "DocumentationTests",
    dependencies: [
      "CommandLine", "JSON", "SceneBroker", "SceneCommands", "SceneJournal", "SceneModel",
      "ScenePlatform", "SceneServer", "SceneTestSupport", "SceneTransport", "SceneWire", "scene",
      "scenectl",
      "scened",
    ], swiftSettings: strict),
]

let package = Package(
  name: "SceneBroker",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "SceneClient", targets: ["SceneClient"]),
    .library(name: "SceneTesting", targets: ["SceneTesting"]),
    .executable(name: "scened", targets: ["scened"]),
    .executable(name: "scene", targets: ["scene"]),
    .executable(name: "scenectl", targets: ["scenectl"]),
    .executable(name: "notes", targets: ["notes"]),
  ],
  targets: layers + support + tests,
  swiftLanguageModes: [.v6]
)
