import SceneBroker
import SceneCommandLine
import SceneJournal
import SceneModel
import ScenePlatform
import SceneServer

/// Runs a broker without sockets and a disk, so that a profiler sees only the broker's code.
struct InsideRounds {
  private let eventLoop: EventLoop
  /// A journal without files: all records are durable at once.
  private let keeper = JournalQueue(withoutFilesWaking: {})
  private let clients: [(connection: Connection, session: SessionIdentifier)]

  private static let greeting = Initialize(
    client: ClientName(name: "bench", version: "1"), as: .control)

  init(clientCount: Int) throws {
    var stored = StoredState()
    var identifiers = IdentifierGenerator(seed: 1)
    let sessions = (0..<clientCount).map { _ in identifiers.next() }
    for session in sessions {
      var configuration = SceneConfiguration()
      configuration.name = "Default Configuration"
      try stored.apply(
        .session(SessionAttributes(identifier: session, configuration: configuration)))
    }
    let eventLoop = EventLoop(
      broker: Broker(
        identity: BrokerIdentity(), application: "bench", manifest: .builtIn, limits: Limits(),
        identifiers: identifiers, recovered: stored, at: .now),
      journal: keeper, processes: NoProcesses(), log: Log(level: .error), at: .now)
    self.eventLoop = eventLoop
    eventLoop.beginIteration(at: .now)
    let greeting = try FrameFiles.frame(Self.greeting)
    clients = sessions.map { session in
      let connection = eventLoop.accept(process: ClientProcess(pid: 1, startTime: 1))
      eventLoop.receive(greeting.span, from: connection)
      return (connection, session)
    }
    endIteration()
  }

  /// Measures one kind of traffic.
  func run(_ kind: String, roundCount: Int) throws -> KeyValuePairs<String, Int> {
    try kind == "event"
      ? runEvents(roundCount: roundCount) : runRequests(kind, roundCount: roundCount)
  }

  /// Measures events to all clients. The first client posts one in each round.
  private func runEvents(roundCount: Int) throws -> KeyValuePairs<String, Int> {
    let observe = try FrameFiles.frame(FrameFiles.observe)
    for client in clients { eventLoop.receive(observe.span, from: client.connection) }
    endIteration()
    let post = try FrameFiles.frame(FrameFiles.event())
    let start = SystemClock.monotonic()
    var sent = 0
    for _ in 0..<roundCount {
      eventLoop.beginIteration(at: .now)
      eventLoop.receive(post.span, from: clients[0].connection)
      sent += endIteration()
      // The connections have read everything, which the broker learns in another iteration.
      sent += endIteration()
    }
    let nanoseconds = SystemClock.monotonic() - start
    let count = roundCount * clients.count
    return ["count": count, "ns": Int(nanoseconds) / count, "bytes": sent / count]
  }

  /// Measures one kind of request.
  private func runRequests(_ kind: String, roundCount: Int) throws -> KeyValuePairs<String, Int> {
    var frames = try clients.map { try Self.frame(of: kind, for: $0.session) }
    let place = frames.first?.firstRange(of: Self.counter)?.upperBound ?? 0
    let start = SystemClock.monotonic()
    var sent = 0
    for number in 0..<roundCount {
      eventLoop.beginIteration(at: .now)
      for (index, client) in clients.enumerated() {
        if kind == "save" { Self.put(number, into: &frames[index], at: place) }
        let frame = frames[index]
        if kind == "connect" {
          let connection = eventLoop.accept(process: ClientProcess(pid: 1, startTime: 1))
          eventLoop.receive(frame.span, from: connection)
          eventLoop.finish(connection)
        } else {
          eventLoop.receive(frame.span, from: client.connection)
        }
      }
      sent += endIteration()
    }
    let nanoseconds = SystemClock.monotonic() - start
    let count = roundCount * clients.count
    return ["count": count, "ns": Int(nanoseconds) / count, "bytes": sent / count]
  }

  private static func frame(
    of kind: String, for session: SessionIdentifier
  ) throws -> ContiguousArray<UInt8> {
    switch kind {
    case "show": try FrameFiles.show(session)
    case "save": try FrameFiles.save(session)
    case "connect": try FrameFiles.frame(Self.greeting)
    default: try FrameFiles.frame(Ping())
    }
  }

  @discardableResult
  private func endIteration() -> Int {
    var sent = 0
    eventLoop.performEffects()
    eventLoop.journalDidProgress()
    eventLoop.flush { _, bytes in
      sent += bytes.byteCount
      return .bytes(bytes.byteCount)
    }
    return sent
  }

  /// Replaces the counter with a number.
  private static func put(_ number: Int, into frame: inout ContiguousArray<UInt8>, at place: Int) {
    for digit in 0..<8 {
      frame[place + digit] =
        UInt8(ascii: "a") + UInt8(truncatingIfNeeded: number >> (4 * digit) & 15)
    }
  }

  /// The text before the counter in the frame of a save.
  private static let counter = Array(#""counter":""#.utf8)
}

private struct NoProcesses: ProcessInspector {
  func state(of process: ClientProcess) -> ProcessIdentity.Liveness { .running }
  func isDebugged(_ pid: Int64) -> Bool { false }
  func activity(of pid: Int64) -> ProcessActivity? { nil }
}
