import SceneJSON
import SceneModel
import Testing

@testable import SceneBroker

/// Clients with random actions, on a fixture that checks the invariants after every event.
final class RandomWalk {
  private(set) var fixture: BrokerFixture
  private var random: SplitMix
  /// Every broker's clients so far, open or not.
  private var clients: [Client] = []
  private var lastPID: Int64 = 0

  private static let names = ["a", "b", "c"]

  init(seed: UInt64, log: EffectLog? = nil) {
    random = SplitMix(seed: seed)
    var limits = Limits()
    limits.scenesPerConnection = 4
    limits.sessions = 12
    limits.requestsInFlight = 8
    limits.deliveries = 3
    limits.activityBytes = 1000
    limits.traceEntries = 50
    limits.topics = 3
    limits.observations = 3
    limits.slowReaderBytes = 1000
    var manifest = Manifest.hosting("Note", "Tool")
    manifest.roles.append(
      RoleConfigurations(
        role: .windowExternalDisplay,
        configurations: [SceneConfiguration(name: "Screen", kind: .window)]))
    manifest.topics["log"] = TopicDeclaration(isDurable: true, keep: 3)
    manifest.roles[0].launches["Tool"] = LaunchCommand(words: ["tool"])
    let participation = DelegateParticipation.allCases
    manifest.applicationDelegate = participation[Int(seed % UInt64(participation.count))]
    fixture = BrokerFixture(manifest, limits: limits, log: log)
  }

  private func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  private func pick<Element>(_ elements: [Element]) -> Element? {
    elements.randomElement(using: &random)
  }

  private func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  // MARK: - Steps

  func step() {
    if clients.isEmpty || chance(clients.count < 6 ? 5 : 1) { return open() }
    guard let client = pick(clients) else { return }
    switch number(0..<100) {
    case 0..<45: acknowledge(client)
    case 45..<87: ask(client)
    case 87..<90: program()
    case 90..<93: fixture.pass(.milliseconds(Int64(pick([1, 500, 3000, 6000, 21000]) ?? 1)))
    case 93..<95: close(client)
    case 95: kill(client)
    case 96: fixture.handle(.storage(pick([.ok, .ok, .full, .exhausted, .behind]) ?? .ok))
    case 97: chance(50) ? fixture.sync() : drain()
    case 98: if chance(30) { crash() }
    default: if chance(8) { fixture.terminate() }
    }
  }

  private func open() {
    if chance(70) { lastPID += 1 }
    let hosts = pick([[], [], ["*"], ["Note"], ["Note", "Tool"]]) ?? []
    let kind =
      pick([ClientKind.scene, .scene, .scene, .scene, .control, .observer, .applicationDelegate])
      ?? .scene
    clients.append(
      fixture.client(pick(["notes", "tools"]) ?? "", as: kind, hosts: hosts, pid: 1000 + lastPID))
  }

  private func close(_ client: Client) {
    clients.removeAll { $0 === client }
    fixture.dying.remove(client.process)
    client.close(pick([.connectionLost, .slowReader, .violation]) ?? .connectionLost)
  }

  /// A started process sends `initialize`, or ends before or after its connection.
  private func program() {
    fixture.startsPrograms = chance(95)
    let running = fixture.broker.launches.processesThatRun.sorted { $0.key.number < $1.key.number }
    guard let (launch, program) = pick(running) else { return }
    let isDismissed = fixture.terminations.contains(launch)
    if program.connection == nil, !isDismissed, chance(60) {
      let request = fixture.launches.first { $0.identifier == launch }
      let client = fixture.launchedClient(
        "tool", hosts: chance(50) ? ["Tool"] : [], launch: request)
      return clients.append(client)
    }
    let client = clients.first { $0.connection == program.connection }
    if let client, chance(50) { close(client) }
    fixture.handle(.exited(launch, chance(50) ? ClientExit(status: 1) : ClientExit(signal: "KILL")))
  }

  /// The process is coming to its end; its connections close in a while.
  private func kill(_ client: Client) { fixture.dying.insert(client.process) }

  /// The broker ends without a word; some of its clients live on.
  private func crash() {
    let living = fixture.broker.previousHolders.filter { _ in chance(60) }
    fixture = fixture.crashed(living: living)
    clients = []
  }

  private func acknowledge(_ client: Client) {
    if !client.questions.isEmpty { return client.answer(answer()) }
    guard !client.callbacks.isEmpty else { return }
    let answer: CallbackAnswer =
      switch number(0..<20) {
      case 0, 1: .failed(message: "no")
      case 2, 3, 4: .activity(.value(note(number(0..<5))))
      case 5: .activity(.null)
      case 6: .activity(.value(note(byteCount: 1001)))
      case 7: .activity(.absent)
      default: .done
      }
    client.acknowledge(at: chance(80) ? 0 : number(0..<client.callbacks.count), answer)
  }

  /// Something to say to the question of an application delegate.
  private func answer() -> CallbackAnswer {
    switch number(0..<8) {
    case 0: .failed(message: "no")
    case 1: .launched(accepted: false)
    case 2, 3:
      .configuration(
        ConfigurationForConnecting.Answer(
          configuration: .named(pick(["Note", "Tool", "Screen", "Lost"]) ?? "")))
    case 4:
      .configuration(
        ConfigurationForConnecting.Answer(
          configuration: .described(
            ConfigurationDescription(
              name: pick(["Note", "Own", ""]) ?? "",
              role: chance(30) ? .windowExternalDisplay : nil, sceneClass: "Own")),
          userInfo: object("{}")))
    default: .done
    }
  }

  // MARK: - Requests

  private func ask(_ client: Client) {
    // The event loop itself refuses requests beyond the limit.
    guard client.unanswered.count < fixture.broker.limits.requestsInFlight else { return }
    let request = chance(45) ? connect() : chance(50) ? move() : chance(30) ? event() : other()
    if chance(90) { client.ask(request) } else { client.tell(request) }
  }

  private var session: SessionIdentifier {
    if chance(5) { return SessionIdentifier(high: 9, low: 9) }
    let known =
      Array(fixture.broker.stored.sessions.keys) + fixture.broker.store.discarding.keys
    return pick(known.sorted()) ?? .none
  }

  private func connect() -> any RequestMessage {
    var message = SceneConnect()
    switch number(0..<12) {
    case 0..<5: message.name = pick(Self.names)
    case 5..<8: message.session = session
    case 8: message.new = true
    case 9:
      message.session = session
      let hold = message.session.flatMap { fixture.stored($0)?.hold.number } ?? 0
      let state = pick(ActivationState.allCases) ?? .background
      message.resume = Resume(state: state, hold: hold - (chance(10) ? 1 : 0))
      message.activity = chance(30) ? note(number(0..<5)) : nil
    default: break
    }
    message.takeOver = chance(15)
    message.background = chance(30)
    message.configuration = chance(20) ? pick(["Note", "Tool", "Screen", "Lost"]) : nil
    message.role = chance(15) ? pick([.windowApplication, .windowExternalDisplay]) : nil
    message.title = chance(20) ? "title" : nil
    return message
  }

  private func move() -> any RequestMessage {
    switch number(0..<10) {
    case 0..<5:
      let reason =
        chance(20) ? pick([DisconnectReason.reclaimed, .clientRequest, .discarded]) : nil
      return SceneTransition(
        session: session, to: pick(ActivationState.allCases) ?? .background, reason: reason)
    case 5, 6: return opening()
    default:
      var message = RequestActivation()
      if chance(60) { message.session = session } else { message.name = pick(Self.names) }
      message.userActivity = chance(40) ? note(number(0..<5)) : nil
      message.configuration = chance(20) ? pick(["Note", "Tool"]) : nil
      message.options = chance(30) ? ActivationOptions(background: true) : nil
      return message
    }
  }

  private func opening() -> ApplicationOpen {
    let contents: [OpenedContent] = [
      .urls([url("note:a"), url("note:b")]), .activity(note(number(0..<5))),
      .handoff(note(number(0..<5))), .notification(notification(#"{"userInfo":{}}"#)),
      .shortcut(shortcut("new")),
    ]
    var message = ApplicationOpen(pick(contents) ?? .shortcut(shortcut("x")))
    message.targetContentIdentifier = chance(60) ? pick(Self.names) : nil
    message.configuration = chance(20) ? pick(["Note", "Tool"]) : nil
    return message
  }

  private func conditions() -> any RequestMessage {
    let predicates = ["TRUEPREDICATE", "FALSEPREDICATE", "self == 'a'", "self LIKE '*'", "self"]
    func said() -> Patch<String> { chance(70) ? .value(pick(predicates) ?? "") : .null }
    return SceneUpdate(
      session: session,
      activationConditions: .value(
        ActivationConditionTexts(canActivate: said(), prefersToActivate: said())))
  }

  private static let topics = ["log", "log", "news", "chat", "list"]

  private func event() -> any RequestMessage {
    let topic = pick(Self.topics) ?? "log"
    switch number(0..<6) {
    case 0, 1: return EventPost(topic: topic, payload: object(#"{"n":\#(number(0..<9))}"#))
    case 2:
      let position = fixture.broker.topic(topic)?.position(Int64(number(0..<9)))
      return EventObserve(topic: topic, after: chance(60) ? position : nil)
    case 3: return EventObserve(topic: topic, session: session)
    case 4: return EventCease(topic: topic, session: chance(50) ? session : nil)
    default:
      return chance(50)
        ? RequestRefresh(sessions: [session], open: chance(50))
        : RequestRefresh(matching: .empty, open: chance(30))
    }
  }

  private func drain() {
    guard let connection = pick(fixture.drains) else { return }
    if fixture.openClients.contains(where: { $0.connection == connection }) {
      fixture.drain(connection)
    }
  }

  private func other() -> any RequestMessage {
    switch number(0..<18) {
    case 0, 1: SaveActivity(session: session, activity: note(number(0..<5)))
    case 2: SaveActivity(session: session)
    case 3: SceneDisconnect(session: session)
    case 4: SceneDisconnect(session: session, activity: .value(note(1)))
    case 5: RequestDestruction(sessions: [session])
    case 6: RequestDestruction(sessions: [session, session, session])
    case 7: Reclaim()
    case 8: Reclaim(sessions: [session, session], dryRun: chance(20))
    case 9: SetName(session: session, name: chance(80) ? pick(Self.names) : nil)
    case 10: SceneExtend(session: session, seconds: Double(number(0..<20)))
    case 11: Settle()
    case 12: SessionObserve()
    case 13: TraceObserve(after: Int64(number(0..<100)))
    case 14: SessionList(limit: number(1..<5))
    case 15: conditions()
    case 16: ApplicationRoute(targetContentIdentifier: "a")
    default: SceneUpdate(session: session, title: .value("t\(number(0..<3))"))
    }
  }

  // MARK: - The end

  /// Settles all scenes and requests. Returns those that are still pending.
  func comeToRest() -> [String] {
    fixture.handle(.storage(.ok))
    fixture.dying = []
    for _ in 0..<100 {
      fixture.sync()
      clients.removeAll { !$0.isOpen }
      for client in clients { client.acknowledgeAll() }
      for (launch, process) in fixture.broker.launches.processesThatRun
      where process.connection == nil {
        fixture.handle(.exited(launch, ClientExit(status: 1)))
      }
      // Some may wait for an application delegate.
      if fixture.broker.delegate.connection == nil, !fixture.broker.isShuttingDown {
        lastPID += 1
        clients.append(fixture.client("app", as: .applicationDelegate, pid: 1000 + lastPID))
      }
      if clients.allSatisfy({ $0.callbacks.isEmpty && $0.questions.isEmpty }) {
        fixture.pass(.seconds(30))
      }
      // Requests without an identifier can wait too.
      let isWaiting = !fixture.broker.deferred.requests.isEmpty
      if !isWaiting, clients.allSatisfy({ $0.unanswered.isEmpty && $0.callbacks.isEmpty }) { break }
    }
    var open = clients.filter { !$0.unanswered.isEmpty }.map {
      "\($0.connection.number) waits for \($0.unanswered.count) replies"
    }
    open += fixture.broker.scenes.all.keys.filter { !fixture.broker.isAtRest($0) }.map {
      "\($0) is not at rest"
    }
    open += fixture.broker.deferred.requests.map { "\($0.request) waits" }
    open += fixture.broker.launches.sessions.map { "\($0) is launched for ever" }
    if let session = fixture.broker.pendingSessions.firstUndecided {
      open.append("\(session.identifier) is being made")
    }
    if fixture.broker.isShuttingDown, !fixture.isStopping { open.append("the application stays") }
    return open
  }
}
