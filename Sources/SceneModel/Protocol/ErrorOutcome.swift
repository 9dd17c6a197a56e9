/// The outcome of an error for the caller of a program. The numbers are exit statuses.
package enum ErrorOutcome: Int32, CaseIterable, Sendable {
  case no = 1
  case badData = 65
  case noSession = 66
  case noBroker = 69
  case fault = 70
  case tryAgain = 75
  case notAllowed = 77
  case badConfiguration = 78

  /// The outcome of an error with this name. For an unknown name, and for a plain failure, `retry`
  /// decides.
  package init(reason name: String, retry: Retry) {
    let outcome = ErrorReason.named(name)?.outcome ?? .no
    self = outcome == .no && retry != .never ? .tryAgain : outcome
  }
}
