import SceneModel

/// The requests of controls and observers that wait after an upgrade until the scenes have resumed.
/// Their replies then show the states that the earlier program had.
struct ResumptionQueue {
  struct Item {
    var requester: Requester
    let perform: (inout Broker, Requester) throws(BrokerError) -> Void
  }

  /// Nil while requests do not wait.
  private var items: [Item]?

  /// The longest wait. 1,000 clients resume in less than 0.4 s.
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

  /// Removes the requests of a client that has gone. They lose their identifiers, so that the
  /// broker sends no reply.
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

  /// Performs the requests that wait. Later requests do not wait.
  mutating func endResumption() {
    effects.timers.append(.cancel(.resumption))
    perform(resumptionQueue.end())
  }

  mutating func perform(_ items: [ResumptionQueue.Item]) {
    for item in items {
      do throws(BrokerError) {
        try item.perform(&self, item.requester)
      } catch {
        refuse(item.requester, error)
      }
    }
  }
}
