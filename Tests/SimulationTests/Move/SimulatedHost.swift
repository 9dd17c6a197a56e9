import SceneBroker
import SceneCommands
import SceneJSON
import SceneModel
import Testing

/// A broker value and its durable state, for one control at a time.
final class SimulatedHost {
  let name: String
  private var broker: Broker
  private var stored = StoredState()
  private var connection = ConnectionIdentifier(1)
  private var lastRequest: Int64 = 0
  private var content: (any Sendable)?
  private var error: BrokerError?
  /// The number of records of the next request that the disk gets before the broker is killed.
  var recordLimit: Int?

  private static let time = Instant(monotonic: 1, wall: 1_700_000_000_000)

  init(_ name: String) {
    self.name = name
    broker = Self.broker(StoredState())
    connect()
  }

  private static func broker(_ stored: StoredState) -> Broker {
    Broker(
      identity: BrokerIdentity(), application: "test", manifest: .builtIn, limits: Limits(),
      identifiers: IdentifierGenerator(seed: 1), recovered: stored, at: time)
  }

  private func connect() {
    handle { $0.handle(.started(living: [], booted: nil), at: Self.time, into: &$1) }
    let process = ClientProcess(pid: 7, startTime: 7)
    handle { $0.handle(.opened(connection, process), at: Self.time, into: &$1) }
    _ = try? ask(Initialize(client: ClientName(name: "scenectl", version: "1"), as: .control))
  }

  /// Kills the broker, and starts the next one with the records on the disk.
  func kill() {
    broker = Self.broker(stored)
    connect()
  }

  @discardableResult
  func ask<Message: RequestMessage>(_ message: Message) throws(MoveRefusal) -> Message.Reply {
    lastRequest += 1
    let (method, params) = (JSONDocument(), JSONDocument())
    var writer = JSONWriter()
    message.write(to: &writer)
    (content, error) = (nil, nil)
    do {
      try method.read("\"\(Message.method)\"".utf8)
      try params.read(writer.bytes)
    } catch {
      throw MoveRefusal("\(error)")
    }
    handle {
      $0.handle(
        method.root, params.root, .number(lastRequest), from: connection, at: Self.time, into: &$1)
    }
    guard let content = content as? Message.Reply else {
      throw MoveRefusal(error?.message ?? "no reply")
    }
    return content
  }

  private func handle(_ body: (inout Broker, inout Effects) -> Void) {
    var effects = Effects()
    body(&broker, &effects)
    let document = JSONDocument()
    let limit = recordLimit.take()
    var count = 0
    effects.records.forEach { kind, body in
      count += 1
      guard count <= limit ?? .max else { return }
      do {
        try stored.apply(Record(kind: kind.rawValue, body: body, in: document))
      } catch {
        Issue.record(error)
      }
    }
    if limit != nil { return kill() }
    for message in effects.messages.map(\.message) {
      switch message {
      case .reply(_, let reply): content = reply.content
      case .error(_, let error): self.error = error
      case .callback, .notification: continue
      }
    }
    #expect(broker.checkInvariants().isEmpty)
  }

  /// The only session; nil without one.
  var session: SessionDetails? {
    guard let identifier = stored.sessions.keys.first else { return nil }
    return try? ask(SessionShow(session: identifier))
  }
}
