import SceneBroker
import SceneHandoff
import SceneJSON
import SceneModel

/// Hosts with an agent and a broker each, and one engine. All order comes from the seed.
struct HostWorld {
  struct Host {
    let name: String
    var agent: Agent
    var state: AgentState
    let broker: SimulatedHost
    /// Counts links. Messages of an older link are lost on their way back.
    var link = 0
    var isCut = false
    var isWatching = false
    /// Whether the agent is connected to the broker.
    var isOpen = false
    /// The difference of this host's clock.
    let clock: Int64
    /// Counts runs of the agent.
    var run = 0
  }

  enum Event {
    case request(Int, link: Int, UInt64, EngineRequest)
    case reply(Int, link: Int, UInt64, EngineReply)
    case changes(Int, link: Int, [EngineChange])
    case broker(Int, run: Int, UInt64, HostRequest)
    case brokerReply(Int, run: Int, UInt64, HostReply)
    case agent(Int, run: Int, AgentEvent)
    case open(Int)
  }

  var random: SplitMix
  /// Whether brokers are killed within requests, and clients connect within them.
  var disturbs = false
  var engine = SimulatedEngine()
  var hosts: [Host] = []
  var time: Int64 = 1_000_000_000
  private var queue: [(time: Int64, order: Int, event: Event)] = []
  private var order = 0
  private var lastSave = 0
  var saves: [SessionIdentifier: Set<Int>] = [:]
  var answers: [HandoffReply] = []
  var ends: [String] = []
  var logs: [String] = []
  /// The sessions that were present at two hosts at one time.
  var twice: Set<SessionIdentifier> = []
  /// Replies and watches arrive in order.
  private var arrival: [Int: Int64] = [:]

  init(seed: UInt64, hosts count: Int) {
    random = SplitMix(seed: seed)
    for number in 0..<count {
      let name = "host\(number)"
      let state = AgentState(number: Int64(number + 1))
      hosts.append(
        Host(
          name: name,
          agent: Agent(
            Agent.Settings(host: name, user: "ada", application: "notes"), state: state,
            seed: random.next(), at: 1),
          state: state, broker: SimulatedHost(name, seed: UInt64(number + 1)),
          clock: Int64(random.next() % 1_000_000_000_000)))
    }
    for number in hosts.indices { start(number) }
  }

  mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

  private mutating func schedule(_ event: Event, after delay: Int64) {
    order += 1
    queue.append((time + delay, order, event))
  }

  /// Starts the agent again from its state file.
  mutating func start(_ number: Int) {
    hosts[number].run += 1
    hosts[number].link += 1
    hosts[number].isWatching = false
    let settings = hosts[number].agent.settings
    hosts[number].agent = Agent(
      settings, state: hosts[number].state, seed: random.next(), at: now(number))
    schedule(.agent(number, run: hosts[number].run, .time), after: 0)
    openBroker(number)
  }

  private mutating func openBroker(_ number: Int) {
    hosts[number].isOpen = true
    hosts[number].broker.observe()
    give(number, .brokerOpened(hosts[number].broker.contents))
  }

  /// Uses the broker of a host, and tells its agent what has changed.
  private mutating func useBroker<Result>(
    _ number: Int, _ body: (SimulatedHost) throws -> Result
  ) rethrows -> Result {
    let host = hosts[number].broker
    let life = host.life
    host.time = Instant(monotonic: time, wall: 1_700_000_000_000 + now(number) / 1_000_000)
    defer {
      if host.life != life {
        hosts[number].isOpen = false
        give(number, .brokerClosed)
        schedule(.open(number), after: Int64(below(500_000_000)))
      }
      for event in host.takeChanges() {
        schedule(.agent(number, run: hosts[number].run, event), after: 0)
      }
    }
    return try body(host)
  }

  private func now(_ number: Int) -> Int64 { time + hosts[number].clock }

  mutating func give(_ number: Int, _ event: AgentEvent) {
    for action in hosts[number].agent.handle(event, at: now(number)) { perform(number, action) }
  }

  private mutating func perform(_ number: Int, _ action: AgentAction) {
    let (link, run) = (hosts[number].link, hosts[number].run)
    switch action {
    case .open:
      hosts[number].link += 1
      hosts[number].isWatching = false
      schedule(
        hosts[number].isCut
          ? .agent(number, run: run, .closed(.unavailable("cut")))
          : .agent(number, run: run, .opened(databaseSize: 0)), after: 1_000_000)
    case .close:
      hosts[number].link += 1
      hosts[number].isWatching = false
    case .engine(_, .watch(_, let revision)):
      hosts[number].isWatching = true
      let missed = engine.log.filter { Self.revision(of: $0) > revision }
      if !missed.isEmpty { sendChanges(number, missed) }
    case .engine(let id, let request):
      let delay = Int64(below(20_000_000))
      // Requests of one link arrive in order.
      let at = max(time + delay, arrival[number * 2] ?? 0)
      arrival[number * 2] = at
      schedule(.request(number, link: link, id, request), after: at - time)
    case .broker(let id, let request):
      guard hosts[number].isOpen else { return }
      schedule(.broker(number, run: run, id, request), after: Int64(below(5_000_000)))
    case .store(let state): hosts[number].state = state
    case .answer(let answer): answers.append(answer)
    case .log(let text): logs.append(text)
    case .end(let why): ends.append(why)
    }
  }

  private static func revision(of change: EngineChange) -> Int64 {
    switch change {
    case .put(let value): value.revision
    case .delete(_, let revision): revision
    }
  }

  private mutating func sendChanges(_ number: Int, _ changes: [EngineChange]) {
    let seen = changes.filter {
      switch $0 {
      case .put(let value): value.key.contains("/i/")
      case .delete(let key, _): key.contains("/i/")
      }
    }
    guard !seen.isEmpty, hosts[number].isWatching else { return }
    let at = max(time + Int64(below(20_000_000)), arrival[number * 2 + 1] ?? 0)
    arrival[number * 2 + 1] = at
    schedule(
      .changes(number, link: hosts[number].link, seen),
      after: at - time)
  }

  private mutating func broadcast(_ changes: [EngineChange]) {
    guard !changes.isEmpty else { return }
    for number in hosts.indices { sendChanges(number, changes) }
  }

  /// Runs until a time. Returns early if nothing remains to happen.
  mutating func run(for nanoseconds: Int64) {
    let end = time + nanoseconds
    while true {
      var next = queue.min { ($0.time, $0.order) < ($1.time, $1.order) }?.time ?? .max
      for number in hosts.indices {
        if let deadline = hosts[number].agent.deadline {
          next = min(next, max(time, deadline - hosts[number].clock))
        }
      }
      guard next <= end else { break }
      time = next
      broadcast(engine.expire(at: time))
      if let index = queue.indices.min(by: {
        (queue[$0].time, queue[$0].order) < (queue[$1].time, queue[$1].order)
      }), queue[index].time <= time {
        handle(queue.remove(at: index).event)
      }
      twice.formUnion(saves.keys.filter { places(of: $0).count > 1 })
      for number in hosts.indices {
        if let deadline = hosts[number].agent.deadline, deadline <= now(number) {
          give(number, .time)
        }
      }
    }
    time = end
  }

  private mutating func handle(_ event: Event) {
    switch event {
    case .request(let number, let link, let id, let request):
      // A lost link does not take back what was sent.
      if hosts[number].link != link {
        let fate = below(4)
        if fate == 0 { return }
        if fate == 1 { return schedule(event, after: Int64(below(6) * 1_000_000_000)) }
      }
      let (reply, changes) = engine.perform(request, at: time)
      broadcast(changes)
      schedule(.reply(number, link: link, id, reply), after: Int64(below(20_000_000)))
    case .reply(let number, let link, let id, let reply):
      guard hosts[number].link == link, !hosts[number].isCut else { return }
      give(number, .engineReply(id, reply))
    case .changes(let number, let link, let changes):
      guard hosts[number].link == link, !hosts[number].isCut else { return }
      give(number, .changed(changes))
    case .broker(let number, let run, let id, let request):
      // An agent that was killed has sent only the first messages of a request.
      let limit = hosts[number].run == run ? nil : below(4)
      let (isKilled, isOpened) = (disturbs && below(16) == 0, disturbs && below(8) == 0)
      let kill = (request: below(3), recordCount: below(5))
      let connectCount = isOpened ? below(4) : 0
      let reply = useBroker(number) { host in
        (host.kill, host.connectCount) = (isKilled ? kill : nil, connectCount)
        return host.perform(request, messages: limit)
      }
      guard let reply else { return }
      schedule(.brokerReply(number, run: run, id, reply), after: Int64(below(5_000_000)))
    case .brokerReply(let number, let run, let id, let reply):
      if hosts[number].run == run { give(number, .brokerReply(id, reply)) }
    case .agent(let number, let run, let event):
      if hosts[number].run == run { give(number, event) }
    case .open(let number):
      if !hosts[number].isOpen { openBroker(number) }
    }
  }

  // MARK: - What people and machines do

  func isPresent(_ id: SessionIdentifier, at number: Int) -> Bool {
    hosts[number].broker.stored(id)?.isPresent == true
  }

  func places(of id: SessionIdentifier) -> [Int] {
    hosts.indices.filter { isPresent(id, at: $0) }
  }

  mutating func create(_ id: SessionIdentifier, at number: Int) {
    useBroker(number) { $0.create(id) }
    save(id, at: number)
  }

  /// A save adds its number to the content.
  mutating func save(
    _ id: SessionIdentifier, at number: Int, _ numbers: [Int] = [], isEligible: Bool = true
  ) {
    guard isPresent(id, at: number) else { return }
    lastSave += 1
    saves[id, default: []].insert(lastSave)
    useBroker(number) { [lastSave] host in
      host.save(id, (host.saves(of: id) ?? []) + [lastSave] + numbers, isEligible: isEligible)
    }
  }

  /// A client connects, so that the session has a scene.
  mutating func open(_ id: SessionIdentifier, at number: Int) {
    useBroker(number) { $0.connect(id) }
  }

  mutating func discard(_ id: SessionIdentifier, at number: Int) {
    useBroker(number) { _ = try? $0.ask(RequestDestruction(sessions: [id])) }
  }

  /// A session is moved by hand. The agents were off.
  mutating func move(_ id: SessionIdentifier, from number: Int, to other: Int) {
    useBroker(number) { [host = hosts[other].broker] in $0.move(id, to: host) }
    useBroker(other) { _ in }
  }

  /// The session was moved by hand to another host and back.
  mutating func raiseFence(of id: SessionIdentifier, at number: Int, to fence: Int64) {
    useBroker(number) { $0.raiseFence(of: id, to: fence) }
  }

  mutating func command(_ question: HandoffQuestion, at number: Int) {
    give(number, .command(question))
  }

  mutating func cut(_ number: Int) {
    guard !hosts[number].isCut else { return }
    hosts[number].isCut = true
    hosts[number].link += 1
    hosts[number].isWatching = false
    give(number, .closed(.unavailable("cut")))
  }

  mutating func heal(_ number: Int) { hosts[number].isCut = false }

  /// The connection to the engine ends. What was sent can still arrive there.
  mutating func drop(_ number: Int) {
    hosts[number].link += 1
    hosts[number].isWatching = false
    give(number, .closed(.unavailable("dropped")))
  }

  /// Another process writes to the engine.
  mutating func change(_ changes: [EngineTransaction.Change]) {
    broadcast(engine.perform(.transaction(EngineTransaction(if: [:], changes)), at: time).1)
  }

  /// The engine starts again without its data.
  mutating func wipe() {
    engine = SimulatedEngine()
    queue.removeAll {
      switch $0.event {
      case .request, .reply, .changes: true
      case .broker, .brokerReply, .agent, .open: false
      }
    }
    for number in hosts.indices where !hosts[number].isCut { drop(number) }
  }

  mutating func killBroker(_ number: Int, losingState: Bool = false) {
    useBroker(number) { $0.kill(losingState: losingState) }
  }

  /// The saves that the engine has as sides of conflicts.
  func conflictSaves(_ id: SessionIdentifier) -> Set<Int> {
    var found: Set<Int> = []
    for value in engine.values.values where value.key.contains("/f/\(id)/") {
      if let content = try? StoredContent(parsing: value.value) {
        found.formUnion(SimulatedHost.saves(in: content))
      }
    }
    return found
  }
}

extension HandoffQuestion {
  static func take(
    _ session: SessionIdentifier, seen: Int64? = nil, forced: Bool = false
  ) -> Self {
    var question = HandoffQuestion(.take, session)
    (question.seen, question.isForced) = (seen, forced)
    return question
  }

  static func keep(_ session: SessionIdentifier, host: String) -> Self {
    var question = HandoffQuestion(.keep, session)
    question.host = host
    return question
  }
}
