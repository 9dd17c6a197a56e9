import SceneBroker
import SceneModel

/// The end of an iteration: effects of the broker are carried out.
extension EventLoop {
  /// Carries out the effects in the order that `Broker` states.
  package func endIteration() {
    repeat {
      answerLivenessQueries()
      handle(.iterationEnded)
      if effects.isEmpty { lingerFinished() } else { applyEffects() }
    } while !effects.isEmpty
    let figures = broker.figures()
    if let warning = delegateWarning.text(waitingRequests: figures.awaitingMissingDelegate) {
      log.warn(warning)
    }
    noteMemory(figures)
  }

  /// Carries out the effects. `effects` collects what these effects cause, for the next round.
  private func applyEffects() {
    swap(&effects, &spareEffects)
    apply(&spareEffects)
    spareEffects.removeAll()
  }

  private func apply(_ ready: inout Effects) {
    submit(ready.records)
    log.tell(ready.trace)
    postMessages(of: &ready)
    if ready.hasRefusedForSpace { journal.checkSpaceIfFull() }
    lingerFinished()
    changeTimers(ready.timers)
    for request in ready.launches { launch(request) }
    for identifier in ready.terminations { processes.end(identifier) }
    for request in ready.signals { handle(.signalled(processes.send(request))) }
    for time in ready.advances { timers.advanceClock(by: time) }
    if ready.readsManifest { readManifest() }
    changeDirectories(ready.dataDirectories)
    for fault in ready.faults {
      if faults.inject(fault, submitted: journal.submitted, durable: journal.durable) {
        journal.requestSpaceCheck()
      }
    }
    for identifier in ready.drains { reportWhenDrained(identifier) }
    for identifier in ready.closes { linger(identifier, .violation) }
    if ready.isStopping { stop() }
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
  func postMessages(of ready: inout Effects) {
    var begin = 0
    for index in ready.deliveries.indices {
      let end = ready.deliveries[index].precedingMessageCount
      post(ready.messages, begin..<end)
      post(ready.deliveries[index])
      begin = end
    }
    post(ready.messages, begin..<ready.messages.count)
    ready.removeMessages()
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
