import SceneModel

/// The requests of controls and observers that wait after an upgrade until the scenes have resumed.
/// Their replies then show the states that the earlier program had.
struct ResumptionQueue {
  typealias Action = (inout Broker, Requester) throws(BrokerError) -> Void

  private(set) var isActive = false
  private var items: [(requester: Requester, perform: Action)] = []
  private var counts: [ConnectionIdentifier: Int] = [:]

  /// The longest wait. 1,000 clients resume in less than 0.4 s.
  static let time = Interval.seconds(1)

  /// The greatest number of requests. A client that connects again and again could add any number.
  static let limit = 1000

  mutating func begin() { isActive = true }

  mutating func add(_ requester: Requester, _ perform: @escaping Action) {
    items.append((requester, perform))
    counts[requester.connection, default: 0] += 1
  }

  mutating func end() -> [(requester: Requester, perform: Action)] {
    defer { self = ResumptionQueue() }
    return items
  }

  /// A client has gone. Its requests lose their identifiers, so that the broker sends no reply.
  mutating func loseReplies(to connection: ConnectionIdentifier) {
    for index in items.indices where items[index].requester.connection == connection {
      items[index].requester = Requester(connection: connection, request: nil)
    }
  }

  var isFull: Bool { items.count >= Self.limit }

  func count(of connection: ConnectionIdentifier) -> Int { counts[connection] ?? 0 }
}

extension Broker {
  /// Whether the request waits for the scenes, or for an earlier request of its client.
  func mustWait(_ message: any RequestMessage.Type, of requester: Requester) -> Bool {
    guard resumptionQueue.isActive else { return false }
    switch clients[requester.connection]?.kind {
    case .control, .observer:
      return message.concernsScenes || resumptionQueue.count(of: requester.connection) > 0
    case .scene, .applicationDelegate, nil: return false
    }
  }

  /// Performs the requests that wait. Later requests do not wait.
  mutating func endResumption() {
    effects.timers.append(.cancel(.resumption))
    for item in resumptionQueue.end() {
      do throws(BrokerError) {
        try item.perform(&self, item.requester)
      } catch {
        refuse(item.requester, error)
      }
    }
  }
}
