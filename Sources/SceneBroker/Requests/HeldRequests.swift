import SceneModel

/// The requests of controls and observers that arrive after an upgrade before the scenes have
/// resumed. They find the scenes as the earlier program had them.
struct HeldRequests {
  struct Item {
    var requester: Requester
    let perform: (inout Broker, Requester) throws(BrokerError) -> Void
  }

  /// Nil if no request is held.
  private var items: [Item]?

  /// Far longer than 1,000 clients need. After this time the previous holders count as late.
  static let time = Interval.seconds(1)

  var isActive: Bool { items != nil }

  mutating func begin() { items = [] }

  mutating func add(
    _ requester: Requester,
    _ perform: @escaping (inout Broker, Requester) throws(BrokerError) -> Void
  ) {
    items?.append(Item(requester: requester, perform: perform))
  }

  mutating func end() -> [Item] { exchange(&items, with: nil) ?? [] }

  /// The requests of a client that has gone and hears no reply.
  mutating func remove(of connection: ConnectionIdentifier) -> [Item] {
    guard let all = items else { return [] }
    items = all.filter { $0.requester.connection != connection }
    return all.filter { $0.requester.connection == connection }.map { item in
      var item = item
      item.requester = Requester(connection: connection, request: nil)
      return item
    }
  }
}

extension Broker {
  /// Whether a request of this client waits for the scenes.
  func mustWait(_ requester: Requester) -> Bool {
    switch clients[requester.connection]?.kind {
    case .control, .observer: return true
    case .scene, .applicationDelegate, nil: return false
    }
  }

  /// The scenes have resumed, or do not resume in time.
  mutating func endHeldRequests() {
    effects.timers.append(.cancel(.resumption))
    perform(heldRequests.end())
  }

  mutating func perform(_ items: [HeldRequests.Item]) {
    for item in items {
      do throws(BrokerError) {
        try item.perform(&self, item.requester)
      } catch {
        refuse(item.requester, error)
      }
    }
  }
}
