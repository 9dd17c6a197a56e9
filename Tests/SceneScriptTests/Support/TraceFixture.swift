import SceneJSON
import SceneModel

/// A trace as a broker records it. Entries are a millisecond apart, plus the time of `wait`.
struct TraceFixture {
  private(set) var entries: [TraceEntry] = []
  private var number: Int64 = 0
  /// Milliseconds since the start of the trace, and the start of the current broker.
  private var now: Int64 = 0
  private var begin: Int64 = 0

  /// The start of the trace, in milliseconds since 1970.
  static let start: Int64 = 1_700_000_000_000

  mutating func wait(_ milliseconds: Int64) { now += milliseconds }

  /// Kills the broker and starts another one.
  mutating func restart(after milliseconds: Int64) {
    now += milliseconds
    begin = now
    number = 0
  }

  mutating func tell(
    _ event: TraceEvent, _ session: Int? = nil, _ pid: Int64? = nil,
    _ change: (inout TraceEntry) -> Void = { _ in }
  ) {
    var entry = TraceEntry(event)
    number += 1
    entry.number = number
    entry.time = Self.start + now
    entry.elapsed = (now - begin) * 1000
    entry.session = session.map(identifier)
    entry.name = session.map { Self.names[$0 % Self.names.count] }
    entry.client = pid.map { ClientReference(name: "scene", pid: $0) }
    change(&entry)
    entries.append(entry)
    now += 1
  }

  private static let names = ["packing", "itinerary", "road-trip", "attendees", "budget"]

  // MARK: - What happens often

  mutating func join(_ pid: Int64) { tell(.joined, nil, pid) }
  mutating func leave(_ pid: Int64) { tell(.left, nil, pid) }

  mutating func connect(_ session: Int, _ pid: Int64, _ reason: String = "launch") {
    tell(.connected, session, pid) { $0.reason = reason }
  }

  mutating func call(
    _ session: Int, _ pid: Int64, _ callback: String, _ reason: String? = nil, hold: Int64? = nil
  ) {
    tell(.callback, session, pid) { entry in
      (entry.callback, entry.reason, entry.hold) = (callback, reason, hold)
    }
  }

  mutating func answer(
    _ session: Int, _ pid: Int64, _ callback: String, _ event: TraceEvent = .acknowledged
  ) {
    tell(event, session, pid) { $0.callback = callback }
  }

  mutating func disconnect(_ session: Int, _ pid: Int64, _ reason: String) {
    tell(.disconnected, session, pid) { $0.reason = reason }
  }

  // MARK: - As it is recorded

  var lines: [String] {
    entries.map { entry in
      var writer = JSONWriter()
      entry.write(to: &writer)
      return String(decoding: writer.bytes, as: UTF8.self)
    }
  }
}

func identifier(_ number: Int) -> SessionIdentifier {
  SessionIdentifier(high: 0xAAAA_BBBB_0000_0000 + UInt64(number), low: 1)
}
