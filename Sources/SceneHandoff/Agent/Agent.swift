import SceneJSON
package import SceneModel

/// The rules of handoff through an engine: a state machine from events to actions, without a clock
/// and without input or output.
///
/// Each session has at most one request at a time. After each event, ``decide(_:)`` compares the
/// broker's session with the engine's owner, and starts the next step. So a lost reply, a lost
/// connection and a killed agent need no other rules than a start.
package struct Agent {
  enum Link: Equatable {
    /// Opens a link at this time.
    case waiting(until: Int64)
    case opening, granting, presenting, reading, serving
  }

  package struct Settings: Equatable, Sendable {
    package var host: String
    package var user: String
    package var application: String
    /// The time of the presence in seconds.
    package var leaseSeconds: Int64

    package init(host: String, user: String, application: String, leaseSeconds: Int64 = 30) {
      self.host = host
      self.user = user
      self.application = application
      self.leaseSeconds = leaseSeconds
    }
  }

  package let settings: Settings
  let number: Int64
  package var view: AgentView
  var link: Link
  var lease: Int64 = 0
  /// The last problem of the engine, and the time at which the link was lost.
  var problem: (text: String, since: Int64)?
  var isFull = false
  var hasWarnedOfSize = false
  var renewTime: Int64 = .max
  /// The time at which the watch is overdue with a change that a reply has told.
  var watchTime: Int64 = .max
  /// The view under which the engine refused a change last.
  var refusedRevision: Int64 = 0
  var presenceRevision: Int64 = 0
  var isBrokerOpen = false
  var sessions: [SessionIdentifier: AgentSession] = [:]
  package internal(set) var memories: [SessionIdentifier: SessionMemory] = [:]
  /// The steps that await the reply with this number.
  var engineSteps: [UInt64: EngineStep] = [:]
  var brokerSteps: [UInt64: BrokerStep] = [:]
  var linkRequest: UInt64 = 0
  var lastNumber: UInt64 = 0
  var random: SplitMix
  var now: Int64
  var actions: [AgentAction] = []
  var isStoreNeeded = false
  var hasWarnedOfLoss = false
  /// The time of the least recently used session that is published, for one event.
  var publishedSince: Int64?

  /// Nanoseconds of one second.
  static let second: Int64 = 1_000_000_000
  static let sessionLimit = 1000
  /// The engine reports each change within this time.
  private static let watchTimeout = 5 * second

  /// The reply to a change differs from the view, so the watch must report a change.
  mutating func awaitWatch() {
    watchTime = min(watchTime, now + Self.watchTimeout)
  }
  /// etcd's limit of a request is 1.5 MiB.
  package static let contentByteLimit = 1_500_000
  static let databaseWarning: Int64 = 500_000_000

  package init(_ settings: Settings, state: AgentState, seed: UInt64, at now: Int64) {
    self.settings = settings
    number = state.number
    for memory in state.sessions { memories[memory.session] = memory }
    view = AgentView(prefix: "/scene/\(settings.user)/\(settings.application)/")
    link = .waiting(until: now)
    random = SplitMix(seed: seed)
    self.now = now
  }

  /// Handles an event. Perform the actions in order.
  package mutating func handle(_ event: AgentEvent, at time: Int64) -> [AgentAction] {
    (now, publishedSince) = (time, nil)
    switch event {
    case .opened(let size): linkOpened(databaseSize: size)
    case .closed(let error): linkClosed(error)
    case .engineReply(let number, let reply): handle(reply, to: number)
    case .changed(let changes): apply(changes)
    case .brokerOpened(let contents): brokerOpened(contents)
    case .brokerClosed: brokerClosed()
    case .brokerReply(let number, let reply): handle(reply, to: number)
    case .sessionChanged(let session):
      sessions[session, default: AgentSession()].isStale = true
      decide(session)
    case .command(let question): handle(question)
    case .time: break
    }
    passTime()
    if isStoreNeeded { store() }
    defer { actions = [] }
    return actions
  }

  /// The time of the next `time` event; nil without one.
  package var deadline: Int64? {
    var times = [renewTime, watchTime]
    if case .waiting(let time) = link { times.append(time) }
    for session in sessions.values {
      if let wish = session.wish { times.append(wish.deadline) }
      if isServing, !session.isBusy {
        times += [session.publishTime, session.retryTime].filter { $0 > 0 }
      }
    }
    let first = times.min() ?? .max
    return first == .max ? nil : first
  }

  /// Whether the engine accepts requests.
  package var isConnected: Bool { link == .serving }

  var isServing: Bool { link == .serving && isBrokerOpen }

  func key(_ key: HandoffKey) -> String { key.text(below: view.prefix) }

  func put(
    _ key: HandoffKey, _ value: some JSONStructure, lease: Int64 = 0
  ) -> EngineTransaction.Change {
    .put(self.key(key), value.json.bytes, lease: lease)
  }

  func delete(_ key: HandoffKey) -> EngineTransaction.Change { .delete(self.key(key)) }

  mutating func nonce() -> String {
    "\(settings.host)-\(String(random.next(), radix: 16))"
  }

  mutating func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  /// Writes the memories before the later actions.
  mutating func store() {
    var state = AgentState(number: number, host: settings.host)
    state.sessions = memories.values.sorted { $0.session < $1.session }
    actions.append(.store(state))
    isStoreNeeded = false
  }

  private mutating func passTime() {
    if case .waiting(let time) = link, time <= now {
      link = .opening
      actions.append(.open)
    }
    if renewTime <= now, link == .serving {
      renewTime = now + settings.leaseSeconds * Self.second / 3
      ask(.renewLease(lease))
    }
    if watchTime <= now { restartLink(.unavailable("the watch of etcd reports no changes")) }
    for session in sessions.keys.sorted() {
      guard let state = sessions[session] else { continue }
      if let wish = state.wish, wish.deadline <= now { expire(session) }
      let isPublicationDue = 1...max(1, now) ~= state.publishTime
      let isRetryDue = 1...max(1, now) ~= state.retryTime
      if isPublicationDue { sessions[session]?.publishTime = 0 }
      if isRetryDue { sessions[session]?.retryTime = 0 }
      if isPublicationDue || isRetryDue { decide(session) }
    }
  }

  /// Decides for every session.
  mutating func decideAll() {
    for session in Set(sessions.keys).union(view.owners.keys).sorted() { decide(session) }
  }
}
