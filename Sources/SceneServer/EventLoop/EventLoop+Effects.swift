package import SceneBroker
import SceneCommandLine
import SceneJournal
package import SceneModel
import ScenePlatform

/// The effects of the broker are carried out, after the input that caused them.
extension EventLoop {
  /// Carries out the effects in the order that `Broker` states.
  package func performEffects() {
    repeat {
      answerLivenessQueries()
      handle(.inputTaken)
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
    lingerFinished()
    changeTimers(ready.timers)
    for command in ready.commands { perform(command) }
    removeDirectories()
    if ready.isStopping { stop() }
  }

  private func perform(_ command: BrokerCommand) {
    switch command {
    case .launch(let request): launch(request)
    case .terminate(let launch): processes.launcher?.end(launch)
    case .signal(let name, let process):
      handle(.signalled(processes.inspector.send(name, to: process)))
    case .advance(let time): timers.advanceClock(by: time)
    case .readManifest: readManifest()
    case .upgrade(let dryRun):
      wantsUpgrade = wantsUpgrade || !dryRun
      let problem = beginUpgradeCheck.map { $0() } ?? BrokerError(.notPermitted, "no program")
      if let problem { upgradeChecked(problem) }
    case .watchPressure(let isOn): handle(.pressureWatched(watchPressure?(isOn)))
    case .takePressureStep(let isRequested): takePressureStep(isRequested: isRequested)
    case .checkSpace: journal.checkSpaceIfFull()
    case .makeDirectory(let session):
      handle(.dataDirectoryMade(session, directories.make(session)))
    case .markDirectory(let session, let after): directories.mark(session, after: after)
    case .removeDirectory(let session, let after): directories.remove(session, after: after)
    case .inject(let fault):
      if faults.inject(fault, submitted: journal.submitted, durable: journal.durable) {
        journal.requestSpaceCheck()
      }
    case .drain(let connection): reportWhenDrained(connection)
    case .readExit(let connection):
      let exit = processes.peers[connection]?.end.map { ClientExit($0) }
      if exit != nil { processes.peers[connection] = nil }
      handle(.exitRead(connection, exit))
    case .forgetExit(let connection): processes.peers[connection] = nil
    case .close(let connection): linger(connection, .violation)
    }
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
    if connection.output.writtenByteCount > Share.busyOutput { connection.input.isBusy = true }
  }

  // MARK: - The journal

  func submit(_ records: borrowing EncodedRecords) {
    guard !records.isEmpty else { return }
    journal.submit(records, holdCount: broker.holdCount)
    noteStorage()
  }

  /// Takes in the progress of the journal.
  package func journalDidProgress() {
    input.hasInput = true
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

  // MARK: - Processes

  /// The system reports that memory is short.
  func reportPressure() {
    input.hasInput = true
    handle(.pressureReported)
  }

  /// Measures before the process of the step ends.
  package func takePressureStep(isRequested: Bool = false) {
    let step = broker.nextPressureStep
    let figures = PressureFigures(
      average: pressureAverage?(),
      residentBytes: (step?.process?.pid).flatMap { processes.inspector.residentBytes(of: $0) })
    handle(.pressureMeasured(step, figures, isRequested: isRequested))
  }

  func launch(_ request: LaunchRequest) {
    do throws(SystemError) {
      guard let (process, token) = try processes.launch(request) else {
        return handle(.notLaunched(request.identifier, problem: ProcessService.refusal))
      }
      handle(.launched(request.identifier, process, token: token))
    } catch {
      handle(.notLaunched(request.identifier, problem: error.launchFailure(request.command)))
    }
  }

  /// Tells the broker that a launched program has ended.
  package func exited(_ launch: LaunchIdentifier, _ status: ClientExit) {
    input.hasInput = true
    handle(.exited(launch, status))
  }

  /// Ends programs that an earlier broker launched and that have not connected.
  func endSurvivors() {
    guard broker.manifest.roles.contains(where: { !$0.launches.isEmpty }) else { return }
    let connected = connections.identifiers.compactMap { connections[$0]?.process.pid }
    processes.launcher?.endSurvivors(sparing: Set(connected))
  }

  /// Answers the liveness queries of the broker in the same iteration. An answer may cause another
  /// query.
  func answerLivenessQueries() {
    while !effects.livenessQueries.isEmpty {
      let livenessQueries = effects.livenessQueries
      effects.livenessQueries.removeAll()
      for query in livenessQueries {
        let ending = query.processes.filter { !processes.isRunning($0) }
        handle(.livenessQueried(query.identifier, ending: ending))
      }
    }
  }
}
