/// An entry of the trace: an event, and its reason.
package struct TraceEntry: JSONStructure, Equatable, Sendable {
  /// Counts from 1 in the life of one broker.
  package var number: Int64 = 0
  /// Milliseconds since 1970.
  package var time: Int64 = 0
  /// Microseconds of the monotonic clock since the broker started.
  package var elapsed: Int64 = 0
  package var event: TraceEvent
  package var session: SessionIdentifier?
  package var name: String?
  package var client: ClientReference?
  package var callback: String?
  package var reason: String?
  package var state: ActivationState?
  package var generation: Int64?
  /// The hold that a `willConnect` hands over, unique for the session.
  package var hold: Int64?
  /// The requester; for a save only if it is another client than the scene's.
  package var by: ClientReference?
  /// Why the broker withholds the generation from the scene.
  package var withheld: WithholdingReason?
  /// The first connection options of a connected scene, or the content of a callback.
  package var options: [TracedOption] = []
  /// The number of options without room.
  package var moreOptions: Int64 = 0
  package var topic: String?
  /// The kind of a topic's event.
  package var kind: String?
  /// The position after the event, or the start of an observation.
  package var position: EventPosition?
  /// The number of observers that got the event, if the entry is about several.
  package var observers: Int64?
  /// More information for people.
  package var detail: String?

  /// The most bytes of a detail, which can quote a client.
  package static let detailBytes = 200

  /// The most connection options of an entry.
  package static let optionCount = 16

  package init(_ event: TraceEvent) { self.event = event }

  /// Whether the entry belongs to the causes of a session's state, or delivers content.
  package var explains: Bool { event.explains || !options.isEmpty }

  package init() { self.init(.callback) }

  /// Stores the first options, and the number of the others.
  package mutating func show(_ options: ConnectionOptions) {
    self.options = options.traced(atMost: Self.optionCount)
    moreOptions = Int64(options.count - self.options.count)
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
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
    try visitor.optional("observers", &observers)
    try visitor.optional("by", &by)
    try visitor.optional("detail", &detail)
  }
}

/// The kind of a trace entry.
package struct TraceEvent: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// A client was initialized.
  package static let joined = TraceEvent(rawValue: "joined")
  /// A client's connection ended.
  package static let left = TraceEvent(rawValue: "left")
  package static let created = TraceEvent(rawValue: "created")
  /// A session was discarded; with the reason `trash`, it can return for the time in the detail.
  package static let discarded = TraceEvent(rawValue: "discarded")
  /// A session left the trash and is present again.
  package static let undiscarded = TraceEvent(rawValue: "undiscarded")
  package static let connected = TraceEvent(rawValue: "connected")
  package static let disconnected = TraceEvent(rawValue: "disconnected")
  /// A scene has a new target state, or an active scene was activated again.
  package static let aimed = TraceEvent(rawValue: "aimed")
  package static let callback = TraceEvent(rawValue: "callback")
  package static let acknowledged = TraceEvent(rawValue: "acknowledged")
  /// The answer to a callback was an error.
  package static let failed = TraceEvent(rawValue: "failed")
  /// A callback exceeded its budget.
  package static let overran = TraceEvent(rawValue: "overran")
  package static let saved = TraceEvent(rawValue: "saved")
  /// A client posted an event to a topic.
  package static let posted = TraceEvent(rawValue: "posted")
  /// The broker sent an event to its observers; reason `gap` if they lost events before it.
  package static let delivered = TraceEvent(rawValue: "delivered")
  /// A client observes a topic from a position; reason `gap` if that is not the requested one.
  package static let observed = TraceEvent(rawValue: "observed")
  /// A client ended an observation.
  package static let ceased = TraceEvent(rawValue: "ceased")
  /// The broker started a program for a session.
  package static let launched = TraceEvent(rawValue: "launched")
  /// A started program ended, as the detail states.
  package static let exited = TraceEvent(rawValue: "exited")
  /// No started program connected to the session. The broker starts no more for the time being.
  package static let launchFailed = TraceEvent(rawValue: "launchFailed")
  /// The space on the disk changed; the reason states for which records it suffices.
  package static let storage = TraceEvent(rawValue: "storage")
  /// The broker sent a signal to the scene's process for a client; the reason is the signal.
  package static let signalled = TraceEvent(rawValue: "signalled")
  /// The session is away: a control released it to another host, as the detail states.
  package static let released = TraceEvent(rawValue: "released")
  /// A control adopted the session of another host, as the detail states.
  package static let adopted = TraceEvent(rawValue: "adopted")
  /// A client reported a problem of a scene, as the detail states.
  package static let reported = TraceEvent(rawValue: "reported")
  /// An upgrade started this broker. The reason is `failed` if the program before it goes on, as
  /// the detail states.
  package static let upgraded = TraceEvent(rawValue: "upgraded")
  /// A scene did not answer a ping in the time that the detail states.
  package static let unresponsive = TraceEvent(rawValue: "unresponsive")
  /// The client of an unresponsive scene has sent something.
  package static let responded = TraceEvent(rawValue: "responded")
  /// Memory is short: every client got the memory warning.
  package static let warned = TraceEvent(rawValue: "warned")
  /// Memory is short: the broker ends a launched program without a scene.
  package static let terminated = TraceEvent(rawValue: "terminated")
  /// Memory is short: the broker reclaims the scene.
  package static let reclaimed = TraceEvent(rawValue: "reclaimed")

  package var explains: Bool {
    // The most frequent events come first.
    self != .saved && self != .callback && self != .acknowledged && self != .joined
      && self != .left && self != .storage && self != .posted && self != .delivered
      && self != .observed && self != .ceased
  }
}

/// A connection option of a scene in the trace: its subject, never its `userInfo`.
package struct TracedOption: JSONStructure, Equatable, Sendable {
  package var kind = TracedOptionKind.url
  /// A URL, the type of an activity or of a shortcut, the action of a notification, or the name of
  /// an application.
  package var value: String?

  package init() {}

  package init(_ kind: TracedOptionKind, _ value: String?) {
    self.kind = kind
    self.value = value?.clipped(to: TraceEntry.detailBytes)
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("kind", &kind)
    try visitor.optional("value", &value)
  }
}

/// The kind of a connection option.
package struct TracedOptionKind: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let url = TracedOptionKind(rawValue: "url")
  package static let userActivity = TracedOptionKind(rawValue: "userActivity")
  package static let handoff = TracedOptionKind(rawValue: "handoffUserActivityType")
  package static let notification = TracedOptionKind(rawValue: "notificationResponse")
  package static let shortcut = TracedOptionKind(rawValue: "shortcutItem")
  package static let sourceApplication = TracedOptionKind(rawValue: "sourceApplication")
}

extension ConnectionOptions {
  /// The first options in the order of the members.
  package func traced(atMost count: Int) -> [TracedOption] {
    let urls = urlContexts.prefix(count).map { TracedOption(.url, $0.url) }
    let activities = userActivities.prefix(count).map { TracedOption(.userActivity, $0.type) }
    let single: [TracedOption?] = [
      handoffUserActivityType.map { TracedOption(.handoff, $0) },
      notificationResponse.map {
        TracedOption(.notification, $0.actionIdentifier ?? $0.targetContentIdentifier)
      },
      shortcutItem.map { TracedOption(.shortcut, $0.type) },
      sourceApplication.map { TracedOption(.sourceApplication, $0) },
    ]
    return Array((urls + activities + single.compactMap { $0 }).prefix(count))
  }

  /// The number of options.
  package var count: Int {
    let single = [
      handoffUserActivityType != nil, notificationResponse != nil, shortcutItem != nil,
      sourceApplication != nil,
    ]
    return urlContexts.count + userActivities.count + single.count { $0 }
  }
}
