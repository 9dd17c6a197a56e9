import SceneJSON
import SceneModel
import ScenePlatform
import SceneWire
import Testing

@testable import SceneClient

/// No message of the broker and no network error traps the client, and its messages stay valid.
struct ExchangeFuzzTests {
  @Test("no message traps the client: cut anywhere, changed anywhere, in any order")
  func broken() {
    for seed in UInt64(1)...200 {
      var exchange = Exchange(seed: seed)
      for _ in 0..<300 { exchange.hear() }
      #expect(exchange.unsound == [], "seed \(seed)")
    }
  }

  @Test("a client works with the next broker after invalid messages")
  func nonsense() throws {
    let broker = StubBroker()
    let log = CallbackLog()
    let application = SceneApplication(
      name: "notes", delegates: ["Note": { LoggingDelegate(log) }]
    ) { () throws(SystemError) in try broker.connect() }
    try application.start()
    defer { application.stop() }
    var random = RandomBroker(seed: 1)
    for _ in 0..<6 {
      let end = try broker.meet()
      for _ in 0..<20 { try? end.say(random.bytes()) }
      end.vanish()
    }
    let end = try broker.meet()
    try end.bring(SessionIdentifier(high: 7, low: 7))
    #expect(log.lines.contains("didBecomeActive foregroundActive"))
  }
}

/// A client without its socket and its threads, and an unreliable broker.
private struct Exchange {
  private var machine: ClientMachine
  private var broker: RandomBroker
  private let reader = MessageReader()
  private var decoder = FrameDecoder()
  private var asked: [Int64: any RequestMessage.Type] = [:]
  private(set) var unsound: [String] = []

  init(seed: UInt64) {
    broker = RandomBroker(seed: seed)
    machine = Self.client
    take(.started)
  }

  private static var client: ClientMachine {
    ClientMachine(
      client: ClientName(name: "test", version: "1"), hosts: ["Note"], waitsForBroker: true,
      random: SplitMix(seed: 1))
  }

  /// The broker sends a message, which arrives in two pieces.
  mutating func hear() {
    switch machine.link {
    case .idle, .initializing, .ready: break
    case .opening:
      decoder = FrameDecoder()
      asked = [:]
      take(.opened)
    case .pausing: return take(.due(.reconnect))
    case .stopped:
      machine = Self.client
      return take(.started)
    }
    take(.saveRequested(packing, note(1), nil))
    let bytes = broker.message(asked: &asked)
    let cut = broker.number(0...bytes.count)
    for piece in [ContiguousArray(bytes[..<cut]), ContiguousArray(bytes[cut...])] {
      guard hear(piece) else { return take(.lost()) }
    }
  }

  /// Whether the client accepts the data of the broker.
  private mutating func hear(_ bytes: ContiguousArray<UInt8>) -> Bool {
    var events: [ClientEvent] = []
    var isSound = true
    do throws(FrameError) {
      try decoder.decode(bytes.span) { content in
        do throws(EnvelopeError) {
          if let event = try reader.read(content, request: { machine.request(of: $0) }) {
            events.append(event)
          }
        } catch {
          isSound = false
        }
        return isSound
      }
    } catch {
      return false
    }
    for event in events { take(event) }
    return isSound
  }

  private mutating func take(_ event: ClientEvent) {
    var actions: [ClientAction] = []
    machine.handle(event, into: &actions)
    for action in actions {
      switch action {
      case .send(let message): send(message)
      case .call(let call): answer(call)
      case .open, .close, .report, .saved, .notify, .deliver, .delegate, .finish, .update, .wake,
        .stop:
        break
      }
    }
  }

  /// Answers with the activity that the broker sent.
  private mutating func answer(_ call: SceneCall) {
    guard call.callback.kind == .stateRestorationActivity else {
      return take(.answered(call.number, .done))
    }
    take(.answered(call.number, .activity(.value(note(2)))))
  }

  /// Checks a message as a broker does.
  private mutating func send(_ message: ClientMessage) {
    if case .request(let number, let request) = message {
      asked[number] = type(of: request.message)
    }
    var writer = FrameWriter()
    var decoder = FrameDecoder()
    let document = JSONDocument()
    do {
      try writer.write(message, limit: machine.frameLimit)
      try decoder.decode(writer.take().span) { content in
        do {
          guard case .request(_, let method, let params) = try Envelope(content, into: document)
          else { return true }
          _ = try ClientRequest(reading: method, params)
        } catch {
          unsound.append("\(message): \(error)")
        }
        return true
      }
    } catch {
      unsound.append("\(message): \(error)")
    }
  }
}

extension RandomBroker {
  /// A message in a frame, sometimes changed at random.
  fileprivate mutating func message(asked: inout [Int64: any RequestMessage.Type])
    -> ContiguousArray<UInt8>
  {
    var writer = FrameWriter()
    switch number(0...5) {
    case 0: writer.callback(callbackNumber(), callback())
    case 1: writer.notification(notification())
    case 2:
      let number = pick([asked.keys.min() ?? 1, nil])
      if let number { asked[number] = nil }
      writer.error(number.map { .number($0) }, BrokerError(reason(), "no", retry: retry()))
    default:
      let number = asked.keys.min() ?? 1
      writer.reply(
        .number(number), reply(to: asked.removeValue(forKey: number) ?? Ping.self))
    }
    let bytes = writer.take()
    return number(0...2) == 0 ? broken(bytes) : bytes
  }

  /// Frames with invalid content, and data that is no frame.
  fileprivate mutating func bytes() -> ContiguousArray<UInt8> {
    var asked: [Int64: any RequestMessage.Type] = [:]
    return pick([
      message(asked: &asked), broken(message(asked: &asked)),
      ContiguousArray((0..<number(1...64)).map { _ in UInt8(number(0...255)) }),
    ])
  }

  private mutating func broken(_ bytes: ContiguousArray<UInt8>) -> ContiguousArray<UInt8> {
    var content = bytes.dropFirst(FrameDecoder.headerLength)
    for _ in 0..<number(1...3) {
      let place = number(content.startIndex...content.endIndex)
      let end = min(content.endIndex, place + number(0...8))
      switch number(0...3) {
      case 0: content.removeSubrange(place..<end)
      case 1: content.insert(contentsOf: content[place..<end], at: place)
      case 2: content.replaceSubrange(place..<end, with: [UInt8(number(0...255))])
      default:
        let number = pick(["-1", "9223372036854775807", "1e400", "null", "[]", "{}", "\"\"", "é"])
        content.replaceSubrange(place..<end, with: Array(number.utf8))
      }
    }
    guard number(0...9) > 0 else { return ContiguousArray(content) }
    let length = content.count
    return [0, UInt8(length >> 16), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)] + content
  }
}
