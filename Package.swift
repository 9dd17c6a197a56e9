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

let package = Package(
  name: "SceneBroker",
  platforms: [.macOS(.v15)],
  products: [],
  targets: [
    // Floor 0
    .target(name: "JSON", swiftSettings: memorySafe),
    .target(name: "CPlatform"),
    .target(name: "ScenePlatform", dependencies: ["CPlatform"], swiftSettings: strict),
    .target(name: "CommandLine", swiftSettings: strict),
    // Floor 1
    .target(name: "SceneModel", dependencies: ["JSON"], swiftSettings: memorySafe),
    // Floor 2
    .target(name: "SceneBroker", dependencies: ["JSON", "SceneModel"], swiftSettings: memorySafe),
    .target(name: "SceneWire", dependencies: ["JSON", "SceneModel"], swiftSettings: memorySafe),
    .target(name: "SceneJournal", dependencies: ["ScenePlatform"], swiftSettings: memorySafe),
    // Floor 3
    .target(
      name: "SceneServer",
      dependencies: [
        "JSON", "SceneBroker", "SceneJournal", "SceneModel", "ScenePlatform", "SceneWire",
      ], swiftSettings: strict),
    // Floor 5
    .executableTarget(
      name: "scened",
      dependencies: ["CommandLine", "SceneJournal", "SceneModel", "ScenePlatform", "SceneServer"],
      swiftSettings: strict),

    // Tests
    .target(
      name: "SceneTestSupport",
      dependencies: ["JSON", "SceneJournal", "SceneModel", "ScenePlatform", "SceneWire"],
      path: "Tests/SceneTestSupport", swiftSettings: strict),
    .testTarget(name: "StructureTests", swiftSettings: strict),
    .testTarget(name: "JSONTests", dependencies: ["JSON"], swiftSettings: strict),
    .testTarget(
      name: "ScenePlatformTests", dependencies: ["ScenePlatform"], swiftSettings: strict),
    .testTarget(
      name: "CommandLineTests", dependencies: ["CommandLine", "ScenePlatform"],
      swiftSettings: strict),
    .testTarget(
      name: "SceneJournalTests",
      dependencies: ["SceneJournal", "ScenePlatform", "SceneTestSupport"], swiftSettings: strict),
    .testTarget(name: "SceneModelTests", dependencies: ["JSON", "SceneModel"], swiftSettings: strict),
    .testTarget(
      name: "SceneBrokerTests", dependencies: ["JSON", "SceneBroker", "SceneModel"],
      swiftSettings: strict),
    .testTarget(
      name: "SceneWireTests", dependencies: ["JSON", "SceneModel", "SceneWire"],
      swiftSettings: strict),
    .testTarget(
      name: "SimulationTests",
      dependencies: [
        "JSON", "SceneBroker", "SceneJournal", "SceneModel", "ScenePlatform", "SceneServer",
        "SceneTestSupport", "SceneWire",
      ], swiftSettings: strict),
    .testTarget(
      name: "SceneServerTests",
      dependencies: [
        "JSON", "SceneBroker", "SceneJournal", "SceneModel", "SceneServer", "SceneWire",
      ], swiftSettings: strict),
    .testTarget(
      name: "SystemTests",
      dependencies: ["JSON", "SceneModel", "ScenePlatform", "SceneTestSupport", "scened"],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
