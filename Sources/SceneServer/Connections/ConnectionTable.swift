import SceneBroker

/// All connections by identifier, without hashing.
///
/// The lower bits of an identifier are the place in the table. The upper bits count connections, so
/// that no identifier is used twice and later connections have greater identifiers.
///
/// - `free` has each empty place once, except that of an identifier without a connection yet.
struct ConnectionTable {
  private var places: ContiguousArray<Connection?> = []
  /// The free places.
  private var free: ContiguousArray<Int> = []
  private var lastSerial: UInt64 = 0
  /// Connections that ask nothing more and have all their replies.
  private var finished: [Connection] = []
  /// Whether the broker has nothing left to do: all connections close, and no client is accepted.
  private(set) var isStopping = false

  /// Enough places for all descriptors of a process. The other 40 bits outlast any broker.
  private static let placeBits: UInt64 = 24

  var count: Int { places.count - free.count }
  var isEmpty: Bool { count == 0 }
  /// Whether the broker has nothing left to do and every connection is closed.
  var isDone: Bool { isStopping && isEmpty }

  /// An identifier for a new connection, which the caller then adds.
  mutating func nextIdentifier() -> ConnectionIdentifier {
    let place = free.popLast() ?? places.count
    precondition(place < 1 << Self.placeBits, "too many connections")
    if place == places.count { places.append(nil) }
    lastSerial += 1
    return ConnectionIdentifier(lastSerial << Self.placeBits | UInt64(place))
  }

  mutating func add(_ connection: Connection) {
    places[Self.place(of: connection.identifier)] = connection
  }

  subscript(identifier: ConnectionIdentifier) -> Connection? {
    let place = Self.place(of: identifier)
    // The synthesized == of another module is not inlined.
    guard place < places.count, let connection = places[place],
      connection.identifier.number == identifier.number
    else { return nil }
    return connection
  }

  mutating func remove(_ identifier: ConnectionIdentifier) {
    guard self[identifier] != nil else { return }
    places[Self.place(of: identifier)] = nil
    free.append(Self.place(of: identifier))
  }

  /// The connection with the most waiting bytes.
  var fullest: Connection? {
    places.lazy.compactMap(\.self).max { $0.output.countedByteCount < $1.output.countedByteCount }
  }

  func contains(where isMeant: (Connection) -> Bool) -> Bool {
    places.contains { $0.map(isMeant) ?? false }
  }

  /// All connections, in the order in which the clients connected.
  var identifiers: [ConnectionIdentifier] { places.compactMap { $0?.identifier }.sorted() }

  /// Adds a connection that is left at the end of the iteration: its client sends nothing more, and
  /// no reply is due.
  mutating func addFinished(_ connection: Connection) { finished.append(connection) }

  /// Removes and returns those connections, in order.
  mutating func takeFinished() -> [Connection] {
    if finished.isEmpty { return [] }
    defer { finished = [] }
    return finished
  }

  /// Begins the end of all connections. Returns them in order.
  mutating func stop() -> [ConnectionIdentifier] {
    isStopping = true
    return identifiers
  }

  // MARK: - Invariants

  /// Every invariant of this part that does not hold, as a sentence.
  var flaws: [String] {
    var flaws: [String] = []
    for (place, connection) in places.enumerated() {
      guard let identifier = connection?.identifier else { continue }
      if Self.place(of: identifier) != place || identifier.number >> Self.placeBits > lastSerial {
        flaws.append("connection \(identifier.number) has the place \(place)")
      }
    }
    if free.sorted() != places.indices.filter({ places[$0] == nil }) {
      flaws.append("the free places differ from the empty ones")
    }
    return flaws
  }

  private static func place(of identifier: ConnectionIdentifier) -> Int {
    Int(identifier.number & (1 << placeBits - 1))
  }
}
