import SceneBroker
import SceneModel

/// Timers that have expired, while unread input may still cancel them.
///
/// A timer ends in a later iteration that has read all input that the timer depends on. It ends at
/// the latest when its time has passed once more.
struct PostponedTimers<Timer: Hashable & SendableMetatype> {
  private struct Item {
    /// Nil if the timer depends on the input of all clients.
    let connection: ConnectionIdentifier?
    /// The iteration in which the timer expired.
    let iteration: UInt64
    /// When the timer ends in any case, by the machine's monotonic clock.
    var latest: Int64
    let number: UInt64
  }

  private var items: [Timer: Item] = [:]
  private var lastNumber: UInt64 = 0

  var isEmpty: Bool { items.isEmpty }

  var timers: [Timer] { Array(items.keys) }

  mutating func add(
    _ timer: Timer, on connection: ConnectionIdentifier?, iteration: UInt64, latest: Int64
  ) {
    lastNumber += 1
    items[timer] = Item(
      connection: connection, iteration: iteration, latest: latest, number: lastNumber)
  }

  /// Removes a timer that was set again or canceled.
  mutating func remove(_ timer: Timer) {
    if !items.isEmpty { items[timer] = nil }
  }

  /// When the loop looks at the timers again; nil without timers. The timer of a paused connection
  /// ends at its latest time, unless an event ends the pause before.
  func nextLook(at now: Int64, isPaused: (ConnectionIdentifier) -> Bool) -> Int64? {
    if items.isEmpty { return nil }
    return items.values.map { item in
      item.connection.map(isPaused) == true ? item.latest : now
    }.min()
  }

  mutating func prolong(by time: Int64) {
    for timer in items.keys { items[timer]?.latest += time }
  }

  /// Removes and returns the timers that end now, in the order in which they expired.
  mutating func takeEnded(
    iteration: UInt64, at now: Int64, isUnread: (ConnectionIdentifier?) -> Bool
  ) -> [Timer] {
    let ended = items.filter { _, item in
      now >= item.latest || item.iteration < iteration && !isUnread(item.connection)
    }
    for timer in ended.keys { items[timer] = nil }
    return ended.sorted { $0.value.number < $1.value.number }.map(\.key)
  }
}
