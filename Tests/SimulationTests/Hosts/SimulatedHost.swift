import SceneBroker
import SceneCommands
import SceneHandoff
import SceneJSON
import SceneModel
import Testing

/// A broker value and its durable state, with one control and one client for scenes.
final class SimulatedHost {
  let name: String
  private let seed: UInt64
  private var broker: Broker
  private var stored = StoredState()
  private var control = ConnectionIdentifier(1)
  private var client = ConnectionIdentifier(2)
  private var lastRequest: Int64 = 0
  private var reply: (any Sendable)?
  private var error: BrokerError?
  /// The callbacks without an answer.
  private var callbacks: [(ConnectionIdentifier, Int64, CallbackAnswer)] = []
  private var changes: [AgentEvent] = []
  var time = Instant(monotonic: 1, wall: 1_700_000_000_000)
  /// Counts the brokers.
  private(set) var life = 0
  /// The files of the data directories.
  private var files: [SessionIdentifier: [MovedFile]] = [:]
  /// The numbers of all saves that this host has had.
  private var numbers: [SessionIdentifier: Set<Int>] = [:]
  /// The last generations, which never decrease.
  private var generations: [SessionIdentifier: Int64] = [:]

  /// The number of records of the next request that the disk gets before the broker is killed.
  var recordLimit: Int?
  /// The request of the agent, counted down, at which the broker is killed with these records.
  var kill: (request: Int, recordCount: Int)?
  /// The number of times that a client connects between the end of a scene and the release.
  var connectCount = 0
  /// Whether the broker adopts no session.
  var refusesAdoptions = false
  /// The requests that the agent sends before it is killed.
  private var requestLimit: Int?

  init(_ name: String, seed: UInt64 = 1) {
    self.name = name
    self.seed = seed
    broker = Self.broker(StoredState(), seed, at: time)
    connect()
  }

  private static func broker(_ stored: StoredState, _ seed: UInt64, at time: Instant) -> Broker {
    var limits = Limits()
    limits.activityBytes = 4 << 20
    return Broker(
      identity: BrokerIdentity(), application: "test", manifest: .builtIn, limits: limits,
      identifiers: IdentifierGenerator(seed: seed), recovered: stored, at: time)
  }

  private func connect() {
    give(.started(living: [], booted: nil))
    for (connection, kind, pid) in [
      (control, ClientKind.control, 7), (client, .scene, 8),
    ] as [(ConnectionIdentifier, ClientKind, Int64)] {
      give(.opened(connection, ClientProcess(pid: pid, startTime: 7)))
      _ = try? ask(
        Initialize(client: ClientName(name: "scene", version: "1"), as: kind), connection)
    }
  }

  /// Kills the broker and its clients, and starts the next one with the records on the disk.
  func kill(losingState: Bool = false) {
    if losingState { (stored, files, numbers, generations) = (StoredState(), [:], [:], [:]) }
    (life, callbacks, changes) = (life + 1, [], [])
    control = ConnectionIdentifier(control.number + 2)
    client = ConnectionIdentifier(client.number + 2)
    broker = Self.broker(stored, seed, at: time)
    connect()
  }

  // MARK: - Requests

  @discardableResult
  func ask<Message: RequestMessage>(_ message: Message) throws(MoveRefusal) -> Message.Reply {
    try ask(message, control)
  }

  private func ask<Message: RequestMessage>(
    _ message: Message, _ connection: ConnectionIdentifier
  ) throws(MoveRefusal) -> Message.Reply {
    lastRequest += 1
    let (method, params) = (JSONDocument(), JSONDocument())
    var writer = JSONWriter()
    message.write(to: &writer)
    (reply, error) = (nil, nil)
    do {
      try method.read("\"\(Message.method)\"".utf8)
      try params.read(writer.bytes)
    } catch {
      throw MoveRefusal("\(error)")
    }
    let identifier = RequestIdentifier.number(lastRequest)
    handle { [time] in
      $0.handle(method.root, params.root, identifier, from: connection, at: time, into: &$1)
    }
    guard let content = reply as? Message.Reply else {
      throw MoveRefusal(error?.message ?? "no reply")
    }
    return content
  }

  private func give(_ event: BrokerEvent) {
    handle { [time] in $0.handle(event, at: time, into: &$1) }
  }

  private func handle(_ body: (inout Broker, inout Effects) -> Void) {
    var effects = Effects()
    body(&broker, &effects)
    broker.handle(.synced(broker.recordCount), at: time, into: &effects)
    broker.handle(.inputTaken, at: time, into: &effects)
    let document = JSONDocument()
    let limit = recordLimit.take()
    var count = 0
    effects.records.forEach { kind, body in
      count += 1
      guard count <= limit ?? .max else { return }
      do {
        try stored.apply(Record(kind: kind.rawValue, body: body, in: document))
      } catch {
        Issue.record(error)
      }
    }
    if count > 0 { noteNumbers() }
    if limit != nil { return kill() }
    for sent in effects.messages { receive(sent.message, on: sent.connection) }
    for query in effects.livenessQueries { give(.livenessQueried(query.identifier, ending: [])) }
    while !callbacks.isEmpty {
      let (connection, number, answer) = callbacks.removeFirst()
      give(.answered(connection, callback: number, answer))
    }
    #expect(broker.checkInvariants().isEmpty)
  }

  private func receive(_ message: OutboundMessage, on connection: ConnectionIdentifier) {
    switch message {
    case .reply(.number(lastRequest), let reply): self.reply = reply.content
    case .error(.number(lastRequest), let error): self.error = error
    case .reply, .error: break
    case .callback(let number, let callback, _):
      let isQuestion = callback.kind == .stateRestorationActivity
      callbacks.append((connection, number, isQuestion ? .activity(.absent) : .done))
    case .notification(.sessionChanged(let summary)):
      changes.append(.sessionChanged(summary.session))
    case .notification(.sessionDiscarded(let session)):
      changes.append(.sessionChanged(session))
    case .notification: break
    }
  }

  /// Begins to tell the agent of changes.
  func observe() {
    _ = try? ask(SessionObserve())
    changes = []
  }

  func takeChanges() -> [AgentEvent] {
    defer { changes = [] }
    return changes
  }

  // MARK: - Sessions

  var sessions: [SessionIdentifier] { stored.sessions.keys.sorted() }

  func stored(_ id: SessionIdentifier) -> StoredSession? { stored.sessions[id] }

  func away(_ id: SessionIdentifier) -> SessionAway? { stored(id)?.attributes.away }

  /// The only session; nil without one.
  var session: SessionDetails? { sessions.first.flatMap(details) }

  func details(of id: SessionIdentifier) -> SessionDetails? {
    try? ask(SessionShow(session: id))
  }

  func create(_ id: SessionIdentifier) {
    var record = SceneSessionRecord()
    (record.persistentIdentifier, record.name) = (id, id.short)
    _ = try? ask(
      SessionAdopt(sceneSession: record, generation: 0, fence: 1, from: "origin", maker: "vim"))
  }

  /// Connects the session to the client.
  func connect(_ id: SessionIdentifier) { _ = try? ask(SceneConnect(session: id), client) }

  /// The scene saves; without a scene, the control.
  func save(_ id: SessionIdentifier, _ numbers: [Int], isEligible: Bool = true) {
    let hasScene = details(of: id)?.summary.state != .unattached
    let message = SaveActivity(session: id, activity: Self.activity(numbers, isEligible))
    _ = try? ask(message, hasScene ? client : control)
    files[id] = numbers.map { MovedFile(name: "\($0)", content: [1]) }
  }

  /// Releases a session by hand, and adopts it at another host.
  func move(_ id: SessionIdentifier, to other: SimulatedHost) {
    let fence = (stored(id)?.fence ?? 0) + 1
    guard let details = try? ask(SessionRelease(session: id, fence: fence, to: other.name)) else {
      return
    }
    _ = try? other.ask(
      SessionAdopt(
        sceneSession: details.sceneSession, generation: details.summary.generation, fence: fence,
        from: name))
  }

  func raiseFence(of id: SessionIdentifier, to fence: Int64) {
    guard let details = try? ask(SessionRelease(session: id, fence: fence, to: "other")) else {
      return
    }
    _ = try? ask(
      SessionAdopt(
        sceneSession: details.sceneSession, generation: details.summary.generation, fence: fence,
        from: "other"))
  }

  // MARK: - Contents

  private static func activity(_ numbers: [Int], _ isEligible: Bool) -> Activity {
    let list = numbers.map(String.init).joined(separator: ",")
    let member = isEligible ? "" : "\"isEligibleForHandoff\":false,"
    let text = "{\"activityType\":\"list\",\(member)\"userInfo\":{\"saves\":[\(list)]}}"
    return Activity(unchecked: RawJSON(unchecked: ContiguousArray(text.utf8)))
  }

  private static func numbers(in activity: Activity?) -> [Int] {
    guard let activity, let document = JSONDocument(reading: activity.json.bytes) else { return [] }
    return withExtendedLifetime(document) {
      document.root["userInfo"]?["saves"]?.elements.compactMap { $0.integer.map(Int.init) } ?? []
    }
  }

  func saves(of id: SessionIdentifier) -> [Int]? {
    stored(id).map { Self.numbers(in: $0.activity) }
  }

  static func saves(in content: StoredContent) -> [Int] {
    numbers(in: record(in: content)?.stateRestorationActivity)
  }

  func history(of id: SessionIdentifier) -> Set<Int> { numbers[id] ?? [] }

  func fileNumbers(of id: SessionIdentifier) -> [Int]? {
    stored(id).map { _ in files[id]?.compactMap { Int($0.name) } ?? [] }
  }

  private func noteNumbers() {
    generations = generations.filter { stored($0.key) != nil }
    for (id, session) in stored.sessions {
      if let last = generations[id], last == session.generation { continue }
      #expect(session.generation >= generations[id] ?? 0, "\(name): \(id)")
      generations[id] = session.generation
      numbers[id, default: []].formUnion(Self.numbers(in: session.activity))
    }
  }

  static func record(in content: StoredContent) -> SceneSessionRecord? {
    guard let document = JSONDocument(reading: content.sceneSession.json.bytes) else { return nil }
    return withExtendedLifetime(document) { try? SceneSessionRecord(reading: document.root) }
  }

  // MARK: - The agent

  var contents: [SessionContent] { sessions.compactMap { try? content(of: $0) } }

  /// Performs a request of the agent with the messages of `scenehandoff`. Returns nil if the broker
  /// was killed, or the agent after this number of messages.
  func perform(_ request: HostRequest, messages limit: Int?) -> HostReply? {
    let life = life
    requestLimit = limit
    defer { (requestLimit, kill, connectCount) = (nil, nil, 0) }
    do throws(MoveRefusal) {
      return .session(try performed(request))
    } catch {
      return life == self.life ? .refused(error.message) : nil
    }
  }

  private func performed(_ request: HostRequest) throws(MoveRefusal) -> SessionContent? {
    switch request {
    case .show(let id, let withFiles): return try content(of: id, withFiles: withFiles)
    case .release(let id, let fence, let host):
      try release(id, fence, host)
      return try content(of: id, withFiles: true)
    case .confirm(let id, let fence, let host):
      try post(SessionRelease(session: id, fence: fence, to: host, confirmed: true))
      return try content(of: id)
    case .adopt(let id, let content, let directory, let fence, let host):
      if refusesAdoptions { throw MoveRefusal("storage is full") }
      guard var record = Self.record(in: content) else { throw MoveRefusal("unreadable") }
      record.persistentIdentifier = id
      var adoption = SessionAdopt(
        sceneSession: record, generation: content.generation, fence: fence, from: host,
        maker: content.maker)
      if let moved = directory?.files {
        adoption.arriving = true
        guard try post(adoption).adopted else { return try self.content(of: id) }
        files[id] = moved
        adoption.arriving = false
      }
      try post(adoption)
      return try self.content(of: id)
    case .save(let id, let contents):
      for content in contents {
        let activity = Self.record(in: content)?.stateRestorationActivity
        try post(SaveActivity(session: id, activity: activity))
      }
      return try content(of: id)
    case .discard(let id):
      try post(RequestDestruction(sessions: [id]))
      files[id] = nil
      return try content(of: id)
    }
  }

  private func release(
    _ id: SessionIdentifier, _ fence: Int64, _ host: String
  ) throws(MoveRefusal) {
    for attempt in 1...3 {
      _ = try? post(
        SceneTransition(session: id, to: .unattached, cause: .handedOff, host: host))
      if connectCount > 0 {
        connectCount -= 1
        connect(id)
      }
      do throws(MoveRefusal) {
        try post(SessionRelease(session: id, fence: fence, to: host))
        return
      } catch {
        guard self.error?.reason == .sessionInUse, attempt < 3 else { throw error }
      }
    }
  }

  @discardableResult
  private func post<Message: RequestMessage>(
    _ message: Message
  ) throws(MoveRefusal) -> Message.Reply {
    if let left = requestLimit {
      guard left > 0 else { throw MoveRefusal("the agent was killed") }
      requestLimit = left - 1
    }
    if let kill {
      if kill.request == 0 { recordLimit = kill.recordCount }
      self.kill?.request -= 1
    }
    return try ask(message)
  }

  /// The session as the agent gets it; nil if it does not exist.
  private func content(
    of id: SessionIdentifier, withFiles: Bool = false
  ) throws(MoveRefusal) -> SessionContent? {
    let details: SessionDetails
    do throws(MoveRefusal) {
      details = try ask(SessionShow(session: id))
    } catch {
      if self.error?.reason == .sessionNotFound { return nil }
      throw error
    }
    var entry = SessionEntry()
    entry.generation = details.summary.generation
    var writer = JSONWriter()
    details.sceneSession.write(to: &writer)
    return SessionContent(
      entry, of: id, lastUsed: details.summary.lastUsed,
      isEligible: details.sceneSession.stateRestorationActivity?.isEligibleForHandoff ?? true,
      away: details.summary.away, fence: details.summary.fence ?? 0,
      files: withFiles ? DirectoryContent(files[id] ?? []) : nil, maker: details.maker,
      record: RawJSON(unchecked: writer.bytes))
  }
}
