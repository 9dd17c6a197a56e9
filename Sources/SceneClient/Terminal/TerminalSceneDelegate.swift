/// What a scene does with what is typed.
///
/// Lines of standard input are for the *key* scene: of those of this process that have such a
/// delegate, the one that came to the foreground last. They are read as soon as there is one. A line
/// that is typed while it is in the background, or was reclaimed, brings it to the foreground first.
/// A pipe is read no faster than scenes take its lines; a line that is not UTF-8 is left out, and said
/// to be on standard error.
///
/// Ctrl-D closes the key scene, and so does the end of a file or a pipe, unless there was nothing in
/// it, as in `/dev/null`. Without a broker either ends the application. In an ``App`` a person is first
/// told what would be lost by that, and has to press Ctrl-D or Ctrl-C again; who cannot press again,
/// as at the end of a pipe, is told and leaves.
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
