import SceneBroker

/// The connections by their numbers, found without hashing: the lower part of a number is the place
/// in the table, the upper part counts up with every connection, so that numbers are never given
/// out twice and grow with time.
struct ConnectionTable {
  private var places: ContiguousArray<Connection?> = []
  /// The places where nothing is.
  private var free: ContiguousArray<Int> = []
  private var lastSerial: UInt64 = 0

  /// More connections than a process can have descriptors, and more serial numbers than any broker
  /// lives to see.
  private static let placeBits: UInt64 = 24

  var count: Int { places.count - free.count }
  var isEmpty: Bool { count == 0 }

  /// A number for a connection, which is then to be added under it.
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
    guard place < places.count, let connection = places[place], connection.identifier == identifier
    else { return nil }
    return connection
  }

  mutating func remove(_ identifier: ConnectionIdentifier) {
    guard self[identifier] != nil else { return }
    places[Self.place(of: identifier)] = nil
    free.append(Self.place(of: identifier))
  }

  /// The one for which most waits.
  var fullest: Connection? {
    places.lazy.compactMap(\.self).max { $0.countedByteCount < $1.countedByteCount }
  }

  /// Whether anybody has said more than was read.
  func contains(where isMeant: (Connection) -> Bool) -> Bool {
    places.contains { $0.map(isMeant) ?? false }
  }

  /// Those that are there, in the order in which they came.
  var identifiers: [ConnectionIdentifier] { places.compactMap { $0?.identifier }.sorted() }

  private static func place(of identifier: ConnectionIdentifier) -> Int {
    Int(identifier.number & (1 << placeBits - 1))
  }
}
