import SceneBroker
import SceneModel

/// Times that are over, until it is certain that nothing that was said in time was overlooked: each
/// ends only after a later round in which everything it is about was read to the end, at the latest
/// after its time once more.
struct PostponedTimers<Timer: Hashable & SendableMetatype> {
  private struct Item {
    /// Nil if it is about whatever anybody says.
    let connection: ConnectionIdentifier?
    /// The round in which it came due.
    let round: UInt64
    /// By the monotonic clock.
    var latest: Int64
    let number: UInt64
  }

  private var items: [Timer: Item] = [:]
  private var lastNumber: UInt64 = 0

  var isEmpty: Bool { items.isEmpty }

  mutating func add(
    _ timer: Timer, on connection: ConnectionIdentifier?, round: UInt64, latest: Int64
  ) {
    lastNumber += 1
    items[timer] = Item(connection: connection, round: round, latest: latest, number: lastNumber)
  }

  /// It was given another time, or none.
  mutating func remove(_ timer: Timer) { items[timer] = nil }

  /// When the loop looks at the timers again; nil without timers. The timer of a paused connection ends
  /// at its latest time, unless an event ends the pause before.
  func nextLook(at now: Int64, isPaused: (ConnectionIdentifier) -> Bool) -> Int64? {
    items.values.map { item in
      item.connection.map(isPaused) == true ? item.latest : now
    }.min()
  }

  mutating func prolong(by time: Int64) {
    for timer in items.keys { items[timer]?.latest += time }
  }

  /// Takes out those that end now, in the order in which they came due.
  mutating func takeEnded(
    round: UInt64, at now: Int64, isUnread: (ConnectionIdentifier?) -> Bool
  ) -> [Timer] {
    let ended = items.filter { _, item in
      now >= item.latest || item.round < round && !isUnread(item.connection)
    }
    for timer in ended.keys { items[timer] = nil }
    return ended.sorted { $0.value.number < $1.value.number }.map(\.key)
  }
}
