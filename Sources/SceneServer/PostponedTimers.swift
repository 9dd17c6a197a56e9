import SceneBroker
import SceneModel

/// Times of clients that are over, until it is certain that nothing they said was overlooked: each
/// ends only after a later round in which its connection was read to the end, at the latest after
/// its time once more.
struct PostponedTimers {
  private struct Item {
    let timer: EdgeTimer
    let connection: ConnectionIdentifier
    /// The round in which it came due.
    let round: UInt64
    /// By the monotonic clock.
    let latest: Int64
  }

  private var items: [Item] = []

  var isEmpty: Bool { items.isEmpty }

  mutating func add(
    _ timer: EdgeTimer, on connection: ConnectionIdentifier, round: UInt64, latest: Int64
  ) {
    items.append(Item(timer: timer, connection: connection, round: round, latest: latest))
  }

  /// It was given another time, or none.
  mutating func remove(_ timer: EdgeTimer) {
    guard !items.isEmpty else { return }
    items.removeAll { $0.timer == timer }
  }

  /// Takes out those that end now. Nothing is known of a connection that is gone, so it is not
  /// unread.
  mutating func takeEnded(
    round: UInt64, at now: Int64, isUnread: (ConnectionIdentifier) -> Bool
  ) -> [(timer: EdgeTimer, connection: ConnectionIdentifier)] {
    guard !items.isEmpty else { return [] }
    var ended: [(timer: EdgeTimer, connection: ConnectionIdentifier)] = []
    items.removeAll { item in
      let hasEnded = now >= item.latest || item.round < round && !isUnread(item.connection)
      if hasEnded { ended.append((item.timer, item.connection)) }
      return hasEnded
    }
    return ended
  }
}
