import JSON
import SceneModel
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
      throw ConversationError(problem: error.error.message)
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
      .replied(number, .failure(SceneError(reading: value)))
    case .result(.string, _), .failure(.string, _):
      // This client gives its requests numbers.
      nil
    }
  }

  private func call(
    _ identifier: RequestIdentifier, _ name: JSONValue, _ params: JSONValue?
  ) -> ClientEvent {
    let kind = CallbackKind.allCases.first { name.equals($0.method) }
    guard let kind, let params,
      let callback = try? Callback(kind: kind, params: params)
    else { return .calledUnknown(identifier, method: name.string ?? "") }
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
        SceneError(.invalidRequest, "the broker's answer to \(method) is none: \(error)"))
    }
  }
}

extension BrokerReply {
  /// Reads what answers a request of this method.
  init(reading value: JSONValue, to method: ClientMethod) throws(MemberError) {
    switch method {
    case .initialize: self = .initialized(try Initialize.Reply(reading: value))
    case .connect: self = .connected(try SceneConnect.Reply(reading: value))
    case .transition: self = .moved(try SceneTransition.Reply(reading: value))
    case .saveActivity: self = .saved(try SaveActivity.Reply(reading: value))
    case .list: self = .listed(try SessionList.Reply(reading: value))
    case .show: self = .shown(try SessionDetails(reading: value))
    case .history: self = .history(try SessionHistory.Reply(reading: value))
    case .activate: self = .activated(try RequestActivation.Reply(reading: value))
    case .status: self = .status(try ApplicationStatus.Reply(reading: value))
    case .reclaim: self = .reclaimed(try Reclaim.Reply(reading: value))
    case .describe: self = .described(try CarriedObject(reading: value))
    case .disconnect, .update, .extend, .setUserInfo, .setName, .observe, .destroy, .terminate,
      .trace, .ping, .settle, .advanceClock, .returnError:
      self = .empty
    }
  }
}

extension SceneError {
  /// Reads the error object of a reply.
  init(reading value: JSONValue) {
    let refusal = Refusal(reading: value)
    let retry: Retry =
      switch refusal.retry {
      case .never: .never
      case .later: .later
      case .now: .now
      }
    self.init(Code(rawValue: refusal.reason), refusal.message, retry: retry)
  }
}
