import SceneModel
import ScenePlatform
import SceneTestSupport

@testable import SceneBroker
@testable import SceneServer

/// The end of a simulation. No more faults occur, and everything must settle and be correct.
extension World {
  func comeToRest() {
    guard model.complaint == nil else { return }
    note("no more faults from here on")
    heal()
    let mute = dice.once(in: 2) ? clients.filter { dice.once(in: 2) && $0.isAlive } : []
    for client in mute { client.isMute = true }
    pump()
    // If all clients answer, everything settles without time. Otherwise timers must fire first.
    let waitsForScenes = daemon?.eventLoop.broker.resumptionQueue.isActive == true
    // A client that no longer sends answers no callback.
    let isHeard = !clients.contains { $0.wire?.clientEnd == .shut }
    if mute.isEmpty, ending.isEmpty, isHeard, !waitsForScenes { checkQuiet() }
    settleTimers()
    // The broker refused the first one if it did not know the end of an earlier one yet.
    if daemon?.eventLoop.broker.delegate.connection == nil {
      arriveAsDelegate()
      settleTimers()
    }
    checkQuiet()
    checkTrash()
    for client in mute { client.isMute = false }
    pump()
    // The delegate can have kept requests waiting.
    if !mute.isEmpty { settleTimers() }
    guard model.complaint == nil else { return }
    checkReplies()
    checkScenes()
    model.check(model.unresponsive.isEmpty, "a client that has answered is still marked")
    checkList()
    checkRecovery()
  }

  private func heal() {
    disk.fault = nil
    // A send that failed for lack of memory is repeated later.
    if transport.clear() { now.monotonic += OutputScheduler.resendDelay.nanoseconds }
    disk.capacity = .max
    now.monotonic = max(now.monotonic, ending.map(\.time).max() ?? 0)
    endProcesses()
    for client in clients { client.behavior = .best }
    launcher.hasFaults = false
    if disk.isDown { crash(byPowerCut: true) }
    if let daemon, daemon.endingSince != nil { pump() }
    for _ in 0..<3 where daemon == nil { startDaemon() }
    for client in clients where client.wire == nil { connect(client) }
    // Requests can wait for a delegate.
    arriveAsDelegate()
  }

  /// Connects an application delegate. The broker refuses it if there is another one.
  private func arriveAsDelegate() {
    connect(addClient(kind: .applicationDelegate, name: "app", behavior: .best))
  }

  // MARK: - Without time

  /// Does everything that needs no time.
  private func pump() {
    for _ in 0..<2_000 {
      guard model.complaint == nil else { return }
      model.tick += 1
      if !pumpOnce() { return }
    }
    model.complain("the simulation does not settle")
  }

  private func pumpOnce() -> Bool {
    var isBusy = false
    for client in clients where client.isAlive {
      if let wire = client.wire, wire.unreadByClient > 0 || wire.isClosedByBroker {
        read(client, whole: true)
        isBusy = true
      }
      while !client.isMute, !client.unanswered.isEmpty {
        client.answer(at: 0)
        isBusy = true
      }
      if !client.isMute, !client.questions.isEmpty {
        client.answerQuestions()
        isBusy = true
      }
    }
    guard let daemon else {
      startDaemon()
      return true
    }
    while let time = daemon.journal.nextStep, time <= now.monotonic, self.daemon != nil {
      stepJournal()
      isBusy = true
    }
    let hasInput = wires.contains { wire in
      !wire.isClosedByBroker
        && (!wire.upstream.isEmpty
          || wire.clientEnd == .shut && !wire.isEndKnown
            && processes.state(of: wire.process) == .running
          || wire.clientEnd == .closed && !wire.isGoneKnown)
    }
    let wakes = daemon.eventLoop.nextWakeUp.map { $0 <= now.monotonic } ?? false
    guard
      hasInput || daemon.journal.hasUnseenStatus || wakes || wires.contains(where: \.hasRoomAgain)
    else {
      return isBusy
    }
    daemon.journal.markLearned()
    iterate { eventLoop in
      let open = wires.filter { !$0.isClosedByBroker }
      for wire in open where wire.clientEnd == .closed { drain(wire, eventLoop) }
      for wire in open where wire.clientEnd != .closed {
        deliver(on: wire, eventLoop, whole: true)
      }
      eventLoop.journalDidProgress()
    }
    return true
  }

  /// Lets enough time pass for every timer, and for the processes that the broker ends.
  private func settleTimers() {
    settle(leaps: 60)
    pass(milliseconds: 60_000)
    iterate()
    pump()
    settle(leaps: 0)
  }

  private func settle(leaps: Int) {
    for count in 0..<300 {
      guard model.complaint == nil, count < leaps || !ending.isEmpty, leap() else { break }
      iterate()
      for client in clients where client.wire == nil { connect(client) }
      pump()
    }
  }

  // MARK: - A client with one request

  private func ask(_ request: any RequestMessage) -> SimulatedClient {
    let client = addClient(kind: .control, name: "asker", behavior: .best)
    startDaemon()
    connect(client)
    client.ask(request)
    pump()
    return client
  }

  // MARK: - Final checks

  /// The broker reports that it is settled.
  private func checkQuiet() {
    let asker = ask(Settle())
    model.check(asker.open.isEmpty, "everything is settled, but the request `settle` has no reply")
  }

  private func checkReplies() {
    for client in clients where client.wire != nil && client.isAlive {
      for said in client.open.values {
        model.complain("client \(client.number) got no reply to \(said)")
      }
    }
  }

  /// Each client holds the scenes that the broker says it holds, in the same states.
  private func checkScenes() {
    guard let scenes = daemon?.eventLoop.broker.scenes.all else { return }
    for client in clients where client.isAlive {
      guard let wire = client.wire else { continue }
      let held = scenes.filter { $0.value.holder == wire.connection.identifier }
      let believed = client.scenes.filter { $0.standing == .held }
      model.check(
        Set(held.keys) == Set(believed.map(\.session)),
        "client \(client.number) believes it holds \(believed.map(\.session.short)), but it holds "
          + "\(held.keys.map(\.short))")
      for scene in believed {
        let state = held[scene.session]?.state
        model.check(
          state == scene.state,
          "client \(client.number): \(scene.session.short) is \(scene.state), not "
            + "\(String(describing: state))")
      }
    }
  }

  /// The list, and each session in it, agree with the model once more.
  private func checkList() {
    let asker = ask(SessionList())
    guard let stored = daemon?.eventLoop.broker.stored else {
      return model.complain("there is no daemon at the end")
    }
    for session in stored.sessions.keys.sorted() {
      asker.ask(SessionShow(session: session))
      asker.ask(SessionHistory(session: session))
    }
    pump()
    model.check(asker.open.isEmpty, "a request for the list or for a session got no reply")
  }

  /// A last power cut loses nothing.
  private func checkRecovery() {
    guard model.complaint == nil, let live = daemon?.eventLoop.broker.stored else { return }
    model.check(
      model.synced == daemon?.eventLoop.broker.recordCount, "settled, but not all is synced")
    crash(byPowerCut: true)
    startDaemon()
    model.check(model.ledger.state.sessions.count == live.sessions.count, "sessions were lost")
    model.check(model.ledger.state.discarded == live.discarded, "discards were lost")
    model.check(model.ledger.state.trash == live.trash, "the trash was lost")
    let directories = directories.all.keys.filter {
      !self.directories.isKept($0) && !self.directories.left.contains($0)
    }
    model.check(directories.isEmpty, "the directories of \(directories) have no session")
    checkReports()
  }

  /// No session stays in the trash after its time.
  private func checkTrash() {
    let trash = model.ledger.state.trash
    model.check(
      trash.values.allSatisfy { $0.until > now.wall }, "the trash has a session after its time")
  }

  /// A new delegate gets all discards that no delegate has acknowledged.
  private func checkReports() {
    arriveAsDelegate()
    pump()
    guard plan.manifest.applicationDelegate != .builtIn else { return }
    model.check(model.ledger.state.discarded.isEmpty, "a discard reached no delegate")
  }
}
