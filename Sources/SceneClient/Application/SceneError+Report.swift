import SceneCommandLine
import ScenePlatform

extension SceneError {
  /// Writes the error of a request that no caller awaits to standard error.
  func report(_ problem: String) {
    try? StandardStream.error.write(PlainText.escaped("\(problem): \(message)") + "\n")
  }
}
