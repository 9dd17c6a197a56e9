import SceneBroker
import SceneModel

/// The end of a round.
extension Switchboard {
  /// Does what the rules want done, in order: records, then messages, timers, programs and closes.
  package func endRound() {
    askRules()
    repeat {
      answerInquiries()
      handle(.roundEnded)
      swap(&effects, &carried)
      carryOut()
      carried.removeAll()
    } while !effects.isEmpty
    noteMissingDelegate()
    noteMemory()
  }

  /// Told once for as long as somebody waits: whoever does is told nothing until there is one.
  private func noteMissingDelegate() {
    let count = broker.awaitingMissingDelegate
    if count > 0, !hasToldOfMissingDelegate {
      log.warn(
        "\(count == 1 ? "a request waits" : "\(count) requests wait") for the application delegate, "
          + "which the manifest requires and which is not there; start the application's own, or be "
          + "it with: scenectl delegate")
    }
    hasToldOfMissingDelegate = count > 0
  }

  private func carryOut() {
    keepRecords()
    log.tell(carried.story)
    post(&carried.messages)
    lookForRoom()
    leaveFinished()
    changeTimers(carried.timers)
    for request in carried.launches { launch(request) }
    for identifier in carried.dismissals { launcher?.end(identifier) }
    for request in carried.signals {
      handle(.signalled(processes.send(request.signal, to: request.process)))
    }
    for time in carried.advances { clock.advance(by: time) }
    if carried.readsManifest { readManifest() }
    changeDirectories()
    inject(carried.faults)
    for identifier in carried.drains { drain(identifier) }
    for identifier in carried.closes { linger(identifier, .violation) }
    if carried.isStopping { stop() }
  }

  /// The rules have nothing left to say: whoever does not take what was said is not waited for.
  private func stop() {
    isStopping = true
    for identifier in connections.identifiers { linger(identifier, .shutdown) }
  }

  /// Questions of the rules are answered in the same round; an answer may lead to another question.
  private func answerInquiries() {
    while !effects.inquiries.isEmpty {
      let inquiries = effects.inquiries
      effects.inquiries.removeAll()
      for inquiry in inquiries {
        let ending = inquiry.processes.filter { processes.state(of: $0) != .running }
        handle(.inquired(inquiry.identifier, ending: ending))
      }
    }
  }

  /// Writes messages to the outboxes of their connections. Nothing is sent before the round ends.
  func post(_ messages: inout [Outbound]) {
    do {
      let messages = messages.span
      for index in messages.indices { post(messages[index]) }
    }
    messages.removeAll(keepingCapacity: true)
  }

  private func post(_ outbound: borrowing Outbound) {
    guard let connection = connections[outbound.connection] else { return }
    // Nothing reaches a client that is gone.
    guard !connection.isGone else { return }
    let before = connection.outbox.byteCount
    if let release = connection.outbox.append(outbound, durable: durable, borrowingFrom: &spares) {
      begin(release, on: connection)
    }
    connection.writtenByteCount += connection.outbox.byteCount - before
    countWaiting(of: connection)
    if connection.writtenByteCount > Share.busyOutput { connection.isBusy = true }
    if faults != nil { mark(copy outbound, on: connection) }
    if outbound.isRefusedForWantOfRoom { wantsRoom = true }
    listForOutput(connection)
    listIfHeldBack(connection)
  }
}
