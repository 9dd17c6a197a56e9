package import SceneModel

/// The life-cycle rules. They use no clock, no system call and no log, and take identifiers from a
/// seeded generator. So the same events always give the same effects.
///
/// `Broker` owns the parts and applies their actions. A part has private state and never sees the
/// broker. Only the broker sends messages and writes records, because the barrier needs both.
///
/// There are three kinds of methods:
///
/// 1. `handle` takes one event or request, in their order, with the time at which it is handled. It
///    changes state and appends effects.
/// 2. The caller performs the effects after all input that is ready. It can write messages earlier,
///    but not send them. It first answers each liveness query with `handle`, until there are none.
///    Then it handles `inputTaken`, and performs the groups in the order of ``Effects``. After the
///    messages it reports a connection that sends no more and waits for no reply as closed, and
///    performs the effects of that event in the same way.
/// 3. Reads, such as `kind(ofCallback:on:)`, may be called between two calls of `handle`.
///
/// `stored` has the state that survives the broker. It changes only by the records in the effects.
///
/// A method that changes the broker copies all of it, about 2 KiB, when it calls a method that does
/// not. So the reads of frequent requests are inlined.
package struct Broker: ~Copyable {
  package let identity: BrokerIdentity
  /// The name of the application.
  package let application: String
  package private(set) var manifest: Manifest
  package let limits: Limits
  package let environment: RuntimeInfo

  var store: SessionStore
  var clients: ClientTable
  var scenes = SceneTable()
  var pendingSessions = PendingSessions()
  var delegate = DelegateStateMachine()
  var deferred = DeferredRequests()
  var resumptionQueue = ResumptionQueue()
  var topics = TopicRegistry()
  /// A `let` would not compile under the thread sanitizer of Swift 6.3.
  var launches = LaunchSupervisor()
  var pending = PendingActivations()
  var conditionWaiters = ConditionWaiters()
  var loginEnvironment = LoginEnvironment()
  /// Bytes that wait in connections. The event loop counts them.
  package var waitingByteCount = 0
  package internal(set) var isShuttingDown = false
  /// Whether the event loop takes the last input before it replaces this program.
  package var isUpgrading = false
  /// Whether the effects have all entries of the trace. Else they have only those that explain the
  /// state of a session, or that have a detail.
  package var logsFrequentEvents = true
  var traceBuffer: TraceBuffer
  var changes = ChangeFeed()

  var identifiers: IdentifierGenerator
  var now: Instant
  var effects = Effects()

  package init(
    identity: BrokerIdentity, application: String, manifest: Manifest, limits: Limits,
    environment: RuntimeInfo = RuntimeInfo(), identifiers: IdentifierGenerator,
    recovered stored: StoredState, at now: Instant
  ) {
    self.identifiers = identifiers
    self.identity = identity
    self.application = application
    self.manifest = manifest
    self.limits = limits
    self.environment = environment
    self.now = now
    store = SessionStore(recovered: stored, limits)
    clients = ClientTable(sceneLimit: limits.scenesPerConnection)
    traceBuffer = TraceBuffer(capacity: limits.traceEntries, start: now)
  }

  /// Frees the memory of tables that have become much smaller.
  package mutating func returnUnusedMemory() {
    store.returnUnusedMemory()
    clients.returnUnusedMemory()
    scenes.returnUnusedMemory()
  }

  /// Handles one event.
  package mutating func handle(_ event: BrokerEvent, at now: Instant, into effects: inout Effects) {
    begin(at: now, &effects)
    dispatch(event)
    end(&effects)
  }

  /// An event or a request begins. Its effects are appended to `effects`.
  mutating func begin(at now: Instant, _ effects: inout Effects) {
    self.now = now
    swap(&self.effects, &effects)
  }

  mutating func end(_ effects: inout Effects) {
    while let request = deferred.popReady() { retry(request) }
    if resumptionQueue.isActive, clients.reservations.isEmpty {
      endResumption()
      while let request = deferred.popReady() { retry(request) }
    }
    while let session = launches.nextStart() { start(session) }
    sendNextDelegateCallback()
    publishPhaseIfChanged()
    assert(!deferred.hasReady, "a start or a question has fulfilled the cause of a request")
    swap(&self.effects, &effects)
  }

  private mutating func dispatch(_ event: BrokerEvent) {
    switch event {
    case .started(let living, let booted, let directories):
      start(living: living, booted: booted, directories: directories)
    case .opened(let connection, let process): clients.open(connection, process)
    case .answered(let connection, let callback, let answer):
      callbackReplied(callback, answer, from: connection)
    case .finished(let connection): finish(connection)
    case .closed(let connection, let reason, let exitFollows):
      closed(connection, reason, exitFollows: exitFollows)
    case .due(let timer, let halt): fire(timer, halt: halt)
    case .livenessQueried(let query, let ending): livenessQueried(query, ending: ending)
    case .launched(let launch, let process, let token): launched(launch, process, token: token)
    case .notLaunched(let launch, let problem): launchFailed(launch, problem)
    case .exited(let launch, let exit): processExited(launch, exit)
    case .exitRead(let connection, let exit): exitRead(connection, exit)
    case .storage(let state, let problem):
      store.updateStorage(state, problem)
      emptyTrashForSpace()
      publishRoom()
      answerDiskWaiters()
    case .synced(let number):
      store.synced(upTo: number)
      changes.synced(upTo: number)
      deliverSynced(upTo: number)
    case .drained(let connection): drained(connection)
    case .clockAdvanced: clockAdvanced()
    case .signalled(let outcome): signalled(outcome)
    case .manifestRead(let reading): manifestRead(reading)
    case .upgradeChecked(let problem): upgradeChecked(problem)
    case .inputEnded: inputEnded()
    case .pressureWatched(let words): pressureWatched(words)
    case .pressureReported: pressureReported()
    case .pressureMeasured(let step, let figures, let isRequested):
      take(step, figures, isRequested: isRequested)
    case .dataDirectoryMade(let session, let outcome):
      dataDirectoryMade(for: session, outcome)
    case .inputTaken:
      enforceReclaimPolicy()
      publishRoom()
      publishChanges()
      answerSettleWaiters()
    case .terminate: terminate()
    }
  }

  private mutating func fire(_ timer: BrokerTimer, halt: ProcessHalt?) {
    switch timer {
    case .callback(let connection, let callback):
      callbackTimedOut(callback, on: connection, halt: halt)
    case .reservations: endReservations()
    case .resumption: endResumption()
    case .livenessPoll: pollHolders()
    case .livenessQuery(let query): stopWaiting(for: query)
    case .shutdown: scenes.all.isEmpty ? endWaitForDelegate() : disconnectRemaining()
    case .reclaim: scenes.needsReclaimCheck = true
    case .assertion(let session, let assertion): scenes.removeAssertion(assertion, of: session)
    case .launch(let session): launchTimedOut(of: session)
    case .relaunch(let session): restart(session)
    case .restart(let session): pauseEnded(of: session)
    case .exit(let connection): effects.commands.append(.readExit(connection))
    case .trash: emptyTrashOnTime()
    case .ping(let session): pingIfSilent(session)
    case .pressurePause: endPressurePause()
    }
  }

  /// Replaces the manifest.
  mutating func adopt(_ manifest: Manifest) {
    self.manifest = manifest
    scenes.needsReclaimCheck = true
    launches.forgetFailures()
    enforceForegroundPolicy()
    declareTopics()
    if manifest.applicationDelegate == .builtIn { resolvePendingSessions() }
    releaseRequests(declining: nil)
    restartAll()
    for scene in scenes.all.values { watchSilence(of: scene) }
    watchPressure()
  }

  // MARK: - Records

  /// Applies a record. Only this method changes the state that survives the broker.
  mutating func record(_ record: Record) {
    store.commit(record, byteCount: effects.records.append(record))
  }

  /// The state that survives the broker.
  package var stored: StoredState { store.state }

  /// The number of stored sessions.
  package var sessionCount: Int { store.sessions.count }

  /// Figures that the loop reads in every iteration. The method is mutating, so that the call does
  /// not copy the broker.
  package mutating func figures() -> BrokerFigures {
    BrokerFigures(
      sessionCount: sessionCount, byteCount: totalByteCount,
      awaitingMissingDelegate: awaitingMissingDelegate)
  }

  /// The number of the newest record in this broker's life.
  package var recordCount: UInt64 { store.recordCount }

  /// The room for records, including the records that wait for the disk.
  package var room: StorageCapacity { store.room }

  // MARK: - Messages

  mutating func reply(
    _ requester: Requester, _ reply: consuming some ReplyContent, about session: SessionIdentifier?
  ) {
    guard let request = requester.request else { return }
    send(.reply(request, BrokerReply(reply)), to: requester.connection, about: session)
  }

  mutating func reply(
    _ requester: Requester, _ reply: consuming some ReplyContent, aboutTopic topic: String
  ) {
    guard let request = requester.request else { return }
    send(.reply(request, BrokerReply(reply)), to: requester.connection, about: nil, topic: topic)
  }

  /// A reply about several sessions, or about an absent one.
  mutating func replyAboutAll(_ requester: Requester, _ reply: consuming some ReplyContent) {
    guard let request = requester.request else { return }
    post(.reply(request, BrokerReply(reply)), to: requester.connection, after: recordCount)
  }

  mutating func refuse(_ requester: Requester, _ error: BrokerError) {
    guard let request = requester.request else { return }
    if error.reason == .storageFull { effects.commands.append(.checkSpace) }
    let speaksOfSessions = error.speaksOfSessions || error.reason.speaksOfSessions
    post(
      .error(request, error), to: requester.connection, after: speaksOfSessions ? recordCount : 0)
  }

  /// Sends the replies that are due. `error` is for activations that have failed.
  mutating func send(
    _ replies: some Sequence<WaiterReply>, about identifier: SessionIdentifier,
    failure error: BrokerError? = nil
  ) {
    for due in replies {
      switch due.content {
      case .reply(let reply): self.reply(due.requester, reply.content, about: identifier)
      case .batch(let reply): replyAboutAll(due.requester, reply.content)
      case .failed: refuse(due.requester, error ?? .endedEarly(label(of: identifier)))
      }
    }
  }

  mutating func send(_ reply: WaiterReply?, about identifier: SessionIdentifier) {
    if let reply { send(CollectionOfOne(reply), about: identifier) }
  }

  mutating func send(
    _ message: consuming OutboundMessage, to connection: ConnectionIdentifier,
    about session: SessionIdentifier?, topic: String? = nil
  ) {
    post(message, to: connection, after: store.barrier(session, topic: topic))
  }

  /// A message about several sessions.
  mutating func sendAboutAll(
    _ message: consuming OutboundMessage, to connection: ConnectionIdentifier
  ) {
    post(message, to: connection, after: recordCount)
  }

  private mutating func post(
    _ message: consuming OutboundMessage, to connection: ConnectionIdentifier, after: UInt64
  ) {
    guard clients[connection] != nil else { return }
    effects.messages.append(Outbound(connection: connection, message: message, after: after))
  }

  /// The number of holds whose end still needs a record.
  package var holdCount: Int { scenes.all.count + clients.reservations.count }

  // MARK: - Lookup

  /// The state of the whole application, as clients know it.
  var phase: ApplicationPhase { changes.phase }

  /// Whether a connection has sent `initialize`.
  package func isInitialized(_ connection: ConnectionIdentifier) -> Bool {
    clients[connection]?.isInitialized == true
  }

  /// The kind of a callback, which the caller needs to read the reply. Nil if the reply no longer
  /// counts.
  package func kind(
    ofCallback callback: Int64, on connection: ConnectionIdentifier
  ) -> CallbackKind? {
    if delegate.connection == connection, let question = delegate.question,
      question.number == callback
    {
      return question.subject.kind
    }
    return clients[connection]?.outstandingCallbacks[callback]?.kind
  }
}

/// Figures of a broker at the end of an iteration.
package struct BrokerFigures {
  package let sessionCount: Int
  package let byteCount: Int
  /// The number of requests that wait for a delegate to connect.
  package let awaitingMissingDelegate: Int
}

/// Values that the broker only reports.
package struct RuntimeInfo: Equatable, Sendable {
  package var durability = "disk"
  /// The manifest's file, or `built-in`.
  package var manifestSource = "built-in"
  package var clock = ClockKind.real
  /// Whether a test may inject faults.
  package var allowsFaults = false
  /// The options that select this broker in a suggested command, each after a space.
  package var options = ""
  /// The broker before an upgrade; nil after another start.
  package var previous: PreviousBroker?

  package init() {}
}

/// The clock of an application.
package enum ClockKind: String, CaseIterable, Sendable {
  case real
  /// Only `broker/advanceClock` moves it.
  case virtual
}
