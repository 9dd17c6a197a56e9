import SceneModel
import Testing

@testable import SceneClient

/// Any events in any order. Each request has one reply, each scene begins before it ends, and no
/// text is sent after a newer one.
struct MachineFuzzTests {
  @Test("the rules of a client hold after any events in any order")
  func anyOrder() {
    for seed in UInt64(1)...500 {
      var world = World(seed: seed)
      for _ in 0..<500 { world.step() }
      world.end()
      #expect(world.complaints == [], "seed \(seed)")
    }
  }
}

/// A machine, its events and its actions so far.
private struct World {
  private var machine: ClientMachine
  private var broker: RandomBroker
  private(set) var complaints: [String] = []

  private var isOpen = false
  private var isOver = false
  private var asked: [Int64: ClientRequest] = [:]
  /// Callbacks on this connection without an answer.
  private var owed: Set<RequestIdentifier> = []
  private var calls: [SceneCall] = []
  private var lives: [SessionIdentifier: Life] = [:]
  private var lastToken: Int64 = 0
  private var open: Set<RequestToken> = []
  private var timers: [ClientTimer] = []
  private var lastNote = 0
  private var observed: Set<EventSource> = []
  /// The newest text that was sent for each session.
  private var sent: [SessionIdentifier: Int] = [:]

  /// The state of a session's scene in the program.
  private enum Life: Equatable {
    case connected(CallNumber)
    /// The program refused the scene. Its pending requests find no scene.
    case refused
  }

  init(seed: UInt64) {
    broker = RandomBroker(seed: seed)
    machine = ClientMachine(
      client: ClientName(name: "test", version: "1"), hosts: ["Note"], waitsForBroker: true,
      random: SplitMix(seed: seed))
    take(.started)
  }

  mutating func step() {
    switch broker.number(0...19) {
    case 0: broker.number(0...3) > 0 ? take(.lost()) : dismiss()
    case 1, 2: if let timer = timers.popLast() { take(.due(timer)) }
    case 3...5: if machine.link == .opening { openOrNot() }
    case 6...8: call()
    case 9...12: reply()
    case 13: ask()
    case 14: save()
    case 15: broker.number(0...1) == 0 ? save() : observe()
    case 16...18: answer()
    default:
      if broker.number(0...200) == 0 { take(.stopped()) } else { say() }
    }
  }

  /// Ends everything that has begun.
  mutating func end() {
    take(.stopped())
    take(.due(.stopping))
    if !isOver { complaints.append("the client does not end") }
    if !observed.isEmpty { complaints.append("never ended: \(observed)") }
    if !open.isEmpty { complaints.append("never answered: \(open)") }
    while !calls.isEmpty { answer() }
    for (session, life) in lives where life != .refused {
      complaints.append("\(session) has not ended")
    }
  }

  // MARK: - Events

  private mutating func openOrNot() {
    guard broker.number(0...4) > 0 else {
      return take(.notOpened(SceneError(.brokerUnavailable, "no", retry: .later)))
    }
    isOpen = true
    take(.opened)
  }

  private mutating func dismiss() {
    guard isOpen else { return }
    take(.dismissed(SceneError(.tooMany, "no", retry: .later)))
  }

  private mutating func call() {
    guard isOpen else { return }
    let identifier = RequestIdentifier.number(broker.callbackNumber())
    owed.insert(identifier)
    take(.called(identifier, broker.callback()))
  }

  private mutating func reply() {
    guard isOpen else { return }
    let number = broker.number(0...9) == 0 ? 4711 : asked.keys.min() ?? 0
    let request = (asked.removeValue(forKey: number)?.message).map { type(of: $0) } ?? Ping.self
    if broker.number(0...3) == 0 {
      // A client that is refused for good has ended.
      let mayGoOn = request == Initialize.self && broker.number(0...9) > 0
      let retry = mayGoOn ? .later : broker.retry()
      take(.replied(number, .failure(SceneError(named: broker.reason().name, "no", retry: retry))))
    } else {
      take(.replied(number, .success(broker.reply(to: request))))
    }
  }

  private mutating func say() {
    guard isOpen else { return }
    guard broker.number(0...1) == 0 else { return take(.notified(broker.notification())) }
    let identifier = RequestIdentifier.number(broker.callbackNumber())
    owed.insert(identifier)
    take(.calledUnknown(identifier, method: "scene/dance"))
  }

  private mutating func token() -> RequestToken? {
    guard broker.number(0...1) == 0 else { return nil }
    lastToken += 1
    let token = RequestToken(number: lastToken)
    open.insert(token)
    return token
  }

  private mutating func ask() {
    let session = broker.session()
    let request: ClientRequest = broker.pick([
      ClientRequest(SceneConnect()), ClientRequest(SceneConnect(new: true)),
      ClientRequest(SceneConnect(name: "packing")), ClientRequest(RequestActivation()),
      ClientRequest(RequestDestruction(sessions: [session])), ClientRequest(Ping()),
      ClientRequest(SceneTransition(session: session, to: .background)),
      ClientRequest(SceneUpdate(session: session, title: .value("a"))),
    ])
    take(.requested(token(), request))
  }

  private mutating func save() {
    take(.saveRequested(broker.session(), activity(), token()))
  }

  private mutating func observe() {
    let source = broker.source()
    if broker.number(0...2) == 0 {
      observed.remove(source)
      return take(.ceased(source))
    }
    observed.insert(source)
    take(.observed(source, after: nil))
  }

  /// An activity that is newer than all others.
  private mutating func activity() -> Activity? {
    lastNote += 1
    return broker.pick([note(lastNote), note(lastNote), nil])
  }

  /// The program answers the oldest callback of some session.
  private mutating func answer() {
    guard !calls.isEmpty else { return }
    let session = broker.pick(calls.map(\.callback.session))
    guard let index = calls.firstIndex(where: { $0.callback.session == session })
    else { return }
    let call = calls.remove(at: index)
    let answer: CallAnswer =
      switch (call.callback.kind, broker.number(0...5)) {
      case (_, 0): .failed(message: "no")
      case (.stateRestorationActivity, _):
        .activity(activity().map { .value($0) } ?? .null)
      default: .done
      }
    if call.callback.kind == .willConnect, case .failed = answer,
      lives[session] == .connected(call.number)
    {
      lives[session] = .refused
    }
    take(.answered(call.number, answer))
  }

  // MARK: - Actions

  private mutating func take(_ event: ClientEvent) {
    if event == .lost() { close() }
    var actions: [ClientAction] = []
    machine.handle(event, into: &actions)
    for action in actions { take(action) }
    if asked.count > 128 { complaints.append("\(asked.count) requests at once") }
  }

  private mutating func close() {
    isOpen = false
    asked = [:]
    owed = []
  }

  private mutating func take(_ action: ClientAction) {
    switch action {
    case .open: if isOver { complaints.append("opens after the end") }
    case .update, .report, .saved, .notify, .delegate: break
    case .close: close()
    case .send(let message): take(message)
    case .call(let call):
      if isOver { complaints.append("calls after the end: \(call)") }
      calls.append(call)
      live(call)
    case .finish(let token, _):
      if open.remove(token) == nil { complaints.append("answered twice: \(token)") }
    case .deliver(let source, let update):
      if !observed.contains(source) { complaints.append("\(update) of \(source), not observed") }
      if update == .ended { observed.remove(source) }
    case .wake(let timer, _): timers.insert(timer, at: broker.number(0...timers.count))
    case .stop: isOver = true
    }
  }

  private mutating func take(_ message: ClientMessage) {
    if !isOpen { complaints.append("sent without a connection: \(message)") }
    switch message {
    case .request(let number, let request):
      asked[number] = request
      switch request.message {
      case let message as SaveActivity: check(message.activity, message.session)
      case let message as SceneConnect: check(message.activity, message.session ?? .none)
      default: break
      }
    case .answer(let identifier, _), .unknown(let identifier, _):
      if owed.remove(identifier) == nil { complaints.append("\(identifier) has two answers") }
    }
  }

  private mutating func check(_ activity: Activity?, _ session: SessionIdentifier) {
    guard let activity else { return }
    let number = UserActivity(activity).userInfo?["line"] as? Int ?? 0
    let newest = sent[session] ?? 0
    if number < newest { complaints.append("\(session): \(number) behind \(newest)") }
    sent[session] = max(number, newest)
  }

  private mutating func live(_ call: SceneCall) {
    let session = call.callback.session
    switch (lives[session], call.callback.kind) {
    case (nil, .willConnect), (.refused, .willConnect): lives[session] = .connected(call.number)
    case (.connected, .willConnect): complaints.append("\(session) is connected twice")
    case (.connected, .didDisconnect): lives[session] = nil
    case (nil, let kind): complaints.append("\(kind) of \(session), which is not connected")
    case (.connected, _), (.refused, _): break
    }
  }
}
