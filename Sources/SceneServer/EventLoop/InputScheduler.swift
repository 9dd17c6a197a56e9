import SceneBroker

/// Limits for the input and output of a connection in one iteration, in bytes.
package enum Share {
  /// The loop reads nothing more from a connection with more unsent output than this.
  package static let waitingOutput = 1 << 16
  /// Requests of a connection wait for the next iteration after more output than this.
  static let output = 1 << 15
  /// A connection with this much input, or more output than `busyOutput`, is busy. A save of a KiB
  /// is less: if it had to wait for a turn, the journal would sync fewer saves at once.
  static let busyInput = 1 << 11
  static let busyOutput = 1 << 12
  /// The input of all busy connections together in one iteration: one turn. The limit grows with
  /// the number of ready connections, because each of them costs time.
  static func input(ofReady count: Int) -> Int { max(1 << 12, count << 6) }
}

/// The input of this iteration, and the busy connections that wait for their turn.
///
/// An iteration reads the input of all connections that are not busy, and the input of busy ones
/// only up to a limit. So the others wait for one turn at most.
struct InputScheduler {
  /// Busy connections, in the order in which their input began to wait.
  private var turns: [Connection] = []
  /// Counts iterations that have seen all that was ready.
  private(set) var iteration: UInt64 = 0
  /// Whether input arrived in this iteration, or may still wait.
  var hasInput = false
  /// Whether a client connected in this iteration, or may still wait to be accepted.
  var hasNewClients = false

  /// An iteration that has not seen all that was ready does not count as a later one for timers.
  mutating func beginIteration(seesAll: Bool) {
    hasInput = !seesAll
    hasNewClients = false
    if seesAll { iteration += 1 }
  }

  /// Whether input of the connection may be unread. The poller reports again what an earlier
  /// iteration left in a socket.
  func hasUnreadInput(_ connection: Connection) -> Bool {
    connection.input.mayBeUnread(in: iteration)
  }

  // MARK: - Turns

  var hasTurns: Bool { !turns.isEmpty }
  var turnCount: Int { turns.count }

  mutating func waitForTurn(_ connection: Connection) {
    guard !connection.input.waitsForTurn else { return }
    connection.input.waitsForTurn = true
    turns.append(connection)
  }

  /// Begins the turn of the connection at this position.
  func beginTurn(at position: Int) -> Connection {
    let connection = turns[position]
    connection.input.waitsForTurn = false
    return connection
  }

  /// Removes the first connections, whose turns are over.
  mutating func endTurns(_ count: Int) {
    if count > 0 { turns.removeFirst(count) }
  }

  // MARK: - Invariants

  /// Every invariant of the scheduler and of these connections, the open ones, that does not hold
  /// between two iterations, as a sentence.
  func flaws(of connections: [Connection]) -> [String] {
    let counts = turns.reduce(into: [:]) { $0[ObjectIdentifier($1), default: 0] += 1 }
    return connections.compactMap { connection in
      let count = counts[ObjectIdentifier(connection)] ?? 0
      guard count != (connection.input.waitsForTurn ? 1 : 0) else { return nil }
      return "connection \(connection.identifier.number) is \(count) times in the list of turns"
    }
  }
}
