import ScenePlatform
import SceneTestSupport
import Testing

/// The compiler's view of programs that use the library.
@Suite("Compilation of programs")
struct CompilationTests {
  /// Compiles files up to the checks of data flow, such as those for data races. A warning is an
  /// error.
  private func compile(_ files: [String], _ options: String...) throws -> Outcome {
    let products = try Programs.buildDirectory()
    let isScript = files.contains { $0.hasSuffix("/main.swift") }
    return try RunningProgram.run(
      "swiftc",
      [
        "-emit-sil", "-wmo", "-o", "/dev/null", "-swift-version", "6",
        "-warnings-as-errors", "-I", products + "/Modules", "-Xcc",
        "-I" + Repository.file("Sources/CScenePlatform/include"),
      ] + (isScript ? [] : ["-parse-as-library"]) + options + files)
  }

  @Test("a port compiles without warnings with each default isolation")
  func ports() throws {
    let directory = try Repository.file("Tests/Ports")
    let ports = try Directory.list(directory)
    #expect(ports.count == 12)
    for port in ports {
      let files = try Directory.list("\(directory)/\(port)").map { "\(directory)/\(port)/\($0)" }
      for isolation in ["nonisolated", "MainActor"] {
        let outcome = try compile(files, "-default-isolation", isolation)
        #expect(outcome.code == 0, "\(port), \(isolation):\n\(outcome.errors)")
      }
    }
  }

  private static let accepted = [
    (
      "a delegate of the main actor",
      """
      @MainActor
      final class NoteDelegate: SceneDelegate {
        var uploads = 0
        nonisolated init() {}
        func sceneDidBecomeActive(_ scene: Scene) { uploads += 1 }
        @MainActor func sceneDidEnterBackground(_ scene: Scene) async throws {
          try await scene.save(nil)
          uploads += 1
        }
      }
      """
    ),
    (
      "an application delegate with UIKit's launch options",
      """
      final class AppDelegate: ApplicationDelegate {
        func application(
          _ application: SceneApplication,
          didFinishLaunchingWithOptions
            launchOptions: [SceneApplication.LaunchOptionsKey: Any]?
        ) -> Bool { launchOptions == nil }
      }
      """
    ),
  ]

  @Test("a program of each form compiles without warnings with each default isolation")
  func forms() throws {
    for (name, program) in Self.accepted {
      let workplace = try Workplace()
      let file = try workplace.write("Program.swift", "import SceneApp\n\n\(program)\n")
      for isolation in ["nonisolated", "MainActor"] {
        let outcome = try compile([file], "-default-isolation", isolation)
        #expect(outcome.code == 0, "\(name), \(isolation):\n\(outcome.errors)")
      }
    }
  }

  @Test("with the setting of the manual, a delegate's call can await a method of the delegate")
  func manualSetting() throws {
    let workplace = try Workplace()
    let file = try workplace.write(
      "Program.swift",
      """
      import SceneApp

      final class NoteDelegate: SceneDelegate {
        private var loads = 0
        func sceneDidBecomeActive(_ windowScene: WindowScene) async { await load() }
        private func load() async { loads += 1 }
      }
      """)
    let feature = "NonisolatedNonsendingByDefault"
    let outcome = try compile([file], "-enable-upcoming-feature", feature)
    #expect(outcome.code == 0, "\(outcome.errors)")
  }

  private static let refused = [
    (
      "a delegate that the main actor shares with a scene",
      """
      @MainActor
      final class NoteDelegate: SceneDelegate {
        private var line = 0
        func turn() { line += 1 }
      }
      func turn(_ scene: Scene) {
        scene.perform(as: NoteDelegate.self) { $0.turn() }
      }
      """, ["call to main actor-isolated instance method 'turn()'"]
    ),
    (
      "a delegate that is used after it was passed to a process",
      """
      final class AppDelegate: ApplicationDelegate {
        var launches = 0
      }
      func prepare() -> SceneApplication {
        let delegate = AppDelegate()
        let process = SceneApplication(name: "notes", delegate: delegate)
        delegate.launches += 1
        return process
      }
      """, ["sending", "'AppDelegate'", "data races"]
    ),
  ]

  @Test("a program with a data race does not compile")
  func refusals() throws {
    for (name, program, words) in Self.refused {
      let workplace = try Workplace()
      let file = try workplace.write("Program.swift", "import SceneApp\n\n\(program)\n")
      for isolation in ["nonisolated", "MainActor"] {
        let outcome = try compile([file], "-default-isolation", isolation)
        #expect(outcome.code != 0, "\(name), \(isolation)")
        let error = outcome.errors.split(separator: "\n").first { $0.contains(": error: ") } ?? ""
        for word in words {
          #expect(error.contains(word), "\(name), \(isolation): \(outcome.errors)")
        }
      }
    }
  }
}
