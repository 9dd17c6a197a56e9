import JSON
import SceneModel
import SceneWire

/// A gathered request that is not sent before the broker has said how long one may be.
struct LongRequest {
  let number: Int64
  /// Of its content.
  let length: Int
  /// Its frame in what was gathered; empty where no broker would take it.
  let place: Range<Int>

  /// Requests up to this length are within any limit that goes together with others.
  static var surelyTaken: Int { 1024 }
}

extension RemoteError {
  /// As the broker would have put it, if it could have said so and gone on.
  static func tooLong(_ length: Int, limit: Int) -> RemoteError {
    let error = BrokerError.requestTooLong(length, limit: limit)
    var writer = JSONWriter()
    error.write(to: &writer)
    return RemoteError(
      code: error.reason.code, reason: error.reason.name, message: error.message,
      retry: error.retry, json: RawJSON(unchecked: writer.bytes))
  }
}
