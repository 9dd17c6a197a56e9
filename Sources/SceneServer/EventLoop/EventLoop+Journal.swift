import SceneBroker
import SceneJournal
import SceneModel

/// The loop submits records to the journal, and releases output when its records are durable.
extension EventLoop {
  func submit(_ records: [Record]) {
    guard !records.isEmpty else { return }
    journal.submit(records, holdCount: broker.holdCount)
    noteStorage()
  }

  /// Takes in the progress of the journal.
  package func journalDidProgress() {
    input.noteInput()
    if let durable = journal.update() {
      handle(.synced(durable))
      removeDirectories()
      releaseOutput(upTo: durable)
      faults.armDeath(durable: durable)
      // While records wait, the reserve also covers their holds.
      if durable == broker.recordCount { journal.reserve(broker.holdCount) }
    }
    noteStorage()
    if let failure = journal.takeCompactionFailure() {
      log.warn("the broker stopped compacting the journal, which now grows: \(failure)")
    }
  }

  /// Why the journal has failed, if it has.
  var journalFailure: JournalError? { journal.failure }

  func noteStorage() {
    if let change = journal.takeStorageChange() {
      handle(.storage(change.room, problem: change.problem))
    }
    guard let messages = journal.takeRoomMessages(broker.room) else { return }
    // A test that simulates a full disk needs no warning.
    let isWarning = messages.isWarning && !faults.simulatesFullDisk
    for text in messages.texts {
      if isWarning { log.warn(text) } else { log.note(text) }
    }
  }

  /// Removes the data directories of sessions whose discard is durable.
  func removeDirectories() { directories.removeReady(durable: journal.durable) }

  private func releaseOutput(upTo durable: UInt64) {
    output.beginRelease()
    while let connection = output.nextToRelease() {
      connection.outbox.release(upTo: durable) { begin($0, on: connection) }
      output.didRelease(connection)
    }
  }

  /// Begins what depends on a message that may leave now.
  func begin(_ release: Outbox.OnRelease, on connection: Connection) {
    switch release {
    case .nothing: break
    case .reply: replyReleased(on: connection)
    case .callback(let number, let budget):
      // The broker awaits no reply to the last callbacks of a client that loses its scene.
      guard broker.kind(ofCallback: number, on: connection.identifier) != nil else { break }
      // This iteration sends the callback, so its budget begins now. A request of this iteration
      // may have extended it.
      timers.extend(.broker(.callback(connection.identifier, number)), by: budget)
    }
  }
}
