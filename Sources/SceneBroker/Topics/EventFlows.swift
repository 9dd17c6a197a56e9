/// The events that each observing connection may not have read, in bytes.
///
/// An observation knows the place of its connection's flow, so that a delivery takes no hashing.
///
/// - `places` has each used place once, and `free` each other one.
struct EventFlows {
  typealias Place = Int

  private struct Flow {
    var byteCount = 0
    /// Whether the event loop is to report when the connection has read everything.
    var isDraining = false
  }

  private var flows: [Flow] = []
  private var places: [ConnectionIdentifier: Place] = [:]
  private var free: [Place] = []

  /// The place of a connection's flow, which stays until `remove`.
  mutating func place(of connection: ConnectionIdentifier) -> Place {
    if let place = places[connection] { return place }
    let place = free.popLast() ?? flows.count
    if place == flows.count { flows.append(Flow()) }
    places[connection] = place
    return place
  }

  /// The connection has closed.
  mutating func remove(_ connection: ConnectionIdentifier) {
    guard let place = places.removeValue(forKey: connection) else { return }
    flows[place] = Flow()
    free.append(place)
  }

  /// Whether another event can be sent. The first one has any size.
  func hasRoom(_ place: Place, byteLimit: Int) -> Bool {
    flows[place].byteCount < byteLimit || flows[place].byteCount == 0
  }

  mutating func add(_ byteCount: Int, to place: Place) { flows[place].byteCount += byteCount }

  /// Returns false if the event loop already reports when the connection has read everything.
  mutating func beginDrain(_ place: Place) -> Bool {
    if flows[place].isDraining { return false }
    flows[place].isDraining = true
    return true
  }

  /// The connection has read everything.
  mutating func drained(_ connection: ConnectionIdentifier) {
    if let place = places[connection] { flows[place] = Flow() }
  }

  // MARK: - Invariants

  var connections: [ConnectionIdentifier] { Array(places.keys) }

  func isPlace(_ place: Place, of connection: ConnectionIdentifier) -> Bool {
    places[connection] == place
  }

  /// Every invariant of this part that does not hold, as a sentence.
  var flaws: [String] {
    (Array(places.values) + free).sorted() == Array(flows.indices)
      ? [] : ["the places of the flows of events are wrong"]
  }
}
