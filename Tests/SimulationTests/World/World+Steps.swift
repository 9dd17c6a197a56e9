import SceneJournal
import SceneModel
import ScenePlatform
import SceneServer
import SceneTestSupport

/// The steps of a simulation.
extension World {
  enum Step {
    case deliver, read, act, answer, turn, learn, wait, leap, arrive, close, kill, crash, fault,
      fill
    case terminate, press
  }

  /// Runs `steps` random steps, and then lets everything settle.
  func live(steps: Int) {
    begin()
    run(steps: steps)
    comeToRest()
  }

  func begin() {
    populate()
    startDaemon()
  }

  func run(steps: Int) {
    for _ in 0..<steps {
      guard model.complaint == nil else { return }
      model.tick += 1
      take(nextStep())
    }
  }

  private func populate() {
    for _ in 0..<dice.number(2...5) { arrive() }
  }

  private func nextStep() -> Step {
    let weights = plan.weights
    return dice.pick([
      (weights.deliver, .deliver), (weights.read, .read), (weights.act, .act),
      (weights.answer, .answer), (weights.turn, .turn), (weights.learn, .learn),
      (weights.wait, .wait), (weights.leap, .leap), (weights.arrive, .arrive),
      (weights.close, .close), (weights.kill, .kill), (weights.crash, .crash),
      (weights.fault, .fault), (weights.fill, .fill), (weights.terminate, .terminate),
      (weights.press, .press),
    ])
  }

  private func take(_ step: Step) {
    switch step {
    case .deliver: deliver()
    case .read: read()
    case .act: act()
    case .answer:
      for client in clients where client.isAlive && !client.questions.isEmpty {
        if dice.once(in: 2), !dice.happens(client.behavior.neverAnswers) {
          client.answerQuestions()
        }
      }
      for client in clients where client.isAlive && !client.unanswered.isEmpty {
        guard dice.once(in: 2), !dice.happens(client.behavior.neverAnswers) else { continue }
        client.answer(at: dice.number(0...client.unanswered.count - 1))
      }
    case .turn: for _ in 0..<dice.number(1...3) { stepJournal() }
    case .learn: learn()
    case .wait:
      pass(milliseconds: dice.milliseconds(upTo: 3_000))
      endProcesses()
      iterate()
    case .leap:
      if leap() { iterate() }
    case .arrive: arrive()
    case .close: close()
    case .kill:
      if let client = dice.any(of: clients.filter(\.isAlive)) { kill(client) }
    case .crash:
      guard dice.once(in: 3) else { break }
      if dice.once(in: 2) {
        upgrade()
      } else {
        crash(byPowerCut: dice.once(in: 2))
      }
      // Other programs can use the disk meanwhile.
      if plan.weights.fill > 0, dice.once(in: 3) { disk.capacity = disk.usedByteCount }
    case .fault: if dice.once(in: 3) { breakDisk() }
    case .fill: if dice.once(in: 3) { fillDisk() }
    case .press: press()
    case .terminate: if dice.once(in: 12) { iterate { $0.terminate() } }
    }
    if daemon == nil, dice.once(in: 6) {
      if dice.once(in: 3) { disk.capacity = plan.diskByteCount }
      startDaemon()
    }
  }

  // MARK: - Connections

  /// Delivers data on one or more connections. Closed connections come first, and deliver all their
  /// data.
  private func deliver() {
    let ready = wires.filter {
      !$0.isClosedByBroker && ($0.clientEnd != .open || !$0.upstream.isEmpty)
    }
    guard !ready.isEmpty else { return }
    let count = dice.once(in: 3) ? 1 : dice.number(1...ready.count)
    let chosen = (0..<count).map { _ in dice.pick(ready) }
    iterate { eventLoop in
      for wire in chosen where wire.clientEnd == .closed { drain(wire, eventLoop) }
      for wire in chosen where wire.clientEnd != .closed { deliver(on: wire, eventLoop) }
    }
  }

  func drain(_ wire: Wire, _ eventLoop: EventLoop) {
    guard !wire.isGoneKnown else { return }
    wire.isGoneKnown = true
    guard !wire.isEndKnown else {
      return eventLoop.close(wire.connection, .connectionLost)
    }
    wire.isEndKnown = true
    hand(wire.takeUpstream(.max), on: wire, eventLoop)
    if dice.once(in: 4) {
      eventLoop.close(wire.connection, .connectionLost)
    } else {
      eventLoop.finish(wire.connection, isGone: true)
    }
  }

  func deliver(on wire: Wire, _ eventLoop: EventLoop, whole: Bool = false) {
    if transport.next(.receive) != nil {
      return eventLoop.close(wire.connection, .connectionLost)
    }
    let count = wire.upstream.count
    let part = whole || dice.once(in: 2) ? count : dice.number(0...count)
    hand(wire.takeUpstream(part), on: wire, eventLoop)
    // A killed process sends nothing more, but the kernel has not closed its connection yet.
    guard wire.clientEnd == .shut, wire.upstream.isEmpty, !wire.isEndKnown,
      processes.state(of: wire.process) == .running
    else { return }
    wire.isEndKnown = true
    eventLoop.finish(wire.connection)
  }

  func hand(
    _ bytes: ContiguousArray<UInt8>, on wire: Wire, _ eventLoop: EventLoop
  ) {
    guard !bytes.isEmpty else { return }
    eventLoop.receive(bytes.span, from: wire.connection)
  }

  private func read() {
    let readers = clients.filter { client in
      guard client.isAlive, let wire = client.wire else { return false }
      return wire.unreadByClient > 0 || wire.isClosedByBroker
    }
    for client in readers {
      let behavior = client.behavior
      guard dice.once(in: behavior.reads), !dice.happens(behavior.stalls) else { continue }
      read(client, whole: dice.once(in: 2))
    }
  }

  func read(_ client: SimulatedClient, whole: Bool) {
    guard let wire = client.wire else { return }
    let count = wire.unreadByClient
    for heard in wire.read(whole ? count : dice.number(0...count)) {
      client.hear(heard)
      guard client.isAlive, client.wire === wire else { return }
    }
    guard wire.isAtEnd else { return }
    wire.closeFully()
    wires.removeAll { $0 === wire }
    client.loseConnection()
  }

  private func learn() {
    guard let daemon else { return }
    daemon.journal.markLearned()
    iterate { $0.journalDidProgress() }
  }

  // MARK: - Clients

  private func act() {
    guard let client = dice.any(of: clients.filter(\.isAlive)) else { return }
    if client.wire == nil {
      connect(client)
    } else {
      client.act()
    }
  }

  /// The behavior of a new client.
  var behavior: ClientBehavior {
    dice.once(in: 8) ? .hung : dice.happens(plan.earlyEnds) ? .failing : ClientBehavior()
  }

  private func arrive() {
    guard clients.count < 8 else { return }
    var kind: ClientKind = dice.pick([
      (6, .scene), (3, .control), (1, .observer), (2, .applicationDelegate),
    ])
    let isTaken = clients.contains { $0.isAlive && $0.kind == .applicationDelegate }
    if kind == .applicationDelegate, isTaken, !dice.once(in: 6) { kind = .scene }
    let hosts = dice.pick([(3, []), (2, ["Document"]), (1, ["*"])])
    let client = addClient(
      kind: kind, name: dice.pick(["notes", "maps"]), hosts: kind == .scene ? hosts : [],
      behavior: behavior)
    connect(client)
  }

  /// A client closes its connection, perhaps in the middle of a frame. Some clients continue to
  /// read.
  private func close() {
    guard let client = dice.any(of: clients.filter { $0.isAlive && $0.wire != nil }) else { return }
    close(client)
  }

  func close(_ client: SimulatedClient) {
    guard let wire = client.wire else { return }
    let kept = dice.once(in: 2) ? wire.upstream.count : dice.number(0...wire.upstream.count)
    if dice.once(in: 4) {
      client.note("stops sending")
      wire.close(keeping: kept, as: .shut)
    } else {
      client.note("closes its connection")
      wire.close(keeping: kept, as: .closed)
      client.loseConnection()
    }
  }

  // MARK: - Disk

  private func breakDisk() {
    let call = disk.calls + dice.number(1...12)
    let effect: SimulatedFault.Effect =
      dice.once(in: 3) && plan.journal.durability == .disk ? .inputOutputError : .stop
    note("the disk will \(effect) at call \(call)")
    disk.fault = .once(effect, at: call)
  }

  private func fillDisk() {
    if disk.capacity < plan.diskByteCount {
      disk.capacity = plan.diskByteCount
    } else {
      disk.capacity = disk.usedByteCount + dice.pick([0, 20_000, 100_000])
    }
    note("the disk has room for \(disk.capacity - disk.usedByteCount) bytes")
  }
}
