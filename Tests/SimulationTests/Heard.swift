import JSON
import SceneModel
import SceneWire

/// A request of a simulated client, from when it was said to when it was answered.
struct Said {
  let identifier: RequestIdentifier
  /// Nil for one that no broker can understand.
  let request: ClientRequest?
  /// When, in ticks of the world.
  let tick: Int
}

/// One message of the broker, as a client reads it.
enum Heard {
  case reply(Said, BrokerReply)
  case refusal(Said, Refusal)
  /// An error that answers nothing in particular; the end of the connection follows.
  case farewell(Refusal)
  case callback(Int64, Callback)
  case notification(BrokerNotification)

  struct Refusal: Equatable {
    let reason: String
    let retry: String
    let message: String

    init(_ error: JSONValue) {
      reason = error["data"]?["reason"]?.string ?? ""
      retry = error["data"]?["retry"]?.string ?? ""
      message = error["message"]?.string ?? ""
    }
  }
}

/// Why what a broker said cannot be.
struct Unreadable: Error {
  let problem: String
}

extension Heard {
  /// Reads a frame's content. `answered` gives the request that an identifier stands for, once.
  init(
    _ content: Span<UInt8>, answered: (RequestIdentifier) -> Said?
  ) throws(Unreadable) {
    let document = JSONDocument()
    do {
      try document.read(content)
      self = try Self.read(document.root, answered)
    } catch let error as Unreadable {
      throw error
    } catch {
      throw Unreadable(problem: "a frame that cannot be read: \(error)")
    }
  }

  private static func read(
    _ root: JSONValue, _ answered: (RequestIdentifier) -> Said?
  ) throws -> Heard {
    guard let method = root["method"] else { return try answer(root, answered) }
    let params = root["params"] ?? root
    guard let identifier = root["id"] else {
      guard let notification = try BrokerNotification(method: method, params: params) else {
        throw Unreadable(problem: "an unknown notification")
      }
      return .notification(notification)
    }
    guard let kind = CallbackKind.allCases.first(where: { method.equals($0.method) }) else {
      throw Unreadable(problem: "an unknown callback, \(method.string ?? "")")
    }
    return .callback(try Int64(reading: identifier), try Callback(kind: kind, params: params))
  }

  private static func answer(
    _ root: JSONValue, _ answered: (RequestIdentifier) -> Said?
  ) throws -> Heard {
    guard let identifier = root["id"], !identifier.isNull else {
      guard let error = root["error"] else { throw Unreadable(problem: "a reply to nothing") }
      return .farewell(Refusal(error))
    }
    let read = try RequestIdentifier(reading: identifier)
    guard let said = answered(read) else {
      throw Unreadable(problem: "a reply to \(read), which was not asked or is answered already")
    }
    if let error = root["error"] { return .refusal(said, Refusal(error)) }
    guard let result = root["result"], let request = said.request else {
      throw Unreadable(problem: "a request that cannot be understood was granted")
    }
    return .reply(said, try BrokerReply(to: request, reading: result))
  }
}

extension BrokerReply {
  /// Reads what answers a request.
  init(to request: ClientRequest, reading result: JSONValue) throws(MemberError) {
    switch request {
    case .initialize: self = .initialized(try .init(reading: result))
    case .connect: self = .connected(try .init(reading: result))
    case .transition: self = .moved(try .init(reading: result))
    case .saveActivity: self = .saved(try .init(reading: result))
    case .list: self = .listed(try .init(reading: result))
    case .show: self = .shown(try .init(reading: result))
    case .history: self = .history(try .init(reading: result))
    case .activate: self = .activated(try .init(reading: result))
    case .status: self = .status(try .init(reading: result))
    case .reclaim: self = .reclaimed(try .init(reading: result))
    case .describe: self = .described(try .init(reading: result))
    case .disconnect, .update, .extend, .setUserInfo, .setName, .observe, .destroy, .terminate,
      .trace, .ping, .settle, .advanceClock, .returnError:
      _ = try Empty(reading: result)
      self = .empty
    }
  }
}

extension FrameWriter {
  /// Any request.
  mutating func request(_ identifier: RequestIdentifier?, _ request: ClientRequest) {
    switch request {
    case .initialize(let message): self.request(identifier, message)
    case .connect(let message): self.request(identifier, message)
    case .disconnect(let message): self.request(identifier, message)
    case .transition(let message): self.request(identifier, message)
    case .update(let message): self.request(identifier, message)
    case .extend(let message): self.request(identifier, message)
    case .saveActivity(let message): self.request(identifier, message)
    case .setUserInfo(let message): self.request(identifier, message)
    case .setName(let message): self.request(identifier, message)
    case .list(let message): self.request(identifier, message)
    case .show(let message): self.request(identifier, message)
    case .history(let message): self.request(identifier, message)
    case .observe(let message): self.request(identifier, message)
    case .activate(let message): self.request(identifier, message)
    case .destroy(let message): self.request(identifier, message)
    case .status(let message): self.request(identifier, message)
    case .reclaim(let message): self.request(identifier, message)
    case .terminate(let message): self.request(identifier, message)
    case .trace(let message): self.request(identifier, message)
    case .ping(let message): self.request(identifier, message)
    case .describe(let message): self.request(identifier, message)
    case .settle(let message): self.request(identifier, message)
    case .advanceClock(let message): self.request(identifier, message)
    case .returnError(let message): self.request(identifier, message)
    }
  }
}
