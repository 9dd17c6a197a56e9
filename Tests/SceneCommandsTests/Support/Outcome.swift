import SceneCommandLine
import SceneControl
import SceneControlTestSupport
import ScenePlatform

@testable import SceneCommands

/// What came of a command line.
struct Outcome {
  var code: ExitCode
  var output: String
  var errors: String
  /// Each as `method params`, without `initialize`.
  var requests: [String]

  /// Runs `scenectl` with these words against a broker that says this, and then, unless it is not
  /// ending, nothing more.
  static func of(
    _ words: [String], _ script: [String] = [], environment: [String: String] = [:],
    ending: Bool = true, isScreen: Bool = false
  ) throws -> Outcome {
    let broker = try StubBroker([greeting] + script, ending: ending)
    let printed = Printed()
    let console = Console(isScreen: isScreen) { (stream, bytes) throws(SystemError) in
      switch stream {
      case .output: printed.output += String(decoding: bytes, as: UTF8.self)
      case .error: printed.errors += String(decoding: bytes, as: UTF8.self)
      case .input: return
      }
    }
    let code = Scenectl.run(words, environment: environment, console: console) {
      (_, client, _) throws(ControlError) in
      try broker.connect(as: client)
    }
    return Outcome(
      code: code, output: printed.output, errors: printed.errors,
      requests: try broker.requests())
  }
}

private final class Printed {
  var output = ""
  var errors = ""
}
