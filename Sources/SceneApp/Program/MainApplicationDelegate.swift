public import SceneClient

/// An application delegate that is a whole program, with the attribute `@main`. Corresponds to
/// `UIApplicationDelegate`.
///
/// ```swift
/// @main
/// final class AppDelegate: MainApplicationDelegate {
///   func application(
///     _ application: SceneApplication,
///     didFinishLaunchingWithOptions launchOptions: [SceneApplication.LaunchOptionsKey: Any]?
///   ) -> Bool { true }
/// }
/// ```
public protocol MainApplicationDelegate: ApplicationDelegate {
  /// Makes the delegate once, when the program begins. Corresponds to `NSObject.init()`.
  init()
}

extension MainApplicationDelegate {
  /// Runs the whole program, as `SceneApplication.main` does. The program has its file's name.
  /// Corresponds to `UIApplicationDelegate.main()`.
  @MainActor
  public static func main() async {
    await SceneApplication(name: ProgramAddress.defaultName, delegate: Self()).main()
  }
}

/// The delegate of a classic application that is a whole program: each window has its own delegate.
/// Corresponds to `UIApplicationDelegate`.
public protocol MainClassicApplicationDelegate: ClassicApplicationDelegate {
  /// Makes the delegate of one window. Corresponds to `NSObject.init()`.
  init()
}

extension MainClassicApplicationDelegate {
  /// Runs the whole program, as `SceneApplication.main` does. The program has the name of its file.
  /// Corresponds to `UIApplicationDelegate.main()`.
  @MainActor
  public static func main() async {
    await SceneApplication(delegate: { Self() }).main()
  }
}
