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

/// The settings of a program in another package, which shows no warning either.
let user: [SwiftSetting] = [.treatAllWarnings(as: .error)]

/// Scripts and tests start programs often. A program at a fixed address needs no relocation, which
/// takes a quarter of the time of a start. Without exported symbols, the dynamic linker looks up
/// fewer. `scripts/release` links the programs statically, so that they need no dynamic linker. They
/// do not register their unwind tables: the end of the first thread, which follows from an
/// asynchronous `main`, would sort the registered tables. The unwinder uses the linker's index.
let linking =
  Context.environment["SCENE_STATIC_EXECUTABLES"] == nil
  ? ["-Xclang-linker", "-no-pie", "-Xlinker", "--no-export-dynamic"]
  : [
    "-static-executable", "-Xlinker", "--defsym=__register_frame_info=0", "-Xlinker",
    "--defsym=__deregister_frame_info=0",
  ]
let quickStart: [LinkerSetting] = [
  .unsafeFlags(linking, .when(platforms: [.linux], configuration: .release))
]

/// The directories of `ScenePlatform` that this system does not compile. The files for Darwin have a
/// condition of their own.
#if os(Linux)
  let otherSystems: [String] = []
#else
  let otherSystems = ["Linux"]
#endif

/// The layers, from the lowest: a module imports only modules of lower layers.
let layers: [Target] = [
  // Layer 0
  .target(name: "SceneJSON", swiftSettings: memorySafe),
  .target(name: "CScenePlatform"),
  .target(
    name: "ScenePlatform", dependencies: ["CScenePlatform"], exclude: otherSystems,
    swiftSettings: strict),
  // Layer 1
  .target(
    name: "SceneCommandLine", dependencies: ["SceneJSON", "ScenePlatform"], swiftSettings: strict),
  .target(name: "SceneModel", dependencies: ["SceneJSON"], swiftSettings: memorySafe),
  // Layer 2
  .target(
    name: "SceneBroker", dependencies: ["SceneJSON", "SceneModel"], swiftSettings: memorySafe),
  .target(
    name: "SceneWire", dependencies: ["SceneCommandLine", "SceneJSON", "SceneModel"],
    swiftSettings: memorySafe),
  .target(name: "SceneJournal", dependencies: ["ScenePlatform"], swiftSettings: memorySafe),
  .target(
    name: "SceneManifest", dependencies: ["SceneCommandLine", "SceneJSON", "SceneModel"],
    swiftSettings: strict),
  // Layer 3
  .target(
    name: "SceneServer",
    dependencies: [
      "SceneBroker", "SceneCommandLine", "SceneJSON", "SceneJournal", "SceneManifest", "SceneModel",
      "ScenePlatform", "SceneWire",
    ], swiftSettings: strict),
  .target(
    name: "SceneTransport",
    dependencies: ["SceneJSON", "SceneModel", "ScenePlatform", "SceneWire"],
    swiftSettings: strict),
  .target(
    name: "SceneJournalTools",
    dependencies: ["SceneCommandLine", "SceneJSON", "SceneJournal", "SceneModel", "ScenePlatform"],
    swiftSettings: strict),
  .target(
    name: "SceneHandoff", dependencies: ["SceneJSON", "SceneModel", "ScenePlatform"],
    swiftSettings: strict),
  // Layer 4
  .target(
    name: "SceneClient",
    dependencies: [
      "SceneCommandLine", "SceneJSON", "SceneModel", "ScenePlatform", "SceneTransport", "SceneWire",
    ], swiftSettings: strict),
  .target(
    name: "SceneControl",
    dependencies: [
      "SceneCommandLine", "SceneJSON", "SceneModel", "ScenePlatform", "SceneTransport", "SceneWire",
    ], swiftSettings: strict),
  // Layer 5
  .target(name: "SceneFoundation", dependencies: ["SceneClient"], swiftSettings: strict),
  .target(
    name: "SceneApp",
    dependencies: ["SceneClient", "SceneCommandLine", "SceneJSON", "SceneModel", "ScenePlatform"],
    swiftSettings: strict),
  .target(
    name: "SceneScript",
    dependencies: [
      "SceneCommandLine", "SceneControl", "SceneJSON", "SceneModel", "ScenePlatform", "SceneWire",
    ], swiftSettings: strict),
  // Layer 6
  .target(
    name: "SceneCommands",
    dependencies: [
      "SceneApp", "SceneClient", "SceneCommandLine", "SceneControl", "SceneHandoff", "SceneJSON",
      "SceneJournalTools", "SceneModel", "ScenePlatform", "SceneScript", "SceneTransport",
      "SceneWire",
    ], swiftSettings: strict),
  // Layer 7
  .target(
    name: "SceneTesting",
    dependencies: [
      "SceneClient", "SceneCommandLine", "SceneCommands", "SceneControl", "SceneModel",
      "ScenePlatform", "SceneScript",
    ], swiftSettings: strict),
  .executableTarget(
    name: "scened",
    dependencies: [
      "SceneBroker", "SceneCommandLine", "SceneJSON", "SceneJournal", "SceneManifest", "SceneModel",
      "ScenePlatform", "SceneServer",
    ],
    swiftSettings: strict, linkerSettings: quickStart),
  .executableTarget(
    name: "SceneTool",
    dependencies: [
      "SceneApp", "SceneClient", "SceneCommandLine", "SceneControl", "SceneJSON", "SceneModel",
      "ScenePlatform", "SceneTransport", "SceneWire",
    ], swiftSettings: strict, linkerSettings: quickStart),
  .executableTarget(
    name: "scenectl",
    dependencies: [
      "SceneCommandLine", "SceneCommands", "SceneControl", "ScenePlatform", "SceneWire",
    ], swiftSettings: strict, linkerSettings: quickStart),
  .executableTarget(
    name: "scenehandoff",
    dependencies: [
      "SceneCommandLine", "SceneControl", "SceneHandoff", "SceneJSON", "SceneModel",
      "ScenePlatform", "SceneWire",
    ], swiftSettings: strict, linkerSettings: quickStart),
  .executableTarget(name: "SceneNotes", dependencies: ["SceneApp"], swiftSettings: strict),
  .executableTarget(
    name: "scene-bench",
    dependencies: [
      "SceneBroker", "SceneCommandLine", "SceneJSON", "SceneJournal", "SceneModel", "ScenePlatform",
      "SceneServer", "SceneTransport", "SceneWire",
    ], swiftSettings: strict),
]

/// The fixtures of the tests (a daemon, clients, a simulated disk, a stub of the broker, a fuzzer),
/// and the programs that tests start: the README's scene in Swift, a scene that takes input, and a program
/// with an application delegate.
let support: [Target] = [
  .target(
    name: "SceneTestSupport",
    dependencies: [
      "SceneCommandLine", "SceneJSON", "SceneJournal", "SceneModel", "ScenePlatform", "SceneScript",
      "SceneTesting", "SceneTransport", "SceneWire",
    ], path: "Tests/SceneTestSupport", swiftSettings: strict),
  .target(
    name: "SceneFuzzing", dependencies: ["ScenePlatform"], path: "Tests/SceneFuzzing",
    swiftSettings: strict),
  .target(
    name: "SceneControlTestSupport",
    dependencies: ["SceneControl", "SceneJSON", "SceneModel", "ScenePlatform", "SceneWire"],
    path: "Tests/SceneControlTestSupport", swiftSettings: strict),
  .executableTarget(
    name: "SceneNoteScene", dependencies: ["SceneApp"], path: "Tests/NoteScene",
    swiftSettings: strict, linkerSettings: quickStart),
  .executableTarget(
    name: "SceneLineScene", dependencies: ["SceneApp"], path: "Tests/LineScene",
    swiftSettings: strict),
  .executableTarget(
    name: "SceneNoteApp", dependencies: ["SceneApp"], path: "Tests/NoteApp",
    swiftSettings: strict),
]

/// Programs in UIKit's or SwiftUI's spelling, with the settings of a user's package.
let ports: [Target] = [
  .executableTarget(
    name: "ScenePortAlbum", dependencies: ["SceneApp"], path: "Tests/Ports/Album",
    swiftSettings: user),
  .executableTarget(
    name: "ScenePortAppDelegate", dependencies: ["SceneApp"], path: "Tests/Ports/AppDelegate",
    swiftSettings: user),
  .executableTarget(
    name: "ScenePortChat", dependencies: ["SceneApp"], path: "Tests/Ports/Chat",
    swiftSettings: user),
  .executableTarget(
    name: "ScenePortClassic", dependencies: ["SceneApp"], path: "Tests/Ports/Classic",
    swiftSettings: user),
  .executableTarget(
    name: "ScenePortConfiguration", dependencies: ["SceneApp"], path: "Tests/Ports/Configuration",
    swiftSettings: user),
  .executableTarget(
    name: "ScenePortEditor", dependencies: ["SceneApp", "SceneFoundation"],
    path: "Tests/Ports/Editor", swiftSettings: user),
  .executableTarget(
    name: "ScenePortHello", dependencies: ["SceneApp"], path: "Tests/Ports/Hello",
    swiftSettings: user),
  .executableTarget(
    name: "ScenePortLists", dependencies: ["SceneApp"], path: "Tests/Ports/Lists",
    swiftSettings: user),
  .executableTarget(
    name: "ScenePortMail", dependencies: ["SceneApp"], path: "Tests/Ports/Mail",
    swiftSettings: user),
  .executableTarget(
    name: "ScenePortReader", dependencies: ["SceneApp"], path: "Tests/Ports/Reader",
    swiftSettings: user),
  .executableTarget(
    name: "ScenePortRestoration", dependencies: ["SceneApp"], path: "Tests/Ports/Restoration",
    swiftSettings: user),
  .executableTarget(
    name: "ScenePortTemplate", dependencies: ["SceneApp"], path: "Tests/Ports/Template",
    swiftSettings: user),
]

let tests: [Target] = [
  .testTarget(name: "StructureTests", swiftSettings: strict),
  .testTarget(
    name: "SceneJSONTests", dependencies: ["SceneFuzzing", "SceneJSON"], swiftSettings: strict),
  .testTarget(
    name: "ScenePlatformTests", dependencies: ["ScenePlatform", "SceneTestSupport"],
    swiftSettings: strict),
  .testTarget(
    name: "SceneCommandLineTests",
    dependencies: ["SceneCommandLine", "SceneFuzzing", "ScenePlatform", "SceneTestSupport"],
    swiftSettings: strict),
  .testTarget(
    name: "SceneModelTests", dependencies: ["SceneFuzzing", "SceneJSON", "SceneModel"],
    swiftSettings: strict),
  .testTarget(
    name: "SceneBrokerTests",
    dependencies: ["SceneBroker", "SceneJSON", "SceneModel", "ScenePlatform"], swiftSettings: strict
  ),
  .testTarget(
    name: "SceneWireTests", dependencies: ["SceneFuzzing", "SceneJSON", "SceneModel", "SceneWire"],
    swiftSettings: strict),
  .testTarget(
    name: "SceneJournalTests",
    dependencies: ["SceneFuzzing", "SceneJournal", "ScenePlatform", "SceneTestSupport"],
    swiftSettings: strict),
  .testTarget(
    name: "SceneManifestTests",
    dependencies: [
      "SceneFuzzing", "SceneJSON", "SceneManifest", "SceneModel", "ScenePlatform",
      "SceneTestSupport",
    ],
    exclude: ["Files"], swiftSettings: strict),
  .testTarget(
    name: "SceneServerTests",
    dependencies: [
      "SceneBroker", "SceneCommandLine", "SceneFuzzing", "SceneJSON", "SceneJournal",
      "SceneManifest", "SceneModel", "ScenePlatform", "SceneServer", "SceneTestSupport",
      "SceneWire",
    ], swiftSettings: strict),
  .testTarget(
    name: "SceneTransportTests",
    dependencies: [
      "SceneJSON", "SceneModel", "ScenePlatform", "SceneTestSupport", "SceneTransport", "SceneWire",
    ], swiftSettings: strict),
  .testTarget(
    name: "SceneHandoffTests",
    dependencies: [
      "SceneHandoff", "ScenePlatform", "SceneTestSupport", "SceneTool", "scenectl", "scened",
      "scenehandoff",
    ],
    swiftSettings: strict),
  .testTarget(
    name: "SceneClientTests",
    dependencies: [
      "SceneApp", "SceneBroker", "SceneClient", "SceneCommandLine", "SceneFoundation", "SceneJSON",
      "SceneLineScene", "SceneModel", "SceneNotes", "ScenePlatform", "SceneTestSupport",
      "SceneTool", "SceneTransport", "SceneWire", "scened",
    ], swiftSettings: strict),
  .testTarget(
    name: "SceneControlTests",
    dependencies: [
      "SceneCommandLine", "SceneControl", "SceneControlTestSupport", "SceneJSON", "SceneModel",
      "ScenePlatform", "SceneTestSupport", "SceneWire",
    ], swiftSettings: strict),
  .testTarget(
    name: "SceneScriptTests",
    dependencies: [
      "SceneBroker", "SceneCommandLine", "SceneCommands", "SceneFuzzing", "SceneJSON", "SceneModel",
      "SceneNotes", "ScenePlatform", "SceneScript", "SceneTestSupport", "SceneTool", "SceneWire",
      "scenectl", "scened",
    ], swiftSettings: strict),
  .testTarget(
    name: "SceneTestingTests",
    dependencies: [
      "SceneClient", "ScenePlatform", "SceneScript", "SceneTestSupport", "SceneTesting",
      "SceneTool", "scenectl", "scened",
    ], swiftSettings: strict),
  .testTarget(
    name: "SceneCommandsTests",
    dependencies: [
      "SceneClient", "SceneCommandLine", "SceneCommands", "SceneControl", "SceneControlTestSupport",
      "SceneFuzzing", "SceneHandoff", "SceneJSON", "SceneJournalTools", "SceneModel",
      "ScenePlatform", "SceneScript", "SceneTestSupport", "SceneWire",
    ], swiftSettings: strict),
  .testTarget(
    name: "SceneJournalToolsTests",
    dependencies: [
      "SceneCommandLine", "SceneJSON", "SceneJournal", "SceneJournalTools", "SceneModel",
      "ScenePlatform", "SceneTestSupport",
    ], swiftSettings: strict),
  .testTarget(
    name: "SimulationTests",
    dependencies: [
      "SceneBroker", "SceneCommandLine", "SceneCommands", "SceneFuzzing", "SceneHandoff",
      "SceneJSON", "SceneJournal", "SceneManifest", "SceneModel", "ScenePlatform", "SceneServer",
      "SceneTestSupport", "SceneWire",
    ], swiftSettings: strict),
  .testTarget(
    name: "SystemTests",
    dependencies: [
      "SceneClient", "SceneJSON", "SceneModel", "SceneNoteApp", "SceneNoteScene", "SceneNotes",
      "ScenePlatform", "ScenePortAlbum", "ScenePortAppDelegate", "ScenePortChat",
      "ScenePortClassic", "ScenePortConfiguration", "ScenePortHello", "ScenePortLists",
      "ScenePortReader", "ScenePortRestoration", "ScenePortTemplate", "SceneTestSupport",
      "SceneTesting", "SceneTool", "scene-bench", "scenectl", "scened", "scenehandoff",
    ], swiftSettings: strict),
  .testTarget(
    name: "DocumentationTests",
    dependencies: [
      "SceneApp", "SceneBroker", "SceneClient", "SceneCommandLine", "SceneCommands",
      "SceneFoundation", "SceneJSON", "SceneJournal", "SceneModel", "ScenePlatform", "SceneServer",
      "SceneTestSupport", "SceneTesting", "SceneTool", "SceneWire", "scenectl", "scened",
      "scenehandoff",
    ], swiftSettings: strict),
]

let package = Package(
  name: "SceneBroker",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "SceneClient", targets: ["SceneClient"]),
    .library(name: "SceneApp", targets: ["SceneApp"]),
    .library(name: "SceneFoundation", targets: ["SceneFoundation"]),
    .library(name: "SceneTesting", targets: ["SceneTesting"]),
    .executable(name: "scened", targets: ["scened"]),
    .executable(name: "scene", targets: ["SceneTool"]),
    .executable(name: "scenectl", targets: ["scenectl"]),
    .executable(name: "scenehandoff", targets: ["scenehandoff"]),
    .executable(name: "notes", targets: ["SceneNotes"]),
    // Samples, which the tests start.
    .executable(name: "note-scene", targets: ["SceneNoteScene"]),
    .executable(name: "note-app", targets: ["SceneNoteApp"]),
    .executable(name: "line-scene", targets: ["SceneLineScene"]),
  ],
  targets: layers + support + ports + tests,
  swiftLanguageModes: [.v6]
)

// Only these test targets and what they need, for a build of its own.
if let names = Context.environment["SCENE_TEST_TARGETS"]?.split(separator: " "), !names.isEmpty {
  var kept = Set(names.map(String.init))
  for target in package.targets.reversed() + package.targets.reversed()
  where kept.contains(target.name) {
    for case .byNameItem(let name, _) in target.dependencies { kept.insert(name) }
  }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products.removeAll()
}
