import SceneBroker
import SceneModel

/// What one connection may have of a round, in bytes.
package enum Share {
  /// Nothing more is read from a connection while more output than this waits for it.
  package static let waitingOutput = 1 << 16
  /// Requests of a connection wait for the next round once they have led to more output than this.
  static let output = 1 << 15
  /// A connection that says so much, or is told more than `busyOutput`, is heard in turn from then on.
  static let busyInput = 1 << 10
  static let busyOutput = 1 << 12
  /// How much input all busy connections together have in a round: one turn, and more where so many
  /// are ready that looking at them is a cost of its own.
  static func input(ofReady count: Int) -> Int { max(1 << 12, count << 6) }
}

/// Busy connections are heard one after the other: a round takes the input of all the others, and of
/// the busy ones as much as one may say. So the others wait for one turn, however many are busy.
extension Switchboard {
  var hasTurns: Bool { !turns.isEmpty }

  package func waitForTurn(_ connection: Connection) {
    guard !connection.waitsForTurn else { return }
    connection.waitsForTurn = true
    turns.append(connection)
  }

  /// Gives busy connections their turns. `read` reads from a connection's socket, hands in what was
  /// read, and says how much that was.
  package func takeTurns(ready: Int = 0, _ read: (Connection) -> Int = { _ in 0 }) {
    askRules()
    var (input, output) = (Share.input(ofReady: ready), Share.output)
    var count = 0
    let waiting = turns.count
    while count < waiting, input > 0, output > 0 {
      let connection = turns[count]
      count += 1
      connection.waitsForTurn = false
      guard connection.stage.isHeard, !connection.isPaused else { continue }
      guard connection.writtenByteCount <= Share.output else {
        waitForTurn(connection)
        continue
      }
      let written = connection.writtenByteCount
      if connection.heldInput.isEmpty {
        input -= read(connection)
      } else {
        input -= connection.heldInput.count
        hearHeldInput(of: connection)
      }
      askRules()
      output -= connection.writtenByteCount - written
    }
    turns.removeFirst(count)
  }

  /// Whether a connection's next frame has to wait for the next round, or until output has left.
  func mustWait(_ connection: Connection) -> Bool {
    if connection.asks { askRules() }
    return !connection.isHeardAtOnce
      && (connection.writtenByteCount > Share.output || connection.isPaused)
  }

  func hold(_ bytes: Span<UInt8>, of connection: Connection) {
    bytes.withUnsafeBufferPointer { connection.heldInput.append(contentsOf: $0) }
    countWaiting(of: connection)
    waitForTurn(connection)
  }

  private func hearHeldInput(of connection: Connection) {
    let held = connection.heldInput
    connection.heldInput = []
    receive(held.span, from: connection)
  }

  /// A connection comes to its end. What it said before counts, and is not answered if it is gone.
  func hearRest(of connection: Connection) {
    connection.isHeardAtOnce = true
    if !connection.heldInput.isEmpty { hearHeldInput(of: connection) }
    askRules()
  }
}
