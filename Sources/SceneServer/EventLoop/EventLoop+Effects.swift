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
      if effects.isEmpty { leaveFinished() } else { applyEffects() }
    } while !effects.isEmpty
    let figures = broker.figures()
    if let warning = delegateWarning.text(waitingRequests: figures.awaitingMissingDelegate) {
      log.warn(warning)
    }
    noteMemory(figures)
  }

  /// Carrying out effects can cause others, which are for the next round. The two values keep
  /// their memory.
  private func applyEffects() {
    var committing = Effects()
    swap(&committing, &spareEffects)
    swap(&committing, &effects)
    apply(&committing)
    committing.removeAll()
    swap(&committing, &spareEffects)
  }

  private func apply(_ committing: inout Effects) {
    submit(committing.records)
    log.tell(committing.trace)
    postMessages(of: &committing)
    if committing.hasRefusedForSpace { journal.checkSpaceIfFull() }
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
        journal.requestSpaceCheck()
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

  /// Writes messages and events to the outboxes of their connections. `flush` sends them after the
  /// iteration.
  func postMessages(of effects: inout Effects) {
    var begin = 0
    for index in effects.deliveries.indices {
      let end = effects.deliveries[index].precedingMessageCount
      post(effects.messages, begin..<end)
      post(effects.deliveries[index])
      begin = end
    }
    post(effects.messages, begin..<effects.messages.count)
    effects.removeMessages()
  }

  private func post(_ messages: [Outbound], _ range: Range<Int>) {
    let messages = messages.span
    for index in range { post(messages[index]) }
  }

  private func post(_ outbound: borrowing Outbound) {
    guard let connection = receiver(outbound.connection) else { return }
    if let release = output.append(outbound, to: connection, durable: journal.durable) {
      begin(release, on: connection)
    }
    noteOutput(of: connection)
    if faults.isActive {
      faults.mark(
        copy outbound, durable: journal.durable, outboxByteCount: connection.outbox.byteCount)
    }
  }

  private func post(_ delivery: borrowing EventDelivery) {
    if delivery.hasGap { return postWithGap(delivery) }
    let frame = events.frame(of: delivery)
    let hasFaults = faults.isActive
    for observer in delivery.observers {
      guard let connection = receiver(observer.connection) else { continue }
      output.append(frame, for: observer.session, to: connection)
      noteOutput(of: connection)
      if hasFaults {
        faults.markEvent(
          on: connection.identifier, outboxByteCount: connection.outbox.byteCount)
      }
    }
  }

  /// Few observers miss events, so each message is encoded for itself.
  private func postWithGap(_ delivery: borrowing EventDelivery) {
    var event = EventPosted(delivery.event, at: delivery.position)
    event.gap = true
    for observer in delivery.observers {
      event.session = observer.session
      post(
        Outbound(
          connection: observer.connection, message: .notification(.posted(event)), after: 0))
    }
  }

  /// The connection that gets a message. A client that is gone reads nothing.
  private func receiver(_ identifier: ConnectionIdentifier) -> Connection? {
    guard let connection = connections[identifier], !connection.isGone else { return nil }
    return connection
  }

  private func noteOutput(of connection: Connection) {
    if connection.output.writtenByteCount > Share.busyOutput { connection.input.markBusy() }
  }
}
