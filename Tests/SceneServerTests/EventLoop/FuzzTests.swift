import SceneFuzzing
import SceneJSON
import SceneModel
import SceneWire
import Testing

@testable import SceneBroker
@testable import SceneServer

@Suite("Fuzzed requests", .fuzz)
struct FuzzTests {
  /// Each line of an input begins with the number of a connection, 1 to 3. The rest is the content
  /// of a frame. `=` before the rest makes it the answer to the oldest callback, and `!` sends the
  /// rest without a frame. `x` closes the connection, and `d` opens it as a delegate.
  ///
  /// A line that begins with 0 lets time pass: its rest is the number of milliseconds. `$1` to `$9`
  /// stand for the identifiers of sessions.
  @Test("any requests of three connections keep the invariants, and each has at most one reply")
  func requests() throws {
    try Fuzz.play("requests") { bytes in
      var world = ThreeClients()
      for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(100) { try world.play(line) }
    }
  }
}

/// Three connections to one event loop.
private struct ThreeClients {
  private let fixture: EventLoopFixture
  private var connections: [Connection?] = [nil, nil, nil]
  /// The callbacks without an answer.
  private var callbacks: [[Int64]] = [[], [], []]
  /// The requests without a reply; nil after bytes without a frame, which can contain requests.
  private var requests: [[RequestIdentifier]?] = [[], [], []]
  private let document = JSONDocument()

  private static let limits: Limits = {
    var limits = Limits()
    (limits.sessions, limits.topics, limits.observations) = (6, 3, 3)
    (limits.requestsInFlight, limits.activityBytes, limits.traceEntries) = (4, 1000, 50)
    return limits
  }()

  private static let manifest: Manifest = {
    var manifest = Manifest.builtIn
    manifest.topics["log"] = TopicDeclaration(isDurable: true, keep: 3)
    return manifest
  }()

  init() { fixture = EventLoopFixture(limits: Self.limits, manifest: Self.manifest) }

  mutating func play(_ line: ArraySlice<UInt8>) throws {
    let number = Int(line[line.startIndex] & 3) - 1
    let rest = line.dropFirst()
    guard number >= 0 else {
      let time = Int64(String(decoding: rest, as: UTF8.self)) ?? 10
      fixture.pass(.milliseconds(max(0, min(time, 100_000))))
      fixture.sync()
      return try hearAll()
    }
    let connection = connections[number] ?? connect(number)
    switch rest.first {
    case UInt8(ascii: "x"), UInt8(ascii: "d"):
      fixture.iterate { fixture.eventLoop.close(connection, .connectionLost) }
      connections[number] = nil
      if rest.first == UInt8(ascii: "d") { _ = connect(number, as: .applicationDelegate) }
    case UInt8(ascii: "!"):
      requests[number] = nil
      fixture.send(ContiguousArray(rest.dropFirst()), from: connection)
    case UInt8(ascii: "="):
      guard !callbacks[number].isEmpty else { return }
      let head = #"{"jsonrpc":"2.0","id":\#(callbacks[number].removeFirst()),"result":"#
      send(Array(head.utf8) + rest.dropFirst() + [UInt8(ascii: "}")], from: connection)
    default: send(Array(rest), from: connection, number)
    }
    try hearAll()
  }

  private mutating func connect(_ number: Int, as kind: ClientKind? = nil) -> Connection {
    let kinds: [ClientKind] = [.scene, .control, .scene]
    let connection = fixture.client(pid: Int64(number + 1), as: kind ?? kinds[number])
    connections[number] = connection
    (callbacks[number], requests[number]) = ([], [])
    return connection
  }

  private mutating func send(_ content: [UInt8], from connection: Connection, _ number: Int? = nil)
  {
    var content = content
    let sessions = fixture.eventLoop.broker.stored.sessions.keys.sorted()
    while let sign = content.firstIndex(of: UInt8(ascii: "$")) {
      let index = content.dropFirst(sign + 1).first.map { Int($0 & 0xF) - 1 } ?? 0
      let session = sessions.indices.contains(index) ? sessions[index] : .none
      content.replaceSubrange(sign..<min(sign + 2, content.count), with: Array("\(session)".utf8))
    }
    if let number {
      do throws(EnvelopeError) {
        if case .request(let identifier?, _, _) = try Envelope(
          ContiguousArray(content).span, into: document)
        {
          requests[number]?.append(identifier)
        }
      } catch {
        if let identifier = error.identifier { requests[number]?.append(identifier) }
      }
    }
    let count = content.count
    fixture.send(
      [0, UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)] + content,
      from: connection)
  }

  /// Reads what the broker sent, and checks the rules.
  private mutating func hearAll() throws {
    #expect(fixture.eventLoop.broker.checkInvariants() == [])
    for number in connections.indices {
      guard let connection = connections[number] else { continue }
      for text in fixture.take(connection) {
        let envelope: Envelope
        do throws(EnvelopeError) {
          envelope = try Envelope(ContiguousArray(text.utf8).span, into: document)
        } catch {
          #expect(error.closeReason != nil, "\(text)")
          continue
        }
        switch envelope {
        case .request(.number(let callback)?, _, _): callbacks[number].append(callback)
        case .request: break
        case .result(let identifier, _), .failure(let identifier, _):
          guard let waiting = requests[number] else { continue }
          let index = waiting.firstIndex(of: identifier)
          #expect(index != nil, "\(identifier) has two replies: \(text)")
          if let index { requests[number]?.remove(at: index) }
        }
      }
      if connection.stage == .closed { connections[number] = nil }
    }
  }
}
