package import SceneModel

/// The life-cycle rules. They use no clock, no system call and no log, and take identifiers from a
/// seeded generator. So the same events always give the same effects.
///
/// `Broker` owns the parts and applies their actions. A part has private state and never sees the
/// broker. Only the broker sends messages and writes records, because the barrier needs both.
///
/// There are three kinds of methods:
///
/// 1. `handle` takes one event, in the order of events, with the time at which it is handled. It
///    changes state and appends effects.
/// 2. The caller performs the effects once for each round, and drops none. It may write messages
///    earlier, but not send them. It first answers each inquiry with `handle`, until there are none.
///    Then it handles `roundEnded`, and performs the groups in this order: records, trace, messages,
///    timers, programs, signals, advances, the manifest, directories, faults, closes, `isStopping`.
///    It reports a connection that sends no more and waits for no reply as closed after the messages.
///    The effects of that event belong to the next round, which follows at once.
/// 3. Reads, such as `kind(ofCallback:on:)`, may be called between two calls of `handle`.
///
/// `stored` has the state that survives the broker. It changes only by the records in the effects.
package struct Broker: ~Copyable {
  private(set) var configuration: BrokerConfiguration

  var store: SessionStore
  var clients: ClientTable
  var scenes = SceneTable()
  var pendingSessions = PendingSessions()
  var delegate = DelegateStateMachine()
  var deferred = DeferredRequests()
  var topics = TopicRegistry()
  var launches = LaunchSupervisor()
  var pending = PendingActivations()
  var completions = Completions()
  /// Bytes that wait in connections. The event loop counts them.
  package var waitingByteCount = 0
  package internal(set) var isShuttingDown = false
  var traceBuffer: TraceBuffer
  var changes = ChangeFeed()

  var identifiers: IdentifierGenerator
  var now: Instant
  var effects = Effects()

  package init(
    identity: BrokerIdentity, application: String, manifest: Manifest, limits: Limits,
    environment: BrokerEnvironment = BrokerEnvironment(), identifiers: IdentifierGenerator,
    recovered stored: StoredState, at now: Instant
  ) {
    self.identifiers = identifiers
    configuration = BrokerConfiguration(
      identity: identity, application: application, manifest: manifest, limits: limits,
      environment: environment)
    self.now = now
    store = SessionStore(recovered: stored, manifest, limits)
    clients = ClientTable(sceneLimit: limits.scenesPerConnection)
    traceBuffer = TraceBuffer(capacity: limits.traceEntries, start: now)
  }

  /// Gives up memory of what has become much smaller.
  package mutating func returnUnusedMemory() {
    store.returnUnusedMemory(manifest)
    clients.returnUnusedMemory()
    scenes.returnUnusedMemory()
  }

  /// The only way in.
  package mutating func handle(_ event: BrokerEvent, at now: Instant, into effects: inout Effects) {
    self.now = now
    swap(&self.effects, &effects)
    take(event)
    while let request = deferred.popReady() { retry(request) }
    while let session = launches.nextStart() { start(session) }
    converse()
    announcePhase()
    assert(!deferred.hasReady, "a start or a question has fulfilled the cause of a request")
    swap(&self.effects, &effects)
  }

  private mutating func take(_ event: BrokerEvent) {
    switch event {
    case .started(let living): start(living: living)
    case .opened(let connection, let process): clients.open(connection, process)
    case .requested(let connection, let identifier, let request):
      take(request, Requester(connection: connection, request: identifier))
    case .answered(let connection, let callback, let answer):
      take(answer, to: callback, from: connection)
    case .finished(let connection): finish(connection)
    case .closed(let connection, let reason): close(connection, reason)
    case .due(let timer, let debugged): fire(timer, debugged: debugged)
    case .inquired(let inquiry, let ending): take(ending: ending, of: inquiry)
    case .launched(let launch, let process, let token): begin(launch, process, token: token)
    case .notLaunched(let launch, let problem): takeNotLaunched(launch, problem)
    case .exited(let launch, let status): take(status, of: launch)
    case .storage(let state, let problem):
      store.updateStorage(state, problem)
      announceRoom()
      answerAboutDisk()
    case .synced(let number):
      store.synced(upTo: number)
      changes.synced(upTo: number)
      deliverSynced(upTo: number)
    case .drained(let connection): goOnDelivering(to: connection)
    case .clockAdvanced: answerAdvance()
    case .signalled(let outcome): take(outcome)
    case .manifestRead(let reading): take(reading)
    case .dataDirectoryMade(let session, let outcome): take(outcome, for: session)
    case .roundEnded:
      reclaimByPolicy()
      announceRoom()
      announceChanges()
      answerSettlers()
    case .terminate: terminate()
    }
  }

  private mutating func fire(_ timer: BrokerTimer, debugged: Bool) {
    switch timer {
    case .callback(let connection, let callback):
      overrun(callback, on: connection, debugged: debugged)
    case .grace: endGrace()
    case .watch: lookAfterHolders()
    case .inquiry(let inquiry): stopWaiting(for: inquiry)
    case .shutdown: scenes.isEmpty ? endWaitForDelegate() : cutWhatIsLeft()
    case .reclaim: scenes.requestReclaimCheck()
    case .assertion(let session, let assertion): scenes.removeAssertion(assertion, of: session)
    case .launch(let session): overrunLaunch(of: session)
    case .relaunch(let session): goOnLaunching(session)
    }
  }

  /// Lives by another manifest from now on.
  mutating func adopt(_ manifest: Manifest) {
    configuration.manifest = manifest
    store.adopt(manifest)
    scenes.requestReclaimCheck()
    enforceForegroundPolicy()
    declareTopics()
    if manifest.applicationDelegate == .builtIn { decideCreations() }
    releaseScenes(declining: nil)
  }

  // MARK: - Records

  /// The only way in which what survives changes.
  mutating func record(_ record: Record) {
    store.commit(record)
    effects.records.append(record)
  }

  /// The state that survives the broker.
  package var stored: StoredState { store.state }

  /// The number of the newest record in this broker's life.
  package var recordCount: UInt64 { store.recordCount }

  /// The room for records, including the records that wait for the disk.
  package var room: RecordRoom { store.room }

  // MARK: - Messages

  mutating func reply(
    _ requester: Requester, _ reply: consuming BrokerReply, about session: SessionIdentifier?
  ) {
    guard let request = requester.request else { return }
    send(.reply(request, reply), to: requester.connection, about: session)
  }

  mutating func reply(
    _ requester: Requester, _ reply: consuming BrokerReply, aboutTopic topic: String
  ) {
    guard let request = requester.request else { return }
    send(.reply(request, reply), to: requester.connection, about: nil, topic: topic)
  }

  /// An answer that speaks of a set of sessions, or of one that is not there.
  mutating func replyAboutAll(_ requester: Requester, _ reply: consuming BrokerReply) {
    guard let request = requester.request else { return }
    post(.reply(request, reply), to: requester.connection, after: recordCount)
  }

  mutating func refuse(_ requester: Requester, _ error: BrokerError) {
    guard let request = requester.request else { return }
    let speaksOfSessions = error.speaksOfSessions || error.reason.speaksOfSessions
    post(
      .error(request, error), to: requester.connection, after: speaksOfSessions ? recordCount : 0)
  }

  mutating func send(
    _ message: consuming OutboundMessage, to connection: ConnectionIdentifier,
    about session: SessionIdentifier?, topic: String? = nil
  ) {
    post(message, to: connection, after: store.barrier(session, topic: topic))
  }

  /// A message that speaks of a set of sessions.
  mutating func sendAboutAll(
    _ message: consuming OutboundMessage, to connection: ConnectionIdentifier
  ) {
    post(message, to: connection, after: recordCount)
  }

  private mutating func post(
    _ message: consuming OutboundMessage, to connection: ConnectionIdentifier, after: UInt64
  ) {
    guard clients.isConnected(connection) else { return }
    effects.messages.append(Outbound(connection: connection, message: message, after: after))
  }

  /// How many holds will end sooner or later, each with a record.
  package var holdCount: Int { scenes.count + clients.reservationCount }

  // MARK: - Lookup

  package var identity: BrokerIdentity { configuration.identity }
  package var application: String { configuration.application }
  package var manifest: Manifest { configuration.manifest }
  package var limits: Limits { configuration.limits }
  package var environment: BrokerEnvironment { configuration.environment }

  /// The state of the whole application, as clients know it.
  var phase: ApplicationPhase { changes.phase }

  /// Whether a connection has said who it is.
  package func isInitialized(_ connection: ConnectionIdentifier) -> Bool {
    clients.isInitialized(connection)
  }

  /// What kind of callback a number stands for on a connection, so that its answer can be read; nil
  /// when it no longer counts.
  package func kind(
    ofCallback callback: Int64, on connection: ConnectionIdentifier
  ) -> CalledKind? {
    if delegate.connection == connection, let question = delegate.question,
      question.number == callback
    {
      return .delegate(question.subject.kind)
    }
    return clients.callback(callback, of: connection).map { .scene($0.kind) }
  }

  /// How long a client may take over a callback.
  package func budget(for kind: CalledKind) -> Interval {
    switch kind {
    case .scene(let kind): manifest.budgets.budget(for: kind)
    case .delegate(let kind): budget(for: kind)
    }
  }
}

extension ErrorReason {
  /// Whether it tells which sessions there are, who holds them or what became of them, so that it
  /// must not outrun the disk. What says that the disk is full or behind must not wait for it.
  fileprivate var speaksOfSessions: Bool {
    let telling: [ErrorReason] = [
      .sessionNotFound, .sessionInUse, .sessionNotHeld, .nameInUse, .wrongRole,
      .multipleScenesNotSupported, .requestDenied,
    ]
    return telling.contains(self)
  }
}
