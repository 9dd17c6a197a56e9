import SceneBroker
import SceneManifest
import SceneModel

/// The end of an iteration: effects of the broker are carried out.
extension EventLoop {
  /// Carries out the effects in order: records, then messages, timers, programs and closes.
  package func endIteration() {
    processRequests()
    repeat {
      answerInquiries()
      handle(.roundEnded)
      swap(&effects, &committing)
      applyEffects()
      committing.removeAll()
    } while !effects.isEmpty
    noteMissingDelegate()
    noteMemory()
  }

  /// Logs one warning while requests wait: their clients get no reply until a delegate connects.
  private func noteMissingDelegate() {
    let count = broker.awaitingMissingDelegate
    if count > 0, !hasWarnedOfMissingDelegate {
      log.warn(
        "\(count == 1 ? "1 request waits" : "\(count) requests wait") for the application delegate, "
          + "which the manifest requires and which is not connected; start the delegate, or run: "
          + "scenectl delegate")
    }
    hasWarnedOfMissingDelegate = count > 0
  }

  private func applyEffects() {
    submitRecords()
    log.tell(committing.trace)
    post(&committing.messages)
    journal.retrySpaceIfRefused()
    leaveFinished()
    changeTimers(committing.timers)
    for request in committing.launches { launch(request) }
    for identifier in committing.terminations { launcher?.end(identifier) }
    for request in committing.signals {
      handle(.signalled(processes.send(request.signal, to: request.process)))
    }
    for time in committing.advances { timers.advanceClock(by: time) }
    if committing.readsManifest { readManifest() }
    changeDirectories()
    for fault in committing.faults {
      if faults.inject(fault, submitted: journal.submitted, durable: journal.durable) {
        journal.retrySpace()
      }
    }
    for identifier in committing.drains { drain(identifier) }
    for identifier in committing.closes { linger(identifier, .violation) }
    if committing.isStopping { stop() }
  }

  /// The broker has nothing left to do. Clients have a short time to read what was sent.
  private func stop() {
    isStopping = true
    for identifier in connections.identifiers { linger(identifier, .shutdown) }
  }

  /// Answers the liveness queries of the broker in the same iteration. An answer may cause another query.
  private func answerInquiries() {
    while !effects.livenessQueries.isEmpty {
      let livenessQueries = effects.livenessQueries
      effects.livenessQueries.removeAll()
      for query in livenessQueries {
        let ending = query.processes.filter { processes.state(of: $0) != .running }
        handle(.livenessQueried(query.identifier, ending: ending))
      }
    }
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
    if connection.writtenByteCount > Share.busyOutput { connection.isBusy = true }
    if faults.isActive, connection.fatalMessage == nil {
      connection.fatalMessage = faults.mark(
        copy outbound, durable: journal.durable, outboxByteCount: connection.outbox.byteCount)
    }
    if outbound.isRefusedForWantOfRoom { journal.noteRefusal() }
  }
}

/// Data directories of sessions. The loop makes them at once, and removes one when the discard of its
/// session is durable.
extension EventLoop {
  func changeDirectories() {
    for change in committing.dataDirectories {
      switch change {
      case .make(let session): handle(.dataDirectoryMade(session, made(session)))
      case .remove(let session, let after): removals.add(session, after: after)
      }
    }
    removeDirectories()
  }

  private func made(_ session: SessionIdentifier) -> DataDirectoryOutcome {
    directories?.make(session)
      ?? .refused(.requestDenied, "this broker has no data directories for sessions")
  }

  /// Removes the directories of sessions whose discard is durable.
  func removeDirectories() {
    for session in removals.takeReady(durable: journal.durable) { directories?.remove(session) }
  }
}

/// Reloads of the manifest.
extension EventLoop {
  package func readManifest() {
    let reading = manifestReading()
    switch reading {
    case .manifest: log.note("read the manifest again: \(manifestSource?.name ?? "")")
    case .refused(let flaws):
      log.warn("cannot use the new manifest; the broker keeps the old one")
      for flaw in flaws { log.warn(flaw) }
    }
    handle(.manifestRead(reading))
  }

  private func manifestReading() -> ManifestReading {
    guard let manifestSource else {
      return .refused([
        "no manifest to read again: this broker was started without one; restart it with "
          + "--manifest FILE"
      ])
    }
    switch manifestSource.read(true) {
    case .success(let loaded):
      for warning in loaded.warnings { log.warn("\(manifestSource.name): \(warning.line)") }
      return .manifest(loaded.manifest)
    case .failure(let error): return .refused(error.lines)
    }
  }
}
