package import SceneModel

/// The rules of life, and nothing else: no clock, no randomness, no system call, no log.
///
/// There are three kinds of methods:
///
/// 1. `handle` is the only way in. It is called once for each thing that happened, in the order in
///    which things happened, with the time at which it is handled. It changes state and appends to
///    the effects.
/// 2. The effects are then carried out by the caller, once for each round; only messages may be
///    written before, though not sent. First the inquiries, each answered at once by another
///    `handle`, until there are none; then `roundEnded` is handled. What has gathered is done in the
///    order of its groups: records, story, messages, timers, programs, signals, advances, the
///    manifest, directories, faults, closes, and at last
///    `isStopping`. A connection that says no more and is owed no reply is closed to the rules behind
///    the messages, but what comes of it belongs to the next turn, which follows at once. None of the
///    effects may be dropped.
/// 3. Reads, such as `kind(ofCallback:on:)`, may be called at any time between two calls of
///    `handle`.
///
/// The same events always give the same effects. What must survive is in `stored`, which changes
/// only by applying the records that go into the effects, so what a journal replays to is what was
/// live.
package struct Broker: ~Copyable {
  package let identity: BrokerIdentity
  package let application: String
  package private(set) var manifest: Manifest
  package let limits: Limits
  package let environment: BrokerEnvironment

  /// All that survives the broker.
  package private(set) var stored: StoredState
  private(set) var unsynced = UnsyncedRecords()
  /// All sessions that are listed, in order; nil when that has to be found out anew.
  var listing: [SessionIdentifier]?

  var recency: Recency

  var peers: [ConnectionIdentifier: Peer] = [:]
  var scenes: [SessionIdentifier: LiveScene] = [:]
  /// Sessions that the application delegate is to decide on: their names are taken, and they end as
  /// sessions or leave nothing behind. In the order in which they began.
  var creations: [Creation] = []
  var delegate: Delegate?
  /// Whether one was launched in this broker's life.
  var hasLaunchedDelegate = false
  var departing = Departing()
  /// Sessions whose holder of before still runs, kept for it for a while after a start.
  var reserved: [SessionIdentifier: ClientProcess] = [:]
  /// The connection that last held a session, if it answered when the scene was disconnected. It
  /// may be gone since.
  var lastHolders: [SessionIdentifier: ConnectionIdentifier] = [:]
  /// Requests that wait for something to end before they can be decided.
  var waiting = WaitingRequests()
  var isWatchingHolders = false
  var topics = Topics()
  /// Sessions for which a process is being started. Those that are new come to be with it.
  var launches: [SessionIdentifier: Launch] = [:]
  var lastLaunch: UInt64 = 0
  var programs = LaunchedPrograms()
  /// Requests about several sessions, answered when the last of them is done.
  var groups = Groups()
  /// Who was sent to the foreground last has this number.
  var lastForegroundOrder: UInt64 = 0
  /// The scene that entered the background last has this number.
  var lastBackgroundOrder: UInt64 = 0
  var lastAssertion: Int64 = 0
  /// Whether something has changed among the scenes in the background, so that some may have to go.
  var mustLookAtBackground = false
  /// Who waits until all is quiet.
  var settlers: [Settler] = []
  /// Who waits for a virtual clock to go on, in the order in which they asked.
  var advancing: [Asker] = []
  /// Who waits for the manifest to be read again.
  var reloading: [Asker] = []
  /// The signals that the edge is to send, in the order in which it answers.
  var signalling: [PendingSignal] = []
  /// Who waits for the directory of a session.
  var awaitingDirectory: [SessionIdentifier: [Asker]] = [:]
  /// Who waits for the disk to be full, or no longer.
  var awaitingDisk: [DiskWish] = []
  var disk = DiskState()
  /// Bytes that wait in connections, which the edge counts.
  package var waitingByteCount = 0
  package internal(set) var isShuttingDown = false
  var census = Census()
  var phase: ApplicationPhase = .background
  var sessionObservers = Followers()
  var traceObservers = Followers()
  var story: Story
  /// Sessions to be told of when the round ends.
  var changed: [SessionIdentifier] = []
  var announced = AnnouncedChanges()

  var now: Instant
  var effects = Effects()

  package init(
    identity: BrokerIdentity, application: String, manifest: Manifest, limits: Limits,
    environment: BrokerEnvironment = BrokerEnvironment(), recovered stored: StoredState,
    at now: Instant
  ) {
    self.identity = identity
    self.application = application
    self.manifest = manifest
    self.limits = limits
    self.environment = environment
    self.stored = stored
    self.now = now
    recency = Recency(manifest)
    story = Story(capacity: limits.traceEntries, start: now)
  }

  /// Gives up memory of what has become much smaller.
  package mutating func returnUnusedMemory() {
    stored.returnUnusedCapacity()
    lastHolders.returnUnusedCapacity()
    peers.returnUnusedCapacity()
    scenes.returnUnusedCapacity()
    recency = Recency(manifest)
  }

  /// The only way in.
  package mutating func handle(_ event: BrokerEvent, at now: Instant, into effects: inout Effects) {
    self.now = now
    swap(&self.effects, &effects)
    take(event)
    startQueued()
    converse()
    announcePhase()
    swap(&self.effects, &effects)
  }

  private mutating func take(_ event: BrokerEvent) {
    switch event {
    case .started(let living, let fresh): start(living: living, fresh: fresh)
    case .opened(let connection, let process): peers[connection] = Peer(process: process)
    case .requested(let connection, let identifier, let request, let fresh):
      take(request, Asker(connection: connection, request: identifier), fresh: fresh)
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
      disk.take(state, problem)
      announceRoom()
      answerAboutDisk()
    case .synced(let number):
      unsynced.forget(upTo: number)
      changed += announced.takeOutdated(upTo: number)
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
    case .reclaim: mustLookAtBackground = true
    case .assertion(let session, let assertion): endAssertion(assertion, of: session)
    case .launch(let session): overrunLaunch(of: session)
    case .relaunch(let session): goOnLaunching(session)
    }
  }

  /// Lives by another manifest from now on.
  mutating func adopt(_ manifest: Manifest) {
    self.manifest = manifest
    recency = Recency(manifest)
    mustLookAtBackground = true
    enforceForegroundPolicy()
    declareTopics()
    if manifest.applicationDelegate == .builtIn { decideCreations() }
    releaseScenes(declining: nil)
  }

  // MARK: - Records

  /// The only way in which what survives changes.
  mutating func record(_ record: Record) {
    var isUse = false
    switch record {
    case .session(let attributes):
      if listing != nil, stored[attributes.identifier] == nil { listing = nil }
    case .discard: listing = nil
    // What is only noted about a hold is no use of its session.
    case .held(let tenure): isUse = tenure.order > stored.lastOrder
    case .activity, .topic, .event, .topicEnd, .discardReported, .delegateKnown: break
    }
    do throws(RecordError) {
      try stored.apply(record)
    } catch {
      preconditionFailure(error.problem)
    }
    unsynced.add(record)
    if isUse, case .session(let session) = record.subject { recency.note(session, in: stored) }
    effects.records.append(record)
  }

  /// How many records there have been in this broker's life: the number of the newest.
  package var recordCount: UInt64 { unsynced.count }

  // MARK: - Messages

  mutating func reply(
    _ asker: Asker, _ reply: consuming BrokerReply, about session: SessionIdentifier?
  ) {
    guard let request = asker.request else { return }
    send(.reply(request, reply), to: asker.connection, about: session)
  }

  mutating func reply(_ asker: Asker, _ reply: consuming BrokerReply, aboutTopic topic: String) {
    guard let request = asker.request else { return }
    send(.reply(request, reply), to: asker.connection, about: nil, topic: topic)
  }

  /// An answer that speaks of a set of sessions, or of one that is not there.
  mutating func replyAboutAll(_ asker: Asker, _ reply: consuming BrokerReply) {
    guard let request = asker.request else { return }
    post(.reply(request, reply), to: asker.connection, after: recordCount)
  }

  mutating func refuse(_ asker: Asker, _ error: BrokerError) {
    guard let request = asker.request else { return }
    let speaksOfSessions = error.speaksOfSessions || error.reason.speaksOfSessions
    post(
      .error(request, error), to: asker.connection, after: speaksOfSessions ? recordCount : 0)
  }

  mutating func send(
    _ message: consuming OutboundMessage, to connection: ConnectionIdentifier,
    about session: SessionIdentifier?, topic: String? = nil
  ) {
    var after = session.flatMap { unsynced.newest(of: $0) } ?? 0
    if let topic { after = max(after, unsynced.newest(ofTopic: topic) ?? 0) }
    post(message, to: connection, after: after)
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
    guard peers.index(forKey: connection) != nil else { return }
    effects.messages.append(Outbound(connection: connection, message: message, after: after))
  }

  /// How many holds will end sooner or later, each with a record.
  package var holdCount: Int { scenes.count + reserved.count }

  // MARK: - Sessions

  /// A session that is listed: stored, or discarded with its scene still on the way down.
  func session(_ identifier: SessionIdentifier) -> StoredSession? {
    stored[identifier] ?? departing[identifier]
  }

  func session(named name: String) -> SessionIdentifier? {
    stored.names[name] ?? departing.names[name]
  }

  /// The order of use, by which sessions are taken in turn. Identifiers decide between those that
  /// were never used.
  func inOrderOfUse(_ sessions: some Sequence<SessionIdentifier>) -> [SessionIdentifier] {
    sessions.map { (session($0)?.tenure.order ?? 0, $0) }.sorted { $0 < $1 }.map(\.1)
  }

  /// Whether a connection has said who it is.
  package func isInitialized(_ connection: ConnectionIdentifier) -> Bool {
    peers[connection]?.client != nil
  }

  /// What kind of callback a number stands for on a connection, so that its answer can be read; nil
  /// when it no longer counts.
  package func kind(
    ofCallback callback: Int64, on connection: ConnectionIdentifier
  ) -> CalledKind? {
    if let delegate, delegate.connection == connection, let running = delegate.running,
      running.number == callback
    {
      return .delegate(running.subject.kind)
    }
    return peers[connection]?.kind(of: callback).map(CalledKind.scene)
  }

  /// How long a client may take over a callback.
  package func budget(for kind: CalledKind) -> Interval {
    switch kind {
    case .scene(let kind): manifest.budgets.budget(for: kind)
    case .delegate(let kind): budget(for: kind)
    }
  }
}

/// Who asked: where the answer goes, and under which identifier, if there is to be one.
struct Asker: Equatable {
  let connection: ConnectionIdentifier
  let request: RequestIdentifier?

  /// For what is done though whoever asked is gone: no connection has this number.
  static let nobody = Asker(connection: ConnectionIdentifier(0), request: nil)
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

/// What the rules only pass on to whoever asks for the status.
package struct BrokerEnvironment: Equatable, Sendable {
  package var durability = "disk"
  /// The manifest's file, or `built-in`.
  package var manifestSource = "built-in"
  package var clock = ClockKind.real
  /// Whether a test may make it fail.
  package var allowsFaults = false

  package init() {}
}

/// By what an application's time goes.
package enum ClockKind: String, CaseIterable, Sendable {
  case real
  /// It stands still until `broker/advanceClock`.
  case virtual
}
