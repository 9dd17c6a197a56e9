public import SceneClient
import ScenePlatform

/// An application delegate that is a whole program. Corresponds to UIKit's UIApplicationDelegate
/// with the attribute `@main`.
///
/// ```swift
/// @main
/// final class AppDelegate: MainApplicationDelegate {
///   func application(
///     _ application: ApplicationProcess,
///     didFinishLaunchingWithOptions launchOptions: [ApplicationProcess.LaunchOptionsKey: Any]?
///   ) -> Bool { true }
/// }
/// ```
public protocol MainApplicationDelegate: ApplicationDelegate {
  /// Makes the delegate once, when the program begins.
  init()
}

extension MainApplicationDelegate {
  /// Runs the whole program, as `ApplicationProcess.main` does. The program has its file's name.
  @MainActor
  public static func main() async {
    await ApplicationProcess(name: CurrentProcess.fileName, delegate: Self()).main()
  }
}

/// The delegate of a classic application that is a whole program: each window has its own delegate.
public protocol MainClassicApplicationDelegate: ClassicApplicationDelegate {
  /// Makes the delegate of one window.
  init()
}

extension MainClassicApplicationDelegate {
  /// Runs the whole program, as `SceneApplication.main` does. The program has the name of its file.
  @MainActor
  public static func main() async {
    await SceneApplication(delegate: { Self() }).main()
  }
}

extension CurrentProcess {
  /// The name of the program's file.
  static var fileName: String { name ?? "scene" }
}
