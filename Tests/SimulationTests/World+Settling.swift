@testable import SceneBroker
import SceneModel
import SceneServer
import SceneTestSupport

/// The end of a simulation: nothing goes wrong any more, and everything must come to rest and be as
/// it should.
extension World {
  func comeToRest() {
    guard model.complaint == nil else { return }
    note("nothing goes wrong any more")
    heal()
    let mute = dice.once(in: 2) ? clients.filter { dice.once(in: 2) && $0.isAlive } : []
    for client in mute { client.isMute = true }
    pump()
    // If all who are asked answer, that is all it takes; else only time brings it to rest.
    if mute.isEmpty { checkQuiet() }
    settleTimers()
    checkQuiet()
    for client in mute { client.isMute = false }
    pump()
    guard model.complaint == nil else { return }
    checkReplies()
    checkScenes()
    checkList()
    checkRecovery()
  }

  private func heal() {
    disk.fault = nil
    disk.capacity = .max
    now.monotonic = max(now.monotonic, ending.map(\.time).max() ?? 0)
    endProcesses()
    for client in clients { client.behavior = .best }
    if disk.isDown { crash(byPowerCut: true) }
    if let daemon, daemon.endingSince != nil { pump() }
    for _ in 0..<3 where daemon == nil { startDaemon() }
    for client in clients where client.wire == nil { connect(client) }
    // Some may wait for one.
    arriveAsDelegate()
  }

  /// Of those that come the first is the one; the others are turned away.
  private func arriveAsDelegate() {
    connect(addClient(kind: .applicationDelegate, name: "app", behavior: .best))
  }

  // MARK: - Going on without time

  /// Does all that can be done without waiting.
  private func pump() {
    for _ in 0..<2_000 {
      guard model.complaint == nil else { return }
      model.tick += 1
      if !pumpOnce() { return }
    }
    model.complain("it never comes to rest")
  }

  private func pumpOnce() -> Bool {
    var isBusy = false
    for client in clients {
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
        && (!wire.upstream.isEmpty || wire.clientEnd == .shut && !wire.isEndKnown
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

  /// Lets the time pass that everything may take that only time can end.
  private func settleTimers() {
    for _ in 0..<60 {
      guard model.complaint == nil, leap() else { break }
      iterate()
      for client in clients where client.wire == nil { connect(client) }
      pump()
    }
    pass(milliseconds: 60_000)
    iterate()
    pump()
  }

  // MARK: - A client that asks

  private func ask(_ request: ClientRequest) -> SimulatedClient {
    let client = addClient(kind: .control, name: "asker", behavior: .best)
    startDaemon()
    connect(client)
    client.ask(request)
    pump()
    return client
  }

  // MARK: - What must be so now

  /// Nothing is under way that the rules would have to wait for.
  private func checkQuiet() {
    let asker = ask(.settle(Settle()))
    model.check(asker.open.isEmpty, "it is quiet, and who waits for that is not told")
  }

  private func checkReplies() {
    for client in clients where client.wire != nil {
      for said in client.open.values {
        model.complain("client \(client.number) never had a reply to \(said)")
      }
    }
  }

  /// Each client has the scenes that the broker says it has, where the broker says they are.
  private func checkScenes() {
    guard let scenes = daemon?.eventLoop.broker.scenes.all else { return }
    for client in clients {
      guard let wire = client.wire else { continue }
      let held = scenes.filter { $0.value.holder == wire.connection.identifier }
      let believed = client.scenes.filter { $0.standing == .held }
      model.check(
        Set(held.keys) == Set(believed.map(\.session)),
        "client \(client.number) believes it holds \(believed.map(\.session.short)), and it holds "
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

  /// A list shows what there is, and the model's claims are made of it once more.
  private func checkList() {
    let asker = ask(.list(SessionList()))
    guard let stored = daemon?.eventLoop.broker.stored else {
      return model.complain("there is no daemon at the end")
    }
    for session in stored.sessions.keys.sorted() {
      asker.ask(.show(SessionShow(session: session)))
      asker.ask(.history(SessionHistory(session: session)))
    }
    pump()
    model.check(asker.open.isEmpty, "a list or a look was not answered")
  }

  /// Everything is still there after the power was cut once more.
  private func checkRecovery() {
    guard model.complaint == nil, let live = daemon?.eventLoop.broker.stored else { return }
    model.check(
      model.synced == daemon?.eventLoop.broker.recordCount, "it is quiet, and not all is synced")
    crash(byPowerCut: true)
    startDaemon()
    model.check(model.ledger.state.sessions.count == live.sessions.count, "sessions were lost")
    model.check(model.ledger.state.discarded == live.discarded, "discards were lost")
    checkReports()
  }

  /// A delegate that is launched once more is told of all that none has confirmed to know.
  private func checkReports() {
    arriveAsDelegate()
    pump()
    guard plan.manifest.applicationDelegate != .builtIn else { return }
    model.check(model.ledger.state.discarded.isEmpty, "a discard was never told")
  }
}
