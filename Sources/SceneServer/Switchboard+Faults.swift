import SceneBroker
import SceneModel
import ScenePlatform

/// What goes wrong for a test. Without a test there are no `faults`, and nothing is looked at.
extension Switchboard {
  func inject(_ wanted: [Fault]) {
    for fault in wanted {
      switch fault {
      case .death(let point, let moment):
        awaitedDeath = (Faults.Death(point: point, moment: moment), kept)
        armDeath()
      case .diskFull(let full):
        faults?.fillDisk(full)
        keeper.lookForRoom()
      }
    }
  }

  /// What was under way before it was asked for is over: the next passing is the test's own.
  func armDeath() {
    guard let (death, after) = awaitedDeath, after <= durable else { return }
    awaitedDeath = nil
    faults?.arm(death)
  }

  /// Looks whether a message that was just written is one to die with.
  func mark(_ outbound: Outbound, on connection: Connection) {
    guard let death = faults?.death, connection.fatalMessage == nil else { return }
    guard isFatal(outbound, to: death.point) else { return }
    connection.fatalMessage = FatalMessage(
      byteCount: connection.outbox.byteCount, moment: death.moment)
  }

  private func isFatal(_ outbound: Outbound, to point: FaultPoint) -> Bool {
    switch point {
    case .replySent: if case .reply = outbound.message { outbound.after > durable } else { false }
    case .eventDelivered:
      switch outbound.message {
      case .callback, .notification(.posted): true
      case .reply, .error, .delegateCallback, .notification: false
      }
    // The journal's thread dies of these.
    case .recordAppended, .recordSynced: false
    }
  }

  /// Sends, and dies if this takes the end of a message to die with.
  func send(
    _ bytes: RawSpan, with fatal: FatalMessage, on connection: Connection,
    _ send: (Connection, RawSpan) -> SendOutcome
  ) -> SendOutcome {
    if fatal.moment == .before, bytes.byteCount >= fatal.byteCount { CurrentProcess.die() }
    let outcome = send(connection, bytes)
    if outcome.byteCount >= fatal.byteCount { CurrentProcess.die() }
    connection.fatalMessage?.byteCount -= outcome.byteCount
    return outcome
  }
}
