package import SceneBroker
package import SceneModel
package import ScenePlatform

/// Starts programs for sessions that need a process, and ends them. A test has its own.
package protocol ProgramLauncher: AnyObject {
  /// Starts a program with the token in its environment. The event loop learns of its end.
  func start(_ request: LaunchRequest, token: String) throws(SystemError) -> ClientProcess
  /// Ends a launched program, with all processes that it started.
  func end(_ launch: LaunchIdentifier)
  /// Ends launches of earlier brokers, except those with one of these processes.
  func endSurvivors(sparing connected: Set<Int64>)
}

/// The token in the environment of a launched program. All tokens of one broker have one prefix.
enum LaunchToken {
  /// The digits that identify the broker.
  static let prefixLength = 16

  static func text(broker: UInt64, launch: UInt64) -> String { digits(broker) + digits(launch) }

  private static func digits(_ word: UInt64) -> String {
    let text = String(word, radix: 16)
    return String(repeating: "0", count: prefixLength - text.count) + text
  }
}
