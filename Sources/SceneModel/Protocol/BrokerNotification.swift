package import SceneJSON

/// A notification of the broker.
package enum BrokerNotification: Equatable, Sendable {
  case sessionChanged(SessionSummary)
  case sessionDiscarded(SessionIdentifier)
  case phaseChanged(ApplicationPhase)
  case memoryWarning
  case significantTimeChange
  /// A control activated a session of this client.
  case activated(SessionIdentifier)
  case posted(EventPosted)
  case trace(TraceEntry)
  // Only for the application delegate
  case sceneConnected(SceneConnected)
  case sceneDisconnected(SceneDisconnected)
  case sceneExited(SceneExited)
  case overran(DelegateOverrun)

  /// The name on the wire, and the parameters.
  package var message: (method: StaticString, params: any JSONStructure) {
    switch self {
    case .sessionChanged(let summary): ("session/changed", summary)
    case .sessionDiscarded(let session): ("session/changed", SessionGone(session: session))
    case .phaseChanged(let phase): ("application/phaseChanged", PhaseChange(phase: phase))
    case .memoryWarning: ("application/didReceiveMemoryWarning", Empty())
    case .significantTimeChange: ("application/significantTimeChange", Empty())
    case .activated(let session): ("scene/activated", SceneReference(session: session))
    case .posted(let event): ("event/posted", event)
    case .trace(let entry): ("trace/entry", entry)
    case .sceneConnected(let message): ("scene/connected", message)
    case .sceneDisconnected(let message): ("scene/disconnected", message)
    case .sceneExited(let message): ("scene/exited", message)
    case .overran(let message): ("application/overran", message)
    }
  }

  package var method: StaticString { message.method }

  private static let rows = [
    Row("session/changed") { (params) throws(MemberError) in
      guard params["discarded"]?.bool == true else {
        return .sessionChanged(try SessionSummary(reading: params))
      }
      return .sessionDiscarded(try SessionGone(reading: params).session)
    },
    Row("application/phaseChanged") { (change: PhaseChange) in .phaseChanged(change.phase) },
    Row("application/didReceiveMemoryWarning") { (_: JSONValue) in .memoryWarning },
    Row("application/significantTimeChange") { (_: JSONValue) in .significantTimeChange },
    Row("scene/activated") { (scene: SceneReference) in .activated(scene.session) },
    Row("event/posted", BrokerNotification.posted),
    Row("trace/entry", BrokerNotification.trace),
    Row("scene/connected", BrokerNotification.sceneConnected),
    Row("scene/disconnected", BrokerNotification.sceneDisconnected),
    Row("scene/exited", BrokerNotification.sceneExited),
    Row("application/overran", BrokerNotification.overran),
  ]

  package static let methods = rows.map(\.method)

  /// Nil for an unknown notification.
  package init?(method: JSONValue, params: JSONValue) throws(MemberError) {
    guard let row = Self.rows.first(where: { method.equals($0.method) }) else { return nil }
    self = try row.read(params)
  }
}

private struct Row: Sendable {
  let method: StaticString
  let read: @Sendable (JSONValue) throws(MemberError) -> BrokerNotification

  init(
    _ method: StaticString,
    read: @escaping @Sendable (JSONValue) throws(MemberError) -> BrokerNotification
  ) {
    self.method = method
    self.read = read
  }

  init<Message: JSONStructure & SendableMetatype>(
    _ method: StaticString, _ notification: @escaping @Sendable (Message) -> BrokerNotification
  ) {
    self.init(method) { (params) throws(MemberError) in notification(try Message(reading: params)) }
  }
}

private struct SessionGone: JSONStructure {
  var session: SessionIdentifier = .none
  var discarded = true

  init() {}

  init(session: SessionIdentifier) { self.session = session }

  mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
    try visitor.required("discarded", &discarded)
  }
}

private struct PhaseChange: JSONStructure {
  var phase: ApplicationPhase = .background

  init() {}

  init(phase: ApplicationPhase) { self.phase = phase }

  mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("phase", &phase)
  }
}
