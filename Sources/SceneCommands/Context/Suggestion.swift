import SceneCommandLine
import ScenePlatform
import SceneWire

/// Makes the command lines in the hints of messages.
struct Suggestion {
  /// The options that select the same broker, each after a space.
  var options = ""
  /// The argument of `scene` for the session, or a placeholder.
  var session = "NAME"
  /// The argument of `scenectl reopen`; nil for a session whose window cannot open again.
  var reopened: String?

  /// A command line of `scenectl` or another program for the same broker.
  func line(_ words: String, of program: String = "scenectl") -> String {
    "\(program)\(options) \(words)"
  }
}
