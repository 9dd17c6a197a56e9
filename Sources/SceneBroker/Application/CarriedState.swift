package import SceneModel

/// The state that an upgrade carries beside the journal: topics in memory, the newest entries of
/// the trace, and the launched programs.
package struct CarriedState: JSONStructure, Sendable {
  package struct CarriedTopic: JSONStructure, Sendable {
    var attributes = TopicAttributes(name: "", origin: "", after: 0, keep: 1, keepBytes: 0)
    var events: [TopicEvent] = []

    package init() {}

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.required("attributes", &attributes)
      try visitor.required("events", &events)
    }
  }

  /// A scene that a launched program held when its connection closed.
  struct CarriedHold: JSONStructure, Sendable {
    var session = SessionIdentifier.none
    var number: Int64 = 0

    mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.required("session", &session)
      try visitor.required("number", &number)
    }
  }

  /// A program that the broker has launched.
  package struct CarriedLaunch: JSONStructure, Sendable {
    var number: Int64 = 0
    package var pid: Int64 = 0
    package var token = ""
    var startTime: Int64 = 0
    var session = SessionIdentifier.none
    var role = Role.windowApplication
    var configuration = ""
    var name = ""
    /// By the monotonic clock.
    var start: Int64 = 0
    /// Nil in the state of an older program, and without a scene.
    var held: [CarriedHold]?

    package init() {}

    package var identifier: LaunchIdentifier { LaunchIdentifier(number: UInt64(number)) }

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.required("number", &number)
      try visitor.required("pid", &pid)
      try visitor.required("token", &token)
      try visitor.required("startTime", &startTime)
      try visitor.required("session", &session)
      try visitor.required("role", &role)
      try visitor.required("configuration", &configuration)
      try visitor.required("name", &name)
      try visitor.required("start", &start)
      try visitor.optional("held", &held)
    }
  }

  /// The crashes of a session in a row.
  package struct CarriedRestart: JSONStructure, Sendable {
    var session = SessionIdentifier.none
    var count: Int64 = 0
    var target = ActivationState.unattached
    /// The launch of the crashed process.
    var launch: Int64 = 0
    /// The end of the pause, in milliseconds since 1970; nil if no pause runs.
    var next: Int64?
    /// Whether a scene runs after the last restart. Else, without `next`, there is no restart.
    var isStarted = false

    package init() {}

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.required("session", &session)
      try visitor.required("count", &count)
      try visitor.required("target", &target)
      try visitor.required("launch", &launch)
      try visitor.optional("next", &next)
      try visitor.optional("isStarted", &isStarted, otherwise: false)
    }
  }

  var topics: [CarriedTopic] = []
  var trace: [TraceEntry] = []
  /// The start of the first broker, from which the trace counts.
  var monotonic: Int64 = 0
  var wall: Int64 = 0
  package var launches: [CarriedLaunch] = []
  /// Nil in the state of an older program.
  var restarts: [CarriedRestart]?

  static let traceCount: Int64 = 1000
  static let traceBytes = 4 << 20
  /// For the events of all topics. The oldest events of large topics are dropped, with a gap.
  static let topicBytes = 16 << 20

  package init() {}

  /// The number of the newest entry of the trace.
  package var lastEntry: Int64 { trace.last?.number ?? 0 }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("topics", &topics)
    try visitor.required("trace", &trace)
    try visitor.required("monotonic", &monotonic)
    try visitor.required("wall", &wall)
    try visitor.required("launches", &launches)
    try visitor.optional("restarts", &restarts)
  }
}

extension Broker {
  package var carriedState: CarriedState {
    var state = CarriedState()
    let share = CarriedState.topicBytes / max(1, topics.transient.count)
    state.topics = topics.inOrderOfUse.map { CarriedState.CarriedTopic($0, byteLimit: share) }
    state.trace = traceBuffer.entries(
      after: traceBuffer.lastNumber - CarriedState.traceCount, byteCount: CarriedState.traceBytes)
    (state.monotonic, state.wall) = (traceBuffer.start.monotonic, traceBuffer.start.wall)
    state.launches = launches.processesThatRun.sorted { $0.key.number < $1.key.number }
      .compactMap { CarriedState.CarriedLaunch($0, $1) }
    state.restarts = launches.restarts.carried { store[$0]?.hold.holder != nil }
    return state
  }

  /// Takes over the state of the program that this one replaces, before the start.
  package mutating func restore(_ state: CarriedState) {
    resumptionQueue.begin()
    for carried in state.topics {
      var topic = Topic(carried.attributes)
      for event in carried.events { topic.append(event) }
      topics.keep(topic)
    }
    traceBuffer.restore(
      state.trace, start: Instant(monotonic: state.monotonic, wall: state.wall))
    for launch in state.launches { launches.restore(launch.entry, as: launch.identifier) }
    launches.restarts.restore(state.restarts ?? [])
  }

  /// A launched program is connected again after an upgrade.
  mutating func reconnectLaunch(on connection: ConnectionIdentifier) {
    guard launches.awaitsReconnection, let client = clients[connection] else { return }
    client.launch = launches.reconnected(client.process, on: connection)
  }
}

extension CarriedState.CarriedTopic {
  fileprivate init(_ topic: Topic, byteLimit: Int) {
    attributes = topic.attributes
    var room = byteLimit
    let newest = topic.events.reversed().prefix { event in
      room -= event.byteCount
      return room >= 0
    }
    events = newest.reversed()
    attributes.after = topic.last - Int64(events.count)
  }
}

extension CarriedState.CarriedLaunch {
  /// Nil before the start of the process.
  fileprivate init?(_ launch: LaunchIdentifier, _ entry: ProcessEntry) {
    guard let process = entry.process, let token = entry.token else { return nil }
    number = Int64(launch.number)
    (pid, startTime) = (process.pid, Int64(process.startTime))
    self.token = token
    session = entry.session
    (role, configuration) = (entry.kind.role, entry.kind.configuration)
    name = entry.name
    start = entry.start
    if !entry.heldAtClose.isEmpty {
      held = entry.heldAtClose.map { CarriedState.CarriedHold(session: $0, number: $1) }
    }
  }

  fileprivate var entry: ProcessEntry {
    var entry = ProcessEntry(
      session: session, kind: LaunchKind(role: role, configuration: configuration), name: name,
      start: start)
    entry.process = ClientProcess(pid: pid, startTime: UInt64(startTime))
    entry.token = token
    entry.isStarting = false
    entry.heldAtClose = held?.map { ($0.session, $0.number) } ?? []
    return entry
  }
}
