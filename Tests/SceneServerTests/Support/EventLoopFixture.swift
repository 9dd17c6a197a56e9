import SceneBroker
import SceneCommandLine
import SceneJSON
import SceneJournal
import SceneModel
import ScenePlatform
import SceneWire
import Testing

@testable import SceneServer

/// An event loop with a disk that syncs on command, a clock that moves on command, and connections
/// in memory.
final class EventLoopFixture {
  let sink = SteppedJournalSink()
  let processes = FakeProcesses()
  let eventLoop: EventLoop
  private(set) var now = Instant(monotonic: 1_000_000_000, wall: 1_700_000_000_000)
  /// The number of bytes that each connection's socket still accepts; without an entry, any number.
  var room: [ConnectionIdentifier: Int] = [:]
  /// The errors that a send on each connection returns.
  var failures: [ConnectionIdentifier: ErrorCode] = [:]
  /// Connections of which no iteration reads all input.
  var unread: [Connection] = []
  /// The time that the broker did not run since the last iteration, in nanoseconds.
  private var missed: Int64 = 0
  /// The lines of the log.
  let log = LoggedLines()
  private var received: [ConnectionIdentifier: ContiguousArray<UInt8>] = [:]
  private(set) var sends = 0
  /// How often memory was returned to the system.
  var returns: Int { returned.count }
  private let returned = ReturnedMemory()

  init(
    limits: Limits = Limits(), clock: ClockKind = .real, recovered: StoredState = StoredState(),
    status: JournalStatus = JournalStatus(), manifest: Manifest = .builtIn,
    directories: (any DataDirectoryKeeper)? = nil
  ) {
    sink.status = status
    var environment = RuntimeInfo()
    environment.clock = clock
    let broker = Broker(
      identity: BrokerIdentity(), application: "test", manifest: manifest, limits: limits,
      environment: environment, identifiers: IdentifierGenerator(seed: 1), recovered: recovered,
      at: now)
    eventLoop = EventLoop(
      broker: broker, journal: sink, processes: processes,
      identifiers: IdentifierGenerator(seed: 2), log: Log(write: log.take),
      clock: clock, directories: directories,
      returningMemory: { [returned] in returned.count += 1 }, at: now)
    eventLoop.start()
    eventLoop.performEffects()
  }

  /// One iteration of the loop: the input of `body`, then timers, then the end.
  func iterate(_ body: () -> Void = {}) {
    eventLoop.beginIteration(at: now)
    if missed > 0 { eventLoop.extendTimers(by: missed) }
    missed = 0
    for connection in unread {
      connection.input.didRead(isFull: true, in: eventLoop.iteration)
    }
    body()
    eventLoop.takeTurns()
    eventLoop.fireTimers()
    eventLoop.performEffects()
    eventLoop.flush(readRest: { _ in }) { connection, bytes in
      sends += 1
      if let code = failures[connection.identifier] { return .failed(code) }
      let count = min(bytes.byteCount, room[connection.identifier] ?? .max)
      bytes.extracting(first: count).withUnsafeBytes {
        received[connection.identifier, default: []].append(contentsOf: $0)
      }
      if let left = room[connection.identifier] { room[connection.identifier] = left - count }
      return count == 0 ? .wouldBlock : .bytes(count)
    }
    #expect(eventLoop.checkInvariants() == [])
  }

  func pass(_ time: Interval, iterations: Int = 0) {
    now.monotonic += time.nanoseconds
    for _ in 0..<iterations { iterate() }
  }

  /// Makes all submitted records durable.
  func sync() {
    sink.sync()
    iterate { eventLoop.journalDidProgress() }
  }

  /// Takes a session that has not ended.
  func connectScene(_ name: String = "packing", from client: Connection) {
    send(SceneConnect(name: name), id: 1, from: client)
    sync()
  }

  /// The only session.
  var session: StoredSession? { eventLoop.broker.stored.sessions.values.first }

  var connectionCount: Int { eventLoop.connectionCount }

  /// Lets time pass in which the broker does not run.
  func freeze(_ time: Interval) {
    pass(time)
    missed += time.nanoseconds
  }

  func connect(pid: Int64 = 1) -> Connection {
    var made: Connection?
    iterate { made = eventLoop.accept(process: ClientProcess(pid: pid, startTime: 7)) }
    guard let made else { preconditionFailure("an iteration runs its body") }
    return made
  }

  func send(_ bytes: ContiguousArray<UInt8>, from connection: Connection) {
    iterate { eventLoop.receive(bytes.span, from: connection) }
  }

  func send(_ message: some RequestMessage, id: Int64, from connection: Connection) {
    send(Self.frame(message, id: id), from: connection)
  }

  /// Reads a request in an iteration that has begun.
  func receive(_ message: some RequestMessage, id: Int64, from connection: Connection) {
    eventLoop.receive(Self.frame(message, id: id).span, from: connection)
  }

  /// Answers the callbacks of a client until there are no more.
  func answerCallbacks(of client: Connection) {
    while true {
      let numbers = take(client).filter { $0.contains(#""method""#) }
        .compactMap { $0.firstMatch(of: /"id":([0-9]+)/).flatMap { Int64($0.1) } }
      guard !numbers.isEmpty else { return }
      for number in numbers { send(Self.answer(to: number), from: client) }
      sync()
    }
  }

  static func answer(
    to callback: Int64, _ answer: StateRestorationAnswer = StateRestorationAnswer()
  ) -> ContiguousArray<UInt8> {
    var writer = FrameWriter()
    writer.answer(.number(callback), answer)
    return writer.take()
  }

  static func frame(_ message: some RequestMessage, id: Int64) -> ContiguousArray<UInt8> {
    var writer = FrameWriter()
    // A request of a test is shorter than a frame.
    try? writer.request(.number(id), message)
    return writer.take()
  }

  /// The messages that a connection got since the last call, as JSON texts.
  func take(_ connection: Connection) -> [String] {
    Self.texts(in: received.removeValue(forKey: connection.identifier) ?? [])
  }

  static func texts(in bytes: ContiguousArray<UInt8>) -> [String] {
    var texts: [String] = []
    var decoder = FrameDecoder()
    do {
      try decoder.decode(bytes.span) { content in
        var copy: ContiguousArray<UInt8> = []
        for index in content.indices { copy.append(content[index]) }
        texts.append(String(decoding: copy, as: UTF8.self))
        return true
      }
    } catch {
      preconditionFailure("the event loop sent an invalid frame: \(error)")
    }
    precondition(!decoder.isWithinFrame, "the event loop sent an incomplete frame")
    return texts
  }

  /// A client that has sent `initialize`.
  func client(pid: Int64 = 1, as kind: ClientKind = .scene) -> Connection {
    let connection = connect(pid: pid)
    send(
      Initialize(client: ClientName(name: "test", version: ""), as: kind), id: 0,
      from: connection)
    _ = take(connection)
    return connection
  }
}

/// Sends the output of outboxes.
struct OutboxSender {
  var pool = BufferPool()

  /// Sends at most so many bytes, and returns them.
  mutating func send(_ outbox: inout Outbox, upTo limit: Int = .max) -> ContiguousArray<UInt8> {
    var sent: ContiguousArray<UInt8> = []
    outbox.gather(borrowingFrom: &pool)
    let empty = outbox.flush { bytes in
      let count = min(limit, bytes.byteCount)
      bytes.extracting(first: count).withUnsafeBytes { sent.append(contentsOf: $0) }
      return count
    }
    if let empty { pool.give(empty) }
    #expect(outbox.flaws == [])
    return sent
  }
}

/// A journal whose records become durable when the test syncs.
final class SteppedJournalSink: JournalSink {
  var status = JournalStatus()
  private(set) var submissions: [(count: Int, through: UInt64)] = []
  private(set) var newest: UInt64 = 0
  /// The number of bytes of submitted records that are not durable.
  private(set) var waitingByteCount = 0

  func submit(
    _ records: JournalRecords, through number: UInt64, reserving count: Int
  ) -> JournalStatus {
    submissions.append((records.count, number))
    newest = number
    waitingByteCount += records.byteCount
    reservedBatchCount = count
    return status
  }

  private(set) var reservedBatchCount = 0

  func reserveBatches(_ count: Int) { reservedBatchCount = count }

  /// How often the event loop asked for a check of the free space.
  private(set) var wishes = 0

  func requestSpaceCheck() { wishes += 1 }

  func sync() {
    status.durable = newest
    waitingByteCount = 0
  }
}

final class FakeProcesses: ProcessInspector {
  var states: [Int64: ProcessIdentity.Liveness] = [:]
  var debugged: Set<Int64> = []
  /// The activity of the processes. Other processes are idle.
  var activities: [Int64: ProcessActivity] = [:]

  func state(of process: ClientProcess) -> ProcessIdentity.Liveness {
    states[process.pid] ?? .running
  }
  func isDebugged(_ pid: Int64) -> Bool { debugged.contains(pid) }
  func activity(of pid: Int64) -> ProcessActivity? {
    activities[pid] ?? ProcessActivity(.resting, runs: 1)
  }
}

private final class ReturnedMemory {
  var count = 0
}

/// The lines that a log wrote.
final class LoggedLines {
  private(set) var lines: [String] = []

  func take(_ line: String, isLast: Bool) -> Bool {
    lines.append(line)
    return true
  }
}

extension Limits {
  /// The standard limits except for one.
  static func with(_ limit: WritableKeyPath<Limits, Int>, _ value: Int) -> Limits {
    var limits = Limits()
    limits[keyPath: limit] = value
    return limits
  }
}
