import SceneJSON
import SceneModel

/// The requests that a client sends on its own.
extension SimulatedClient {
  func act() {
    if dice.happens(behavior.saysGarbage) { return sayGarbage() }
    let scene = dice.any(of: scenes.filter { $0.standing == .held })
    if kind == .scene, scene == nil || dice.once(in: 4) {
      return dice.once(in: 3) ? look() : connect()
    }
    let operations = Operation.all(of: kind).map { weight, operation in
      (weight: weight * (world.plan.mix[operation] ?? 1), operation)
    }
    perform(dice.pick(operations + [(1, .look)]), on: scene?.session ?? target)
  }

  private func perform(_ operation: Operation, on session: SessionIdentifier) {
    switch operation {
    case .activate: activate()
    case .adopt: adopt()
    case .assertion: assert(session)
    case .change: change(session)
    case .connect: connect()
    case .destroy: destroy(session)
    case .directory: ask(DataDirectory(session: session))
    case .disconnect: disconnect(session)
    case .environment: inform()
    case .extend: ask(SceneExtend(session: session, seconds: Double(dice.number(5...9))))
    case .look: look()
    case .observe: observe(kind == .scene && dice.once(in: 2) ? session : nil)
    case .open: openSomething()
    // A shorter time marks no scene.
    case .ping:
      let time = WorldPlan.pingTime.seconds
      ask(SessionPing(session: session, seconds: dice.once(in: 2) ? time : time / 8))
    case .post: post()
    case .pressure: ask(MemoryWarning(pressure: !dice.once(in: 4)))
    case .program: changeProgram(of: session)
    case .reclaim: ask(Reclaim(sessions: dice.once(in: 3) ? [session] : nil))
    case .refresh: refresh()
    case .release: release(session)
    case .reload: ask(Reload())
    case .restore: restore(session)
    case .save: save(session)
    case .signal:
      let signal = dice.pick(["TERM", "KILL", "UNKNOWN"])
      ask(SceneSignal(session: session, signal: signal, pid: dice.once(in: 4) ? 101 : nil))
    case .terminate: if dice.once(in: 6) { ask(Terminate()) }
    case .transition: move(session)
    case .undiscard: undiscard()
    }
  }

  func look() {
    switch dice.number(0...11) {
    case 0: ask(SessionList(limit: dice.once(in: 4) ? 2 : nil))
    case 1:
      let isOpen = dice.pick([nil, true, false])
      ask(SessionList(wasOpen: isOpen, discarded: isOpen == nil))
    case 2, 3: ask(SessionShow(session: target))
    case 4:
      let name = dice.pick(Self.names)
      ask(
        name == Self.names[0]
          ? SessionShow(name: name) : SessionResolve(word: name))
    case 5: ask(SessionHistory(session: target))
    case 6: ask(SessionObserve())
    case 7: ask(TraceObserve(after: dice.once(in: 2) ? nil : Int64(dice.number(0...80))))
    case 8: ask(Settle())
    case 9:
      let route = ApplicationRoute(targetContentIdentifier: dice.pick(["a", "b", "c"]))
      let requests: [any RequestMessage] = [
        ApplicationStatus(), ApplicationManifest(), TopicList(), route,
      ]
      ask(dice.pick(requests))
    case 10: ask(Ping(), isAnswered: dice.once(in: 2))
    default: ask(ReturnError(reason: "noHost"))
    }
  }

  // MARK: - Single requests

  func connect() {
    var message = SceneConnect()
    switch dice.number(0...9) {
    case 0...3: break
    case 4, 5: message.name = dice.pick(Self.names)
    case 6: message.new = true
    default: message.session = target
    }
    message.takeOver = dice.once(in: 4)
    message.background = dice.once(in: 4)
    if dice.once(in: 10) { message.role = .windowExternalDisplay }
    if dice.once(in: 10) { message.configuration = dice.pick(["Inspector", "Settings", "None"]) }
    if dice.once(in: 6) { message.title = "title \(dice.number(1...9))" }
    if dice.once(in: 8) { message.userInfo = world.makeObject(dice) }
    if dice.once(in: 8) { message.program = program }
    if dice.once(in: 10) {
      message.options = ConnectionOptions(userActivities: [world.makeActivity(dice)])
    }
    ask(message)
  }

  /// Sends the session to another state, or reports that the user closed its last window.
  private func move(_ session: SessionIdentifier) {
    guard dice.once(in: 8) else {
      let reason = kind == .control && dice.once(in: 4) ? DisconnectReason.reclaimed : nil
      return ask(SceneTransition(session: session, to: state, reason: reason))
    }
    let hold = model.ledger.state[session]?.hold.number
    ask(SceneTransition(session: session, to: .unattached, cause: .windowClosed, hold: hold))
  }

  private func disconnect(_ session: SessionIdentifier) {
    if kind == .control { model.disconnected.insert(session) }
    var message = SceneDisconnect(session: session, activity: parting(session))
    switch dice.number(0...5) {
    case 0: message.cause = dice.pick([.hangup, .terminated])
    case 1: message.exit = dice.pick([ClientExit(status: 1), ClientExit(signal: "SEGV")])
    default: break
    }
    ask(message)
  }

  private func destroy(_ session: SessionIdentifier) {
    if kind == .control, dice.once(in: 2) {
      return ask(RequestDestruction(sessions: [dice.any(of: trash) ?? target], now: true))
    }
    var sessions = [dice.once(in: 2) ? session : target]
    if kind == .control, dice.once(in: 2) { sessions.append(target) }
    ask(RequestDestruction(sessions: sessions))
  }

  private func assert(_ session: SessionIdentifier) {
    if dice.once(in: 2), let assertion = assertions.popLast() {
      return ask(EndAssertion(assertion: assertion))
    }
    ask(BeginAssertion(session: session, name: "upload", seconds: Double(dice.number(1...60))))
  }

  private func inform() {
    switch dice.number(0...2) {
    case 0: ask(SignificantTimeChange())
    case 1: ask(UpdateEnvironment(LoginEnvironment(["DISPLAY": ":\(dice.number(0...9))"])))
    default: ask(UpdateEnvironment(LoginEnvironment(["DISPLAY": nil, "LANG": "C"])))
    }
  }

  private var program: SessionProgram {
    SessionProgram(
      arguments: ["vim", "\(dice.number(1...9))"], directory: "/tmp",
      resume: dice.once(in: 3) ? ["vim", "-r"] : nil, connects: dice.once(in: 2))
  }

  /// The program of the scene changes, its process starts or ends, or its terminal gets or loses a
  /// window.
  private func changeProgram(of session: SessionIdentifier) {
    var message = SceneUpdate(session: session)
    switch dice.number(0...4) {
    case 0: message.program = .null
    case 1: message.process = .null
    case 2: message.program = .value(program)
    default:
      let cause = dice.pick([TerminalDetachment.hangup, .background, .stopped])
      let terminal = dice.pick([
        nil, KeptTerminal(attached: 1),
        KeptTerminal(attached: 0, detached: cause, since: world.now.wall),
      ])
      message.process = .value(
        ProgramProcess(name: "vim", pid: process.pid, terminal: terminal))
    }
    ask(message)
  }

  private func restore(_ session: SessionIdentifier) {
    ask(RestoreActivity(session: session, generation: Int64(dice.number(1...6))))
  }

  private func save(_ session: SessionIdentifier) {
    let activity = dice.once(in: 12) ? nil : world.makeActivity(dice)
    if let index = index(of: session) { scenes[index].memory = activity }
    ask(
      SaveActivity(session: session, activity: activity),
      isAnswered: !dice.once(in: 20))
  }

  private func release(_ session: SessionIdentifier) {
    if dice.once(in: 2) {
      ask(SceneTransition(session: session, to: .unattached, cause: .handedOff, host: "desktop"))
    }
    let fence = fence(of: session) + Int64(dice.pick([(4, 1), (2, 0), (1, 5)]))
    ask(
      SessionRelease(
        session: session, fence: fence, to: dice.pick([(8, "desktop"), (1, "phone")]),
        confirmed: dice.once(in: 3)))
  }

  private func undiscard() {
    let name = dice.once(in: 3) ? dice.pick(Self.names) : nil
    ask(SessionUndiscard(session: dice.any(of: trash) ?? target, name: name))
  }

  /// The sessions in the trash.
  private var trash: [SessionIdentifier] { model.ledger.state.trash.keys.sorted() }

  /// Adopts a session that left before, or a session of another host. A session with files needs
  /// two requests, and a client can lose its connection between them.
  private func adopt() {
    let away = model.ledger.state.sessions.values.filter { !$0.isPresent }
      .sorted { $0.attributes.identifier < $1.attributes.identifier }
    var message = SessionAdopt()
    if let session = dice.any(of: away), !dice.once(in: 4) {
      message.sceneSession = SceneSessionRecord(session)
      message.generation = session.generation + Int64(dice.number(0...3))
      if dice.once(in: 2) || session.generation == 0 {
        message.sceneSession.stateRestorationActivity = world.makeActivity(dice)
        message.generation += 1
      }
    } else {
      let known = dice.once(in: 3) ? dice.any(of: trash) ?? target : .none
      message.sceneSession.persistentIdentifier =
        model.ledger.state.contains(known) || trash.contains(known)
        ? known : SessionIdentifier(random: dice.word(), dice.word())
      message.sceneSession.name = dice.once(in: 2) ? dice.pick(Self.names) : nil
      message.sceneSession.stateRestorationActivity = world.makeActivity(dice)
      message.generation = Int64(dice.number(1...9))
    }
    let session = message.sceneSession.persistentIdentifier
    message.fence = fence(of: session) + Int64(dice.pick([(3, 0), (3, 1), (1, -1)]))
    if message.fence < 1, !dice.once(in: 8) { message.fence = 1 }
    message.from = "desktop"
    message.arriving = dice.once(in: 3)
    ask(message)
    if message.arriving, dice.once(in: 2) {
      message.arriving = false
      ask(message)
    }
  }

  private func fence(of session: SessionIdentifier) -> Int64 {
    model.ledger.state[session]?.fence ?? 0
  }

  private func activate() {
    var message = RequestActivation()
    switch dice.number(0...4) {
    case 0: message.name = dice.pick(Self.names)
    case 1: break
    default: message.session = target
    }
    if dice.once(in: 3) { message.userActivity = world.makeActivity(dice) }
    if dice.once(in: 4) { message.options = ActivationOptions(background: true) }
    if kind == .control, dice.once(in: 8) {
      message.environment = LoginEnvironment(["DISPLAY": ":0"])
    }
    ask(message)
  }

  private func openSomething() {
    let activity = world.makeActivity(dice)
    let object = world.makeObject(dice).json
    var message = ApplicationOpen(
      dice.pick([
        .activity(activity), .handoff(activity), .notification(.init(unchecked: object)),
        .urls([OpenURLContext(unchecked: Self.url)]), .shortcut(ShortcutItem(unchecked: Self.item)),
      ]))
    if dice.once(in: 2) { message.targetContentIdentifier = dice.pick(["a", "b", "c"]) }
    ask(message)
  }

  private func change(_ session: SessionIdentifier) {
    switch dice.number(0...3) {
    case 0:
      ask(SetName(session: session, name: dice.once(in: 3) ? nil : dice.pick(Self.names)))
    case 1: ask(SetUserInfo(session: session, userInfo: world.makeObject(dice)))
    case 2:
      let predicate = dice.pick(["FALSEPREDICATE", "self == 'a'", "self BEGINSWITH 'b'"])
      ask(
        SceneUpdate(
          session: session,
          activationConditions: .value(
            ActivationConditionTexts(prefersToActivate: .value(predicate)))))
    default:
      let text = dice.pick([Patch<String>.null, .value("title \(dice.number(1...9))")])
      ask(SceneUpdate(session: session, title: text, subtitle: text, snapshot: text))
    }
  }

  // MARK: - Topics

  /// Posts one event, or six at once, which can be more than the topic keeps.
  private func post() {
    let topic = dice.pick(Self.topics)
    for _ in 0..<dice.pick([(3, 1), (1, 6)]) {
      let payload = OpaqueObject(unchecked: world.makeActivity(dice).json)
      ask(EventPost(topic: topic, payload: payload))
    }
  }

  /// Observes a topic from the client's position, from one of the last events, or from now on; or
  /// stops observing it.
  private func observe(_ session: SessionIdentifier?) {
    let topic = dice.pick(Self.topics)
    if dice.once(in: 5) { return ask(EventCease(topic: topic, session: session)) }
    var message = EventObserve(topic: topic, session: session)
    switch dice.number(0...2) {
    case 0:
      message.after = positions[topic]
      message.after?.number -= Int64(dice.number(0...8))
      if message.after?.number ?? 0 < 0 { message.after?.number = 0 }
    case 1: message.last = dice.number(0...3)
    default: break
    }
    ask(message)
  }

  private func refresh() {
    var message = RequestRefresh(open: dice.once(in: 2))
    if dice.once(in: 2) { message.sessions = [target] } else { message.matching = .empty }
    ask(message)
  }

  private static let topics = ["log", "log", "news", "chat"]

  private func parting(_ session: SessionIdentifier) -> Patch<Activity> {
    dice.once(in: 2) ? .absent : .value(world.makeActivity(dice))
  }

  /// A session that a message has named, most often one of the newest that still exist.
  private var target: SessionIdentifier {
    let told = Array(model.sessionsTold.suffix(100))
    let known = dice.once(in: 6) ? told : told.filter(model.ledger.state.contains).suffix(6)
    return dice.any(of: known) ?? .none
  }

  private var state: ActivationState { dice.pick(ActivationState.allCases) }

  private static let url = RawJSON(unchecked: ContiguousArray(#"{"url":"a:b"}"#.utf8))
  private static let item = RawJSON(unchecked: ContiguousArray(#"{"type":"a"}"#.utf8))
  private static let names = ["packing", "route", "budget"]
}
