package import SceneJSON
package import SceneModel

/// The error reply of a broker.
///
/// A newer broker can send unknown names.
package struct RemoteError: Error, Equatable, Sendable {
  package var code: Int64
  /// The stable name of the error, such as `sessionNotFound`.
  package var reason: String
  package var message: String
  package var retry: Retry
  /// The session of the error, if the requester may not know it.
  package var session: String?
  /// The error object, byte for byte.
  package var json: RawJSON

  package init(code: Int64, reason: String, message: String, retry: Retry, json: RawJSON) {
    self.code = code
    self.reason = reason
    self.message = message
    self.retry = retry
    self.json = json
  }

  /// Whether the error has this reason.
  package func `is`(_ reason: ErrorReason) -> Bool { self.reason == reason.name }

  /// Whether the broker has left the request to the program that takes its place.
  package var isOfUpgrade: Bool { `is`(.shuttingDown) && retry == .now }
}

extension RemoteError {
  /// Reads the error object of a reply. Missing members get defaults.
  package init(reading error: JSONValue) {
    let data = error["data"]
    code = error["code"]?.integer ?? 0
    reason = data?["reason"]?.string ?? "error \(code)"
    message = error["message"]?.string ?? reason
    retry = data?["retry"]?.string.flatMap(Retry.init(rawValue:)) ?? .never
    session = data?["session"]?.string
    json = error.raw
  }
}
