import SceneCommandLine
import SceneControl
import SceneControlTestSupport
import SceneModel
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
    return try of(words, broker, environment: environment, isScreen: isScreen) {
      (client) throws(ControlError) in try broker.connect(as: client)
    }
  }

  /// Runs `scenectl` as a program that connects again after the end of a broker. Each attempt to
  /// connect has the next of these outcomes.
  static func of(
    _ words: [String], reconnectingTo next: Result<StubBroker, ControlError>,
    _ others: Result<StubBroker, ControlError>...
  ) throws -> Outcome {
    let first = try StubBroker([greeting], ending: true)
    var attempts = [.success(first), next] + others
    return try of(words, first, ownsProcess: true) { (client) throws(ControlError) in
      try attempts.removeFirst().get().connect(as: client)
    }
  }

  private static func of(
    _ words: [String], _ broker: StubBroker, environment: [String: String] = [:],
    isScreen: Bool = false, ownsProcess: Bool = false,
    connector: @escaping (ClientName) throws(ControlError) -> ControlConnection
  ) throws -> Outcome {
    let printed = Printed()
    let console = Console(isScreen: isScreen) { (stream, bytes) throws(SystemError) in
      switch stream {
      case .output: printed.output += String(decoding: bytes, as: UTF8.self)
      case .error: printed.errors += String(decoding: bytes, as: UTF8.self)
      case .input: return
      }
    }
    let code = Scenectl.run(
      words, environment: environment, console: console, ownsProcess: ownsProcess
    ) { (_, client, _) throws(ControlError) in try connector(client) }
    return Outcome(
      code: code, output: printed.output, errors: printed.errors,
      requests: try broker.requests())
  }
}

private final class Printed {
  var output = ""
  var errors = ""
}
