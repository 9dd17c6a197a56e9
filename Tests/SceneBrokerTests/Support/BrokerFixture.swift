import SceneJSON
import SceneModel
import Testing

@testable import SceneBroker

/// A broker whose clock the test moves, and whose connections are values.
///
/// After every event, the fixture checks:
///
/// - the invariants hold
/// - the records replay to the live state
/// - each request has one reply
/// - callbacks follow the life cycle
final class BrokerFixture {
  private(set) var broker: Broker
  private(set) var now: Instant
  /// The state that the records of a journal replay to.
  private(set) var replayed: StoredState
  /// Every record so far.
  private(set) var records: [Record] = []
  /// Everything that was sent, with its stamp.
  private(set) var sent: [Outbound] = []
  private(set) var trace: [TraceEntry] = []
  private(set) var livenessQueries: [LivenessQuery] = []
  private(set) var commands: [BrokerCommand] = []
  /// Connections whose end of reading the broker wants to know.
  private(set) var drains: [ConnectionIdentifier] = []
  private(set) var isStopping = false
  /// Whether an invariant was found not to hold.
  private(set) var isBroken = false
  private(set) var timers: [BrokerTimer: Int64] = [:]
  /// Whether programs can be started.
  var startsPrograms = true
  /// Processes that are coming to their end.
  var dying: Set<ClientProcess> = []
  /// Processes that are stopped or being debugged.
  var halts: [ClientProcess: ProcessHalt] = [:]
  /// Whether messages merged for each round go out after each event.
  var endsRounds = true
  /// Whether the edge is as quick as the rules to leave a connection that is to be closed.
  var closesAtOnce = true

  private var clients: [ConnectionIdentifier: Client] = [:]
  private var watch = LifecycleWatch()
  private var lastConnection: UInt64 = 0
  /// The number of the last session or report.
  private var lastIdentifier: UInt64 = 0
  private let log: EffectLog?

  static let start = Instant(monotonic: 1_000_000_000, wall: 1_700_000_000_000)

  init(
    _ manifest: Manifest = .builtIn, limits: Limits = Limits(),
    recovered: StoredState = StoredState(), living: [ClientProcess] = [],
    identifiersAfter: UInt64 = 0, instance: String = "A", clock: ClockKind = .real,
    durability: String = "disk", allowsFaults: Bool = false, booted: Int64? = nil,
    carried: CarriedState? = nil, log: EffectLog? = nil
  ) {
    self.log = log
    var environment = RuntimeInfo()
    environment.clock = clock
    environment.durability = durability
    environment.allowsFaults = allowsFaults
    now = Self.start
    lastIdentifier = identifiersAfter
    replayed = recovered
    var identity = BrokerIdentity()
    identity.instance = instance
    broker = Broker(
      identity: identity, application: "test", manifest: manifest, limits: limits,
      environment: environment,
      identifiers: IdentifierGenerator(countingAfter: identifiersAfter), recovered: recovered,
      at: now)
    if let carried { broker.restore(carried) }
    handle(.started(living: living, booted: booted))
    // A classic application has a session from the start.
    let first = SessionIdentifier(high: 0, low: identifiersAfter + 1)
    if !recovered.contains(first), replayed.contains(first) { lastIdentifier += 1 }
  }

  /// The next broker, after a crash of this one.
  func crashed(
    living: [ClientProcess] = [], booted: Int64? = nil, manifest: Manifest? = nil,
    limits: Limits? = nil, carried: CarriedState? = nil
  ) -> BrokerFixture {
    BrokerFixture(
      manifest ?? broker.manifest, limits: limits ?? broker.limits, recovered: replayed,
      living: living,
      identifiersAfter: lastIdentifier, instance: broker.identity.instance + "+",
      booted: booted, carried: carried, log: log)
  }

  // MARK: - Events

  func handle(_ event: BrokerEvent) {
    step(event)
    settle()
  }

  private func settle() {
    while !unansweredQueries.isEmpty {
      let query = unansweredQueries.removeFirst()
      let ending = query.processes.filter(dying.contains)
      step(.livenessQueried(query.identifier, ending: ending))
    }
    while !unansweredSignals.isEmpty {
      step(.signalled(signalOutcome(unansweredSignals.removeFirst())))
    }
    while !unansweredLaunches.isEmpty { step(beginning(of: unansweredLaunches.removeFirst())) }
    while !unmeasuredSteps.isEmpty {
      let (next, isRequested) = (broker.nextPressureStep, unmeasuredSteps.removeFirst())
      step(.pressureMeasured(next, pressureFigures, isRequested: isRequested))
    }
    if endsRounds { endRound() }
  }

  func endRound() { step(.inputTaken) }

  private var unansweredQueries: [LivenessQuery] = []

  /// The outcome of a signal.
  var signalOutcome: (String) -> SignalOutcome = { .sent($0) }
  private var unansweredSignals: [String] = []

  private var unansweredLaunches: [LaunchRequest] = []
  /// The figures of the next steps against memory pressure, and whether each step is requested.
  var pressureFigures = PressureFigures()
  private var unmeasuredSteps: [Bool] = []

  private func beginning(of launch: LaunchRequest) -> BrokerEvent {
    guard startsPrograms else {
      return .notLaunched(launch.identifier, problem: "cannot start \(launch.command.words[0])")
    }
    let number = launch.identifier.number
    return .launched(
      launch.identifier, ClientProcess(pid: 5000 + Int64(number), startTime: 7),
      token: "token \(number)")
  }

  /// The effects lack the frequent events of the trace, as for a log at `info`.
  func logOnlyExplanations() { broker.logsFrequentEvents = false }

  private func step(_ event: BrokerEvent) {
    watch.willHandle(event)
    var effects = Effects()
    broker.handle(event, at: now, into: &effects)
    take(effects, of: event)
  }

  /// Makes a request of any name with any parameters, both in JSON.
  func request(
    _ connection: ConnectionIdentifier, _ identifier: RequestIdentifier?, _ name: String,
    _ params: String?
  ) {
    let (nameDocument, paramsDocument) = (JSONDocument(), JSONDocument())
    var effects = Effects()
    do {
      try nameDocument.read(name.utf8)
      if let params { try paramsDocument.read(params.utf8) }
      broker.handle(
        nameDocument.root, params == nil ? nil : paramsDocument.root, identifier,
        from: connection, at: now, into: &effects)
    } catch {
      Issue.record("invalid JSON: \(name) \(params ?? ""): \(error)")
    }
    take(effects, of: "\(name) \(params ?? "")")
  }

  private func take(_ effects: consuming Effects, of event: Any) {
    log?.add(effects)
    replay(effects.records.decoded)
    for outbound in effects.everyMessage { post(outbound) }
    for change in effects.timers { apply(change) }
    trace += effects.trace
    livenessQueries += effects.livenessQueries
    unansweredQueries += effects.livenessQueries
    commands += effects.commands
    for command in effects.commands {
      switch command {
      case .launch(let request): unansweredLaunches.append(request)
      case .signal(let name, _): unansweredSignals.append(name)
      case .drain(let connection): drains.append(connection)
      case .takePressureStep(let isRequested): unmeasuredSteps.append(isRequested)
      default: break
      }
    }
    isStopping = isStopping || effects.isStopping
    watch.didHandle(broker)
    check(event)
    // The event loop reports a close after the last messages are written.
    for case .close(let connection) in effects.commands where closesAtOnce {
      close(connection, .violation)
    }
  }

  private func replay(_ new: [Record]) {
    records += new
    for record in new {
      do {
        try replayed.apply(record)
      } catch {
        Issue.record("the record cannot be replayed: \(error)")
      }
    }
  }

  private func post(_ outbound: Outbound) {
    #expect(outbound.after <= broker.recordCount)
    sent.append(outbound)
    guard let client = clients[outbound.connection] else {
      Issue.record("\(outbound.message) goes to a connection that is gone")
      return
    }
    if case .callback(let number, let callback, let budget) = outbound.message {
      if !callback.kind.isOfDelegate { watch.sent(callback, number, to: outbound.connection) }
      apply(.set(.callback(outbound.connection, number), budget))
    }
    client.hear(outbound.message)
  }

  private func apply(_ change: TimerChange) {
    switch change {
    case .set(let timer, let time): timers[timer] = now.monotonic + time.nanoseconds
    case .extend(let timer, let time):
      timers[timer] = max(timers[timer] ?? .min, now.monotonic + time.nanoseconds)
    case .cancel(let timer): timers[timer] = nil
    }
  }

  private func check(_ event: Any) {
    let flaws = broker.checkInvariants()
    isBroken = isBroken || !flaws.isEmpty
    #expect(flaws.isEmpty, "after \(event)")
    #expect(replayed == broker.stored, "after \(event)")
    #expect(replayed.names == broker.stored.names, "after \(event)")
    #expect(replayed.byteCount == broker.stored.byteCount, "after \(event)")
    #expect(replayed.discarded == broker.stored.discarded, "after \(event)")
    #expect(watch.takeFlaws().isEmpty, "after \(event)")
  }

  // MARK: - Time

  func pass(_ time: Interval) {
    let end = now.monotonic + time.nanoseconds
    while let due = nextTimer(until: end) {
      timers[due] = nil
      var halt: ProcessHalt?
      if case .callback(let connection, _) = due, let process = clients[connection]?.process {
        halt = halts[process]
      }
      handle(.due(due, halt))
    }
    advance(to: end)
  }

  private func nextTimer(until end: Int64) -> BrokerTimer? {
    let due = timers.filter { $0.value <= end }
    guard
      let first = due.min(by: {
        ($0.value, "\($0.key)") < ($1.value, "\($1.key)")
      })
    else { return nil }
    advance(to: max(now.monotonic, first.value))
    return first.key
  }

  private func advance(to monotonic: Int64) {
    now.wall += (monotonic - now.monotonic) / 1_000_000
    now.monotonic = monotonic
  }

  // MARK: - Connections

  /// A connection before its first message.
  func open(pid: Int64? = nil) -> Client {
    lastConnection += 1
    let process = ClientProcess(pid: pid ?? Int64(100 + lastConnection), startTime: 7)
    let client = Client(ConnectionIdentifier(lastConnection), process, on: self)
    clients[client.connection] = client
    handle(.opened(client.connection, process))
    return client
  }

  /// A client that has sent `initialize`.
  func client(
    _ name: String = "notes", as kind: ClientKind = .scene, hosts: [String] = [],
    pid: Int64? = nil
  ) -> Client {
    let client = open(pid: pid)
    client.ask(
      Initialize(client: ClientName(name: name, version: "1"), as: kind, hosts: hosts))
    client.forget()
    return client
  }

  /// A started process sends `initialize`: the newest one, unless another one is named.
  func launchedClient(
    _ name: String = "notes", hosts: [String] = [], launch: LaunchRequest? = nil
  ) -> Client {
    let number = launch?.identifier.number ?? UInt64(launches.count)
    let client = open(pid: 5000 + Int64(number))
    client.ask(
      Initialize(
        client: ClientName(name: name, version: "1"), as: .scene, hosts: hosts,
        launch: "token \(number)"))
    return client
  }

  /// A process that was started has ended; the newest, unless another is named.
  func exit(_ status: ClientExit, _ launch: LaunchRequest? = nil) {
    guard let launch = launch ?? launches.last else { return }
    handle(.exited(launch.identifier, status))
  }

  func control() -> Client { client("scenectl", as: .control) }

  /// An application delegate that is launched.
  func delegate(_ name: String = "app", pid: Int64? = nil) -> Client {
    let client = client(name, as: .applicationDelegate, pid: pid)
    client.answer()
    client.answer()
    client.forget()
    return client
  }

  func close(
    _ connection: ConnectionIdentifier, _ reason: DisconnectReason = .connectionLost
  ) {
    guard let client = clients.removeValue(forKey: connection) else { return }
    client.isOpen = false
    handle(.closed(connection, reason))
  }

  func terminate() { handle(.terminate) }

  /// Another program takes the place of this one, after these last requests.
  func upgrade(after requests: () -> Void = {}) {
    broker.isUpgrading = true
    requests()
    handle(.inputEnded)
  }

  /// Everything up to now is on disk.
  func sync() { handle(.synced(broker.recordCount)) }

  /// A connection has read everything.
  func drain(_ connection: ConnectionIdentifier) {
    guard let index = drains.firstIndex(of: connection) else {
      Issue.record("there was no such request")
      return
    }
    drains.remove(at: index)
    handle(.drained(connection))
  }

  /// Makes a request. An identifier that the request did not use is free again, so that the
  /// sessions of a test have consecutive numbers.
  func request(
    _ connection: ConnectionIdentifier, _ identifier: RequestIdentifier?,
    _ request: some RequestMessage
  ) {
    broker.identifiers = IdentifierGenerator(countingAfter: lastIdentifier)
    let next = SessionIdentifier(high: 0, low: lastIdentifier + 1)
    watch.willHandle(request, from: connection)
    var writer = JSONWriter()
    request.write(to: &writer)
    self.request(
      connection, identifier, "\"\(type(of: request).method)\"",
      String(decoding: writer.bytes, as: UTF8.self))
    settle()
    let isWaiting =
      broker.deferred.requests.contains { $0.attempt.identifier == next }
      || broker.pendingSessions.configured(next) != nil
    let isMade = broker.pendingSessions[next] != nil || replayed.contains(next)
    let isReported = replayed.discarded.contains { $0.report.request == next }
    if isWaiting || isMade || isReported { lastIdentifier += 1 }
  }

  var openClients: [Client] {
    clients.values.sorted { $0.connection < $1.connection }
  }
}
