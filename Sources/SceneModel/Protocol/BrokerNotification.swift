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
  case delegate(DelegateNotification)

  package var method: StaticString {
    switch self {
    case .sessionChanged, .sessionDiscarded: "session/changed"
    case .phaseChanged: "application/phaseChanged"
    case .memoryWarning: "application/didReceiveMemoryWarning"
    case .significantTimeChange: "application/significantTimeChange"
    case .activated: "scene/activated"
    case .posted: "event/posted"
    case .trace: "trace/entry"
    case .delegate(let notification): notification.method
    }
  }

  package static let methods: [StaticString] =
    [
      "session/changed", "application/phaseChanged", "application/didReceiveMemoryWarning",
      "application/significantTimeChange", "scene/activated", "event/posted", "trace/entry",
    ] + DelegateNotification.methods

  package func writeParams(to writer: inout JSONWriter) {
    switch self {
    case .sessionChanged(let summary): summary.write(to: &writer)
    case .sessionDiscarded(let session): SessionGone(session: session).write(to: &writer)
    case .phaseChanged(let phase): PhaseChange(phase: phase).write(to: &writer)
    case .memoryWarning, .significantTimeChange: Empty().write(to: &writer)
    case .activated(let session): SceneReference(session: session).write(to: &writer)
    case .posted(let event): event.write(to: &writer)
    case .trace(let entry): entry.write(to: &writer)
    case .delegate(let notification): notification.writeParams(to: &writer)
    }
  }

  /// Nil for an unknown notification.
  package init?(method: JSONValue, params: JSONValue) throws(MemberError) {
    if method.equals("session/changed") {
      if let gone = params["discarded"], gone.bool == true {
        self = .sessionDiscarded(try SessionGone(reading: params).session)
      } else {
        self = .sessionChanged(try SessionSummary(reading: params))
      }
    } else if method.equals("application/phaseChanged") {
      self = .phaseChanged(try PhaseChange(reading: params).phase)
    } else if method.equals("application/didReceiveMemoryWarning") {
      self = .memoryWarning
    } else if method.equals("application/significantTimeChange") {
      self = .significantTimeChange
    } else if method.equals("scene/activated") {
      self = .activated(try SceneReference(reading: params).session)
    } else if method.equals("event/posted") {
      self = .posted(try EventPosted(reading: params))
    } else if method.equals("trace/entry") {
      self = .trace(try TraceEntry(reading: params))
    } else if let notification = try DelegateNotification(method: method, params: params) {
      self = .delegate(notification)
    } else {
      return nil
    }
  }
}

private struct SessionGone: JSONStructure {
  var session: SessionIdentifier = .none
  var discarded = true

  init() {}

  init(session: SessionIdentifier) { self.session = session }

  mutating func visitMembers<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws(Visitor
    .Failure)
  {
    try visitor.required("session", &session)
    try visitor.required("discarded", &discarded)
  }
}

private struct PhaseChange: JSONStructure {
  var phase: ApplicationPhase = .background

  init() {}

  init(phase: ApplicationPhase) { self.phase = phase }

  mutating func visitMembers<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws(Visitor
    .Failure)
  {
    try visitor.required("phase", &phase)
  }
}
