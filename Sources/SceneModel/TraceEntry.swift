/// Something that happened, and why: one line of the application's story.
package struct TraceEntry: JSONStructure, Equatable, Sendable {
  /// Counts up from 1 in one broker's life.
  package var number: Int64 = 0
  /// Milliseconds since 1970.
  package var time: Int64 = 0
  /// Microseconds of the monotonic clock since the broker started.
  package var elapsed: Int64 = 0
  package var event: TraceEvent = .callback
  package var session: SessionIdentifier?
  package var name: String?
  package var client: ClientReference?
  package var callback: String?
  package var reason: String?
  package var state: ActivationState?
  package var generation: Int64?
  /// Of a willConnect the number that it hands over, which no other of the session has.
  package var hold: Int64?
  /// Why what was saved as that generation is kept from the scene that is connected.
  package var withheld: WithholdingReason?
  package var topic: String?
  /// Of a connected scene its connection options, the first of them.
  package var options: [TracedOption] = []
  /// How many more options there are.
  package var moreOptions: Int64 = 0
  /// Which of the topic's events it is.
  package var kind: String?
  /// Where an observer is who has the event, or where an observation begins.
  package var position: EventPosition?
  /// Who wanted it; of a save only if it was not the scene's own.
  package var by: ClientReference?
  /// What else a person would want to read.
  package var detail: String?

  package init() {}

  package init(_ event: TraceEvent) { self.event = event }

  /// How much of a detail is kept: it may be what a client sent.
  package static let detailBytes = 200

  /// How many connection options an entry shows.
  package static let optionCount = 16

  /// Shows the first of these options, and counts the others.
  package mutating func show(_ options: ConnectionOptions) {
    self.options = options.traced(atMost: Self.optionCount)
    moreOptions = Int64(options.count - self.options.count)
  }

  /// The detail with who wanted it, for a person to read.
  package var wholeDetail: String? {
    guard let by else { return detail }
    let words = "by \(by.name) \(by.pid)"
    return detail.map { "\($0) (\(words))" } ?? words
  }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("number", &number)
    try visitor.required("time", &time)
    try visitor.required("elapsed", &elapsed)
    try visitor.required("event", &event)
    try visitor.optional("session", &session)
    try visitor.optional("name", &name)
    try visitor.optional("client", &client)
    try visitor.optional("callback", &callback)
    try visitor.optional("reason", &reason)
    try visitor.optional("state", &state)
    try visitor.optional("generation", &generation)
    try visitor.optional("hold", &hold)
    try visitor.optional("withheld", &withheld)
    try visitor.optional("options", &options, otherwise: [])
    try visitor.optional("moreOptions", &moreOptions, otherwise: 0)
    try visitor.optional("topic", &topic)
    try visitor.optional("kind", &kind)
    try visitor.optional("position", &position)
    try visitor.optional("by", &by)
    try visitor.optional("detail", &detail)
  }
}

/// What kind of thing happened.
package struct TraceEvent: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// A client said who it is.
  package static let joined = TraceEvent(rawValue: "joined")
  /// A client's connection ended.
  package static let left = TraceEvent(rawValue: "left")
  package static let created = TraceEvent(rawValue: "created")
  package static let discarded = TraceEvent(rawValue: "discarded")
  package static let connected = TraceEvent(rawValue: "connected")
  package static let disconnected = TraceEvent(rawValue: "disconnected")
  /// Somebody wants the scene elsewhere on the line, or has activated one that is there already.
  package static let aimed = TraceEvent(rawValue: "aimed")
  package static let callback = TraceEvent(rawValue: "callback")
  package static let acknowledged = TraceEvent(rawValue: "acknowledged")
  /// A callback's answer was an error.
  package static let failed = TraceEvent(rawValue: "failed")
  /// A callback was not answered within its budget.
  package static let overran = TraceEvent(rawValue: "overran")
  package static let saved = TraceEvent(rawValue: "saved")
  /// A client posted an event to a topic.
  package static let posted = TraceEvent(rawValue: "posted")
  /// An observer is sent an event; with the reason `gap` if some before it are lost to it.
  package static let delivered = TraceEvent(rawValue: "delivered")
  /// A client observes a topic from a position on; with the reason `gap` if that is not where it
  /// wanted to begin.
  package static let observed = TraceEvent(rawValue: "observed")
  /// It observes it no longer.
  package static let ceased = TraceEvent(rawValue: "ceased")
  /// A program was started for a session that wants a client.
  package static let launched = TraceEvent(rawValue: "launched")
  /// A program that the broker had started has ended, as the detail says.
  package static let exited = TraceEvent(rawValue: "exited")
  /// No program that was started has taken the session: it is not tried any more, for the time being.
  package static let launchFailed = TraceEvent(rawValue: "launchFailed")
  /// The disk has room for more, or for less, than before; the reason says for what.
  package static let storage = TraceEvent(rawValue: "storage")
  /// The broker sent the scene's process a signal, which is the reason, for a client.
  package static let signalled = TraceEvent(rawValue: "signalled")

  /// Whether it belongs to the chain of reasons that explains where a session is.
  package var explains: Bool {
    // What is most frequent comes first.
    self != .saved && self != .callback && self != .acknowledged && self != .joined
      && self != .left && self != .storage && self != .posted && self != .delivered
      && self != .observed && self != .ceased
  }
}
