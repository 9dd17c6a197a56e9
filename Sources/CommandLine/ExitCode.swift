/// The exit statuses of the programs. Scripts depend on these numbers.
package enum ExitCode: Int32, CaseIterable, Sendable {
  case yes = 0
  case no = 1
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
  /// As shells have it: the command is there, and cannot be started.
  case badCommand = 126
  case noCommand = 127

  /// All is well.
  package static var success: ExitCode { .yes }

  /// A few words for a help page.
  package var meaning: String {
    switch self {
    case .yes: "it worked, or: yes"
    case .no: "no"
    case .usage: "the command line is wrong"
    case .badData: "what was given to read is wrong"
    case .noSession: "there is no such session, or file"
    case .noBroker: "no broker answers"
    case .fault: "a fault of this program"
    case .inputOutput: "reading or writing failed"
    case .tryAgain: "not now; try again later"
    case .notAllowed: "this is not allowed"
    case .badConfiguration: "the configuration is wrong"
    case .timedOut: "it took too long"
    case .badCommand: "the command cannot be started"
    case .noCommand: "there is no such command"
    }
  }
}
