/// What a scene does with what is typed.
///
/// Lines of standard input are for the *key* scene: of those of this process that have such a
/// delegate, the one that came to the foreground last. They are read as soon as there is one. A line
/// that is typed while it is in the background, or was reclaimed, brings it to the foreground first.
/// A pipe is read no faster than scenes take its lines; a line that is not UTF-8 is left out, and said
/// to be on standard error.
///
/// Ctrl-D closes the key scene. So does the end of a file or a pipe, unless the input was empty, as in
/// `/dev/null`. ``SceneApplication/main(_:arguments:)`` and an ``App`` end with their last scene.
/// ``SceneApplication/run(_:)`` goes on without one, until ``SceneApplication/stop()``. A line that no
/// scene of the program takes is reported on standard error; Ctrl-D then ends the program.
///
/// Without a broker, Ctrl-D and the end of the input end the application. If something would be lost
/// by that, `main` first reports the loss, and the user presses Ctrl-D or Ctrl-C again. At the end of a
/// pipe the program reports the loss and ends.
public protocol TerminalSceneDelegate: SceneDelegate {
  /// What is typed is for the scene from now on: it has come to the foreground, or the one that was
  /// in front of it has gone.
  func sceneDidBecomeKey(_ scene: Scene)
  /// A line was typed, here without its end.
  func scene(_ scene: Scene, didReceiveLine line: String)
}

extension TerminalSceneDelegate {
  /// Does nothing.
  public func sceneDidBecomeKey(_ scene: Scene) {}
}
