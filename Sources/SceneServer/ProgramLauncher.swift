package import SceneBroker
package import SceneModel

/// Starts programs for sessions that need a process, and ends them: the machine's, or a test's.
package protocol ProgramLauncher: AnyObject {
  /// Starts one, whose process shows the token. How it ends is told to the switchboard.
  func start(_ request: LaunchRequest, token: String) throws(LaunchError) -> ClientProcess
  /// Ends one that was started, and whatever it has started itself.
  func end(_ launch: LaunchIdentifier)
  /// Ends what an earlier broker has launched, except launches of which one of these processes is.
  func endSurvivors(sparing connected: Set<Int64>)
}

/// The word that a launched program shows. All of one broker begin alike.
enum LaunchToken {
  /// How many digits tell the broker.
  static let prefixLength = 16

  static func text(broker: UInt64, launch: UInt64) -> String { digits(broker) + digits(launch) }

  private static func digits(_ word: UInt64) -> String {
    let text = String(word, radix: 16)
    return String(repeating: "0", count: prefixLength - text.count) + text
  }
}

/// Why a program could not be started.
package struct LaunchError: Error, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}

/// Starting and ending programs, as the rules want it.
extension Switchboard {
  func launch(_ request: LaunchRequest) {
    let token = LaunchToken.text(broker: launchWord, launch: identifiers.nextWord())
    do throws(LaunchError) {
      guard let launcher else { throw LaunchError("this broker starts no programs") }
      let process = try launcher.start(request, token: token)
      handle(.launched(request.identifier, process, token: token))
    } catch {
      handle(.notLaunched(request.identifier, problem: error.description))
    }
  }

  /// A program that was started has ended.
  package func exited(_ launch: LaunchIdentifier, _ status: ClientExit) {
    hasHeard = true
    handle(.exited(launch, status))
  }
}
