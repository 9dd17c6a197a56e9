/// Whether another attempt can succeed.
public enum Retry: String, Hashable, Sendable {
  /// The broker would refuse the same request again.
  case never
  /// Another attempt can succeed after a pause, when something has changed that the client cannot
  /// see.
  case later
  /// Another attempt can succeed at once, because only another request came first.
  case now
}

/// The name of an error, with its code. Both are stable. A new reason is a declaration and an entry
/// of ``all``.
package struct ErrorReason: Hashable, Sendable {
  package let name: String
  package let code: Int64
  /// The default for errors with this reason.
  package let retry: Retry
  /// The outcome for the caller of a program. After ``ErrorOutcome/no``, the retry of the error
  /// decides.
  let outcome: ErrorOutcome
  /// Whether every error with this reason describes sessions, so that it waits for their records.
  package let speaksOfSessions: Bool

  private init(
    _ name: String, _ code: Int64, _ outcome: ErrorOutcome, _ retry: Retry = .never,
    speaksOfSessions: Bool = false
  ) {
    self.name = name
    self.code = code
    self.outcome = outcome
    self.retry = retry
    self.speaksOfSessions = speaksOfSessions
  }

  package static let parseError = ErrorReason("parseError", -32700, .badData)
  package static let invalidRequest = ErrorReason("invalidRequest", -32600, .badData)
  package static let methodNotFound = ErrorReason("methodNotFound", -32601, .badData)
  package static let invalidParams = ErrorReason("invalidParams", -32602, .badData)
  package static let multipleScenesNotSupported = ErrorReason(
    "multipleScenesNotSupported", 0, .no, speaksOfSessions: true)
  package static let requestDenied = ErrorReason("requestDenied", 1, .no, speaksOfSessions: true)
  package static let notInitialized = ErrorReason("notInitialized", 1000, .fault)
  package static let alreadyInitialized = ErrorReason("alreadyInitialized", 1001, .fault)
  package static let unsupportedProtocol = ErrorReason("unsupportedProtocol", 1002, .noBroker)
  package static let notPermitted = ErrorReason("notPermitted", 1003, .notAllowed)
  package static let sessionNotFound = ErrorReason(
    "sessionNotFound", 1004, .noSession, speaksOfSessions: true)
  package static let sessionInUse = ErrorReason(
    "sessionInUse", 1005, .tryAgain, speaksOfSessions: true)
  package static let sessionNotHeld = ErrorReason(
    "sessionNotHeld", 1006, .no, speaksOfSessions: true)
  package static let nameInUse = ErrorReason("nameInUse", 1007, .no, speaksOfSessions: true)
  package static let noHost = ErrorReason("noHost", 1008, .tryAgain, .later)
  package static let noConfiguration = ErrorReason("noConfiguration", 1009, .badConfiguration)
  package static let wrongRole = ErrorReason("wrongRole", 1010, .no, speaksOfSessions: true)
  package static let delegateInUse = ErrorReason("delegateInUse", 1011, .no)
  package static let tooLarge = ErrorReason("tooLarge", 1012, .badData)
  package static let tooMany = ErrorReason("tooMany", 1013, .tryAgain, .later)
  package static let storageFull = ErrorReason("storageFull", 1014, .tryAgain, .later)
  package static let shuttingDown = ErrorReason("shuttingDown", 1015, .tryAgain, .later)
  package static let launchFailed = ErrorReason("launchFailed", 1016, .tryAgain, .later)
  package static let invalidPredicate = ErrorReason("invalidPredicate", 1017, .badData)
  package static let staleFence = ErrorReason("staleFence", 1018, .no, speaksOfSessions: true)
  package static let sessionAway = ErrorReason("sessionAway", 1019, .no, speaksOfSessions: true)

  package static let unresponsive = ErrorReason(
    "unresponsive", 1020, .tryAgain, .later, speaksOfSessions: true)

  /// All reasons, in the order of their codes.
  package static let all: [ErrorReason] = [
    parseError, invalidRequest, methodNotFound, invalidParams, multipleScenesNotSupported,
    requestDenied, notInitialized, alreadyInitialized, unsupportedProtocol, notPermitted,
    sessionNotFound, sessionInUse, sessionNotHeld, nameInUse, noHost, noConfiguration, wrongRole,
    delegateInUse, tooLarge, tooMany, storageFull, shuttingDown, launchFailed, invalidPredicate,
    staleFence, sessionAway, unresponsive,
  ]

  package static func named(_ name: String) -> ErrorReason? { all.first { $0.name == name } }
}
