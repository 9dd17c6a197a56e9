/// Connections in the order of their numbers: the order of messages must not depend on a hash.
struct SubscriberSet: Sequence {
  private var connections: [ConnectionIdentifier] = []

  var isEmpty: Bool { connections.isEmpty }

  mutating func insert(_ connection: ConnectionIdentifier) {
    let index = connections.firstIndex { $0 >= connection } ?? connections.endIndex
    guard index == connections.endIndex || connections[index] != connection else { return }
    connections.insert(connection, at: index)
  }

  mutating func remove(_ connection: ConnectionIdentifier) {
    guard let index = connections.firstIndex(of: connection) else { return }
    connections.remove(at: index)
  }

  /// Whether each connection occurs once, in order.
  var isOrdered: Bool { connections.isStrictlyRising }

  func makeIterator() -> IndexingIterator<[ConnectionIdentifier]> { connections.makeIterator() }
}
