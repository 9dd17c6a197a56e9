import SceneJSON
import SceneModel
import SceneTransport
import SceneWire

/// Turns the broker's messages into events.
struct MessageReader {
  private let document = JSONDocument()
  /// An application delegate has other callbacks than a scene.
  private let kind: ClientKind

  init(kind: ClientKind = .scene) { self.kind = kind }

  /// Returns nil for an unknown notification. `request` returns the type of a request by its
  /// number.
  ///
  /// - Throws: if the content is no message. The connection cannot continue.
  func read(
    _ content: Span<UInt8>, request: (Int64) -> (any RequestMessage.Type)?
  ) throws(EnvelopeError) -> ClientEvent? {
    defer { document.trim(above: 256 << 10) }
    do throws(EnvelopeError) {
      return try event(try Envelope(content, into: document), request)
    } catch {
      guard let closeReason = error.closeReason else { throw error }
      return .dismissed(SceneError(closeReason))
    }
  }

  private func event(
    _ envelope: Envelope, _ request: (Int64) -> (any RequestMessage.Type)?
  ) throws(EnvelopeError) -> ClientEvent? {
    switch envelope {
    case .request(let identifier?, let name, let params): call(identifier, name, params)
    case .request(nil, let name, let params): notification(name, params)
    case .result(.number(let number), let value):
      request(number).map { .replied(number, Self.reply($0, value)) }
    case .failure(.number(let number), let value):
      .replied(number, .failure(SceneError(RemoteError(reading: value))))
    case .result(.string, _), .failure(.string, _):
      // The requests of this client have numbers.
      nil
    }
  }

  private func call(
    _ identifier: RequestIdentifier, _ name: JSONValue, _ params: JSONValue?
  ) -> ClientEvent {
    guard let params, let callback = try? Callback(method: name, params: params),
      callback.kind.isOfDelegate == (kind == .applicationDelegate)
    else { return .calledUnknown(identifier, method: name.methodName) }
    guard callback.kind.isOfDelegate else { return .called(identifier, callback) }
    guard case .number(let number) = identifier else {
      return .calledUnknown(identifier, method: name.methodName)
    }
    return .delegateAsked(number, callback)
  }

  private func notification(_ name: JSONValue, _ params: JSONValue?) -> ClientEvent? {
    guard let params,
      let notification = try? BrokerNotification(method: name, params: params)
    else { return nil }
    return .notified(notification)
  }

  private static func reply(
    _ request: any RequestMessage.Type, _ value: JSONValue
  ) -> Result<BrokerReply, SceneError> {
    do throws(MemberError) {
      return .success(try request.readReply(value))
    } catch {
      return .failure(
        SceneError(.invalidRequest, "invalid reply to \(request.method) from the broker: \(error)"))
    }
  }
}

extension SceneError {
  /// The error of a reply.
  init(_ refusal: RemoteError) {
    self.init(named: refusal.reason, refusal.message, retry: refusal.retry)
  }
}
