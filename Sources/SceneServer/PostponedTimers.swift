import SceneBroker
import SceneModel

/// Budgets of callbacks that are over, until it is certain that no answer was overlooked: each ends
/// only after a later round in which its connection was read to the end, at the latest after its
/// budget once more.
struct PostponedTimers {
  private struct Item {
    let timer: BrokerTimer
    let connection: ConnectionIdentifier
    /// The round in which it came due.
    let round: UInt64
    /// By the monotonic clock.
    let latest: Int64
  }

  private var items: [Item] = []

  var isEmpty: Bool { items.isEmpty }

  mutating func add(
    _ callback: Int64, on connection: ConnectionIdentifier, round: UInt64, latest: Int64
  ) {
    items.append(
      Item(
        timer: .callback(connection, callback), connection: connection, round: round,
        latest: latest))
  }

  /// The rules have given it another time, or none.
  mutating func remove(_ timer: BrokerTimer) {
    items.removeAll { $0.timer == timer }
  }

  /// Takes out those that end now. Nothing is known of a connection that is gone, so it is not
  /// unread.
  mutating func takeEnded(
    round: UInt64, at now: Int64, isUnread: (ConnectionIdentifier) -> Bool
  ) -> [(timer: BrokerTimer, connection: ConnectionIdentifier)] {
    guard !items.isEmpty else { return [] }
    var ended: [(timer: BrokerTimer, connection: ConnectionIdentifier)] = []
    items.removeAll { item in
      let hasEnded = now >= item.latest || item.round < round && !isUnread(item.connection)
      if hasEnded { ended.append((item.timer, item.connection)) }
      return hasEnded
    }
    return ended
  }
}
