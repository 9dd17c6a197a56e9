public import SceneClient

/// Receives the lines that the user types.
///
/// In a program that `main` runs, the library passes lines of standard input to the *key* scene:
/// the scene with such a delegate that became active last. Reading begins with the first such
/// scene. A line for a scene in the background first moves that scene to the foreground, and a line
/// for a reclaimed scene connects it again. The library reads a pipe only as fast as the scenes
/// take its lines. It drops a line that is not UTF-8, and reports it on standard error.
///
/// Ctrl-D closes the key scene. So does the end of a file or a pipe, unless the input was empty, as
/// in `/dev/null`. The program ends with its last scene. If no scene takes a line, the program
/// reports that on standard error. Ctrl-D then ends the program.
///
/// Without a broker, Ctrl-D and the end of the input end the application. If state would be lost,
/// `main` first reports the loss, and the user presses Ctrl-D or Ctrl-C again. At the end of a pipe
/// the program reports the loss and ends.
public protocol TerminalSceneDelegate: SceneDelegate {
  /// The scene receives the typed lines from now on. Corresponds to `UIWindow.becomeKey()`.
  ///
  /// - Parameter scene: the scene.
  /// - Throws: Any error is logged, and the scene continues.
  func sceneDidBecomeKey(_ scene: Scene) async throws
  /// The user typed a line. The next line waits until the method returns.
  ///
  /// - Parameters:
  ///   - scene: the key scene.
  ///   - line: the line without a line break, at most 1 MiB of UTF-8; a longer line arrives in
  ///     parts.
  /// - Throws: Any error is logged, and the scene continues.
  func scene(_ scene: Scene, didReceiveLine line: String) async throws
}

extension TerminalSceneDelegate {
  public func sceneDidBecomeKey(_ scene: Scene) async throws {}
}
