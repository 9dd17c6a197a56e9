package import JSON
package import SceneModel
package import ScenePlatform

/// Why a broker could not be asked, or did not do what it was asked for.
package enum ControlError: Error, Equatable, Sendable {
  /// Nobody listens at the socket's path.
  case noBroker(path: String, SystemError)
  /// The connection ended before the answer came; the last words of the other side, if there were
  /// any.
  case lost(lastWords: String?)
  /// The broker answered with an error.
  case refused(Refusal)
  /// No answer came in time.
  case timedOut
  /// What came is not what a broker says.
  case garbled(String)
  case system(SystemError)
}

/// An error that a broker answered with, as it stands on the wire.
///
/// Names are an open set: those of a newer broker are carried, not refused.
package struct Refusal: Error, Equatable, Sendable {
  package var code: Int64
  /// The stable name of the error, such as `sessionNotFound`.
  package var reason: String
  package var message: String
  package var retry: Retry
  /// The error object, byte for byte.
  package var json: RawJSON

  /// Whether it is this error.
  package func `is`(_ reason: ErrorReason) -> Bool { self.reason == reason.name }
}

extension Refusal {
  /// Reads the error object of a reply; what is missing is made up for.
  init(reading error: JSONValue) {
    let data = error["data"]
    code = error["code"]?.integer ?? 0
    reason = data?["reason"]?.string ?? "error \(code)"
    message = error["message"]?.string ?? reason
    retry = data?["retry"]?.string.flatMap(Retry.init(rawValue:)) ?? .never
    json = error.raw
  }
}
