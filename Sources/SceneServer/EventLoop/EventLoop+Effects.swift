import SceneBroker
import SceneModel

/// The end of an iteration: effects of the broker are carried out.
extension EventLoop {
  /// Carries out the effects in the order that `Broker` states.
  package func endIteration() {
    processRequests()
    repeat {
      answerLivenessQueries()
      handle(.iterationEnded)
      var committing = Effects()
      swap(&effects, &committing)
      apply(&committing)
      committing.removeAll()
      // The next effects use the memory again.
      if effects.isEmpty { swap(&effects, &committing) }
    } while !effects.isEmpty
    if let warning = delegateWarning.text(waitingRequests: broker.awaitingMissingDelegate) {
      log.warn(warning)
    }
    noteMemory()
  }

  private func apply(_ committing: inout Effects) {
    submit(committing.records)
    log.tell(committing.trace)
    post(&committing.messages)
    journal.retrySpaceIfRefused()
    leaveFinished()
    changeTimers(committing.timers)
    for request in committing.launches { launch(request) }
    for identifier in committing.terminations { processes.end(identifier) }
    for request in committing.signals { handle(.signalled(processes.send(request))) }
    for time in committing.advances { timers.advanceClock(by: time) }
    if committing.readsManifest { readManifest() }
    changeDirectories(committing.dataDirectories)
    for fault in committing.faults {
      if faults.inject(fault, submitted: journal.submitted, durable: journal.durable) {
        journal.retrySpace()
      }
    }
    for identifier in committing.drains { drain(identifier) }
    for identifier in committing.closes { linger(identifier, .violation) }
    if committing.isStopping { stop() }
  }

  /// Data directories are made at once, and removed when the discard of their session is durable.
  private func changeDirectories(_ changes: [DataDirectoryChange]) {
    for change in changes {
      switch change {
      case .make(let session): handle(.dataDirectoryMade(session, directories.make(session)))
      case .remove(let session, let after): directories.remove(session, after: after)
      }
    }
    removeDirectories()
  }

  /// Writes messages to the outboxes of their connections. `flush` sends them after the iteration.
  func post(_ messages: inout [Outbound]) {
    do {
      let messages = messages.span
      for index in messages.indices { post(messages[index]) }
    }
    messages.removeAll(keepingCapacity: true)
  }

  private func post(_ outbound: borrowing Outbound) {
    guard let connection = connections[outbound.connection] else { return }
    // A client that is gone reads nothing.
    guard !connection.isGone else { return }
    if let release = output.append(outbound, to: connection, durable: journal.durable) {
      begin(release, on: connection)
    }
    if connection.output.writtenByteCount > Share.busyOutput { connection.input.markBusy() }
    if faults.isActive {
      faults.mark(
        copy outbound, durable: journal.durable, outboxByteCount: connection.outbox.byteCount)
    }
    if outbound.isRefusedForWantOfRoom { journal.noteRefusal() }
  }
}

extension Outbound {
  fileprivate var isRefusedForWantOfRoom: Bool {
    switch message {
    case .error(_, let error): error.reason == .storageFull
    case .reply, .callback, .delegateCallback, .notification: false
    }
  }
}
