import JSON
import SceneModel
import SceneTransport
import SceneWire

/// Something the broker sent that is no message. The conversation cannot go on.
struct ConversationError: Error, Equatable, Sendable {
  var problem: String
}

/// Makes events of what the broker sends.
struct MessageReader {
  private let document = JSONDocument()

  /// Nil for a notification this version does not know. `method` tells what was asked under a
  /// number.
  func read(
    _ content: Span<UInt8>, method: (Int64) -> ClientMethod?
  ) throws(ConversationError) -> ClientEvent? {
    defer { document.trim(above: 256 << 10) }
    do throws(EnvelopeError) {
      return try event(try Envelope(content, into: document), method: method)
    } catch {
      guard let farewell = error.farewell else {
        throw ConversationError(problem: error.error.message)
      }
      return .dismissed(SceneError(farewell))
    }
  }

  private func event(
    _ envelope: Envelope, method: (Int64) -> ClientMethod?
  ) throws(EnvelopeError) -> ClientEvent? {
    switch envelope {
    case .request(let identifier?, let name, let params): call(identifier, name, params)
    case .request(nil, let name, let params): notification(name, params)
    case .result(.number(let number), let value):
      method(number).map { .replied(number, Self.reply($0, value)) }
    case .failure(.number(let number), let value):
      .replied(number, .failure(SceneError(Refusal(reading: value))))
    case .result(.string, _), .failure(.string, _):
      // This client gives its requests numbers.
      nil
    }
  }

  private func call(
    _ identifier: RequestIdentifier, _ name: JSONValue, _ params: JSONValue?
  ) -> ClientEvent {
    guard let params, let callback = try? Callback(method: name, params: params) else {
      return .calledUnknown(identifier, method: name.methodName)
    }
    return .called(identifier, callback)
  }

  private func notification(_ name: JSONValue, _ params: JSONValue?) -> ClientEvent? {
    guard let params,
      let notification = try? BrokerNotification(method: name, params: params)
    else { return nil }
    return .notified(notification)
  }

  private static func reply(
    _ method: ClientMethod, _ value: JSONValue
  ) -> Result<BrokerReply, SceneError> {
    do throws(MemberError) {
      return .success(try BrokerReply(reading: value, to: method))
    } catch {
      return .failure(
        SceneError(.invalidRequest, "invalid reply to \(method) from the broker: \(error)"))
    }
  }
}

extension SceneError {
  /// What a broker answered.
  init(_ refusal: Refusal) {
    let retry: Retry =
      switch refusal.retry {
      case .never: .never
      case .later: .later
      case .now: .now
      }
    self.init(Code(rawValue: refusal.reason), refusal.message, retry: retry)
  }
}
