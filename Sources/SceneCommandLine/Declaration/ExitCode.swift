/// The exit statuses of the programs. Scripts depend on these numbers.
package enum ExitCode: Int32, CaseIterable, Sendable {
  case success = 0
  case failure = 1
  case usage = 2
  case badData = 65
  case noSession = 66
  case noBroker = 69
  case fault = 70
  case inputOutput = 74
  case tryAgain = 75
  case notAllowed = 77
  case badConfiguration = 78
  case timedOut = 124
  /// The status that shells use for a command that exists and cannot be started.
  case badCommand = 126
  case noCommand = 127

  /// The name of this status in reports and in the expectations of scripts.
  package var reason: String {
    switch self {
    case .success: "yes"
    case .failure: "no"
    default: "\(self)"
    }
  }
}
