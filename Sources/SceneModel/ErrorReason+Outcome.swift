/// The outcome of an error for the caller of a program that passes it on: the numbers are those that
/// programs end with.
package enum ErrorOutcome: Int32, CaseIterable, Sendable {
  case no = 1
  case badData = 65
  case noSession = 66
  case noBroker = 69
  case fault = 70
  case tryAgain = 75
  case notAllowed = 77
  case badConfiguration = 78

  /// The outcome of an error of this name. With one that this version does not know, and with a
  /// plain no, it goes by whether trying again can help.
  package init(reason name: String, retry: Retry) {
    let outcome = ErrorReason.named(name)?.outcome ?? .no
    self = outcome == .no && retry != .never ? .tryAgain : outcome
  }
}

extension ErrorReason {
  fileprivate var outcome: ErrorOutcome {
    switch self {
    case .parseError, .invalidRequest, .methodNotFound, .invalidParams, .tooLarge,
      .invalidPredicate:
      .badData
    case .notInitialized, .alreadyInitialized: .fault
    case .unsupportedProtocol: .noBroker
    case .notPermitted: .notAllowed
    case .sessionNotFound: .noSession
    case .noConfiguration: .badConfiguration
    // Its holder may give it up.
    case .sessionInUse: .tryAgain
    case .noHost, .tooMany, .storageFull, .shuttingDown, .launchFailed: .tryAgain
    default: .no
    }
  }
}
