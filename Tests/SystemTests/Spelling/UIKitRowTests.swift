import SceneTestSupport
import SceneTesting
import Testing

/// A program or a test with a broker uses the counterpart of each name of UIKit and SwiftUI that is
/// no call of a delegate.
@Suite("Names of UIKit")
struct UIKitRowTests {
  /// Words in a file that use a counterpart.
  private struct Use {
    let file: String
    let words: String

    static func port(_ file: String, _ words: String) -> Use {
      Use(file: "Tests/Ports/\(file).swift", words: words)
    }

    static func spelling(_ words: String) -> Use {
      Use(file: "Tests/SystemTests/Spelling/RequestSpellingTests.swift", words: words)
    }

    static func test(_ file: String, _ words: String) -> Use {
      Use(file: "Tests/SceneTestingTests/\(file).swift", words: words)
    }

    /// Whether the file, or a test of the program that the file belongs to, starts a broker.
    func startsBroker() throws -> Bool {
      let parts = file.split(separator: "/")
      guard parts[1] == "Ports" else { return try Repository.text(file).contains("withBroker") }
      let tests = try Repository.text("Tests/SystemTests/Ports/PortTests.swift")
      return tests.contains("broker.launch(\"ScenePort\(parts[2])\"")
        || tests.contains("broker.launch(\n        \"ScenePort\(parts[2])\"")
    }
  }

  private static let requests: [String: [Use]] = [
    "@main on the delegate's class": [
      .port("AppDelegate/AppDelegate", "@main\nfinal class AppDelegate: MainApplicationDelegate"),
      .port(
        "Classic/AppDelegate", "@main\nfinal class AppDelegate: MainClassicApplicationDelegate"),
      .port("Hello/HelloApp", "@main\nstruct HelloApp: App"),
    ],
    "UIApplicationMain": [
      .port("Template/main", "await SceneApplication(delegate: SceneDelegate.init).main()"),
      .spelling("application.run("),
    ],
    "UIApplication.shared": [
      .port("Lists/SceneDelegate", "SceneApplication.shared"),
      .spelling("scene.application === application"),
    ],
    "UISceneError.multipleScenesNotSupported, .requestDenied": [
      .spelling("error?.code == .multipleScenesNotSupported"),
      .spelling("error?.code == .requestDenied"),
    ],
    "beginBackgroundTask(withName:expirationHandler:), endBackgroundTask(_:)": [
      .spelling("scene.beginAssertion(named: "), .spelling("assertion.end()"),
      .spelling("scene.withAssertion(named: "),
    ],
  ]

  private static let swiftUI: [String: [Use]] = [
    "@main struct … : App, body": [
      .port("Hello/HelloApp", "@main\nstruct HelloApp: App"), .port("Hello/HelloApp", "var body"),
    ],
    "WindowGroup, Window, Settings": [
      .port("Hello/HelloApp", "WindowGroup {"), .port("Hello/HelloApp", "Settings {"),
      .port("Album/AlbumApp", "Window(id: "),
    ],
    "openWindow(id:value:)": [.port("Album/AlbumApp", "openWindow(id: \"Photo\", value: line)")],
    "@Environment(\\.scenePhase), .onChange(of: scenePhase)": [
      .port("Hello/HelloApp", "@Environment(\\.scenePhase) private var scenePhase"),
      .port("Hello/HelloApp", ".onChange(of: scenePhase) { (newScenePhase) in"),
      .port("Album/AlbumApp", ".onChange(of: scenePhase) { oldPhase, newPhase in"),
    ],
    "if #available in body": [
      .port("Album/AlbumApp", "if hasIndex {"), .port("Album/AlbumApp", "} else {"),
      .port("Album/AlbumApp", "for name in "),
    ],
    "UIApplicationDelegateAdaptor": [
      .port("Album/AlbumApp", "ApplicationDelegateAdaptor(AppDelegate.self)")
    ],
  ]

  private static let objects: [String: [Use]] = [
    "UIApplicationDelegate": [.port("AppDelegate/AppDelegate", ": MainApplicationDelegate")]
  ]

  @Test(
    "a port or a test with a broker uses the counterpart of each name, or the name has a case",
    arguments: [
      ("Coming-from-UIKit", "Requests", requests, UIKitNameCases.requests),
      ("Coming-from-SwiftUI", "App", swiftUI, [:]),
      ("Coming-from-UIKit", "Objects", objects, UIKitNameCases.objects),
    ])
  private func rows(
    page: String, heading: String, uses: [String: [Use]], cases: [String: UIKitNameCases.Case]
  ) throws {
    let names = try UIKitPage.names(below: heading, in: page)
    #expect(Set(names) == Set(uses.keys).union(cases.keys))
    #expect(names.count == uses.count + cases.count)
    for use in uses.values.joined() {
      #expect(try Repository.text(use.file).contains(use.words), "\(use.file): \(use.words)")
      #expect(try use.startsBroker(), "\(use.file)")
    }
  }

  @Test(
    "the counterpart of a name works with a broker",
    arguments: UIKitNameCases.requests.keys.sorted() + UIKitNameCases.objects.keys.sorted())
  func cases(name: String) async throws {
    let body = try #require(UIKitNameCases.requests[name] ?? UIKitNameCases.objects[name])
    let workplace = try Workplace()
    let manifest = try workplace.write(
      "windows.json",
      """
      {"supportsMultipleScenes": true, "configurations": {"windowApplication": [
        {"name": "Default Configuration", "delegateClass": "SceneDelegate"}]}}
      """)
    try await withBroker(options: ["--manifest", manifest]) { broker in
      try await body(SpelledScene(of: broker))
    }
  }
}
