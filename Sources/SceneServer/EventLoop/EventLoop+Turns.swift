import SceneBroker

/// Turns of busy connections.
extension EventLoop {
  var hasTurns: Bool { input.hasTurns }

  package func waitForTurn(_ connection: Connection) { input.waitForTurn(connection) }

  /// Gives busy connections their turns. `read` reads from the socket of a connection, hands in
  /// the bytes, and returns their number.
  package func takeTurns(ready: Int = 0, _ read: (Connection) -> Int = { _ in 0 }) {
    var (inputBudget, outputBudget) = (Share.input(ofReady: ready), Share.output)
    var count = 0
    let waiting = input.turnCount
    while count < waiting, inputBudget > 0, outputBudget > 0 {
      let connection = input.beginTurn(at: count)
      count += 1
      guard connection.stage.acceptsInput, !connection.isPaused else { continue }
      guard connection.output.writtenByteCount <= Share.output else {
        waitForTurn(connection)
        continue
      }
      let writtenBefore = connection.output.writtenByteCount
      if connection.input.held.isEmpty {
        inputBudget -= read(connection)
      } else {
        inputBudget -= connection.input.held.count
        processHeldInput(of: connection)
      }
      outputBudget -= connection.output.writtenByteCount - writtenBefore
    }
    input.endTurns(count)
  }

  /// Whether the next frame of a connection waits for the next iteration, or until its client
  /// reads. Depends on the replies to all frames before it.
  func mustWait(_ connection: Connection) -> Bool {
    !connection.input.isProcessedAtOnce
      && (connection.output.writtenByteCount > Share.output || connection.isPaused)
  }

  func hold(_ bytes: Span<UInt8>, of connection: Connection) {
    connection.input.hold(bytes)
    output.recount(connection)
    waitForTurn(connection)
  }

  private func processHeldInput(of connection: Connection) {
    let held = connection.input.takeHeld()
    receive(held.span, from: connection)
  }

  /// Processes all input of a connection that ends. A client that is gone gets no replies.
  func processRest(of connection: Connection) {
    connection.input.processAtOnce()
    if !connection.input.held.isEmpty { processHeldInput(of: connection) }
  }
}
