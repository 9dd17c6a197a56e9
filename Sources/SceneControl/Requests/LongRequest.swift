import SceneJSON
import SceneModel
import SceneWire

/// A buffered request that waits for the limit of the broker.
struct LongRequest {
  let number: Int64
  /// The length of the content.
  let length: Int
  /// The range of its frame in the buffer; empty if the request exceeds the limit of every broker.
  let place: Range<Int>

  /// The size that every broker accepts.
  static var guaranteedSize: Int { 1024 }
}

extension RemoteError {
  /// The error that a broker would reply with.
  static func tooLong(_ length: Int, limit: Int) -> RemoteError {
    let error = BrokerError.requestTooLong(length, limit: limit)
    var writer = JSONWriter()
    error.write(to: &writer)
    return RemoteError(
      code: error.reason.code, reason: error.reason.name, message: error.message,
      retry: error.retry, json: RawJSON(unchecked: writer.bytes))
  }
}
