package import SceneJSON

/// A durable fact with the complete new value, so a record can be applied twice.
package enum Record: Equatable, Sendable {
  case session(SessionAttributes)
  case activity(Generation)
  case held(Hold)
  case discard(Discard)
  case topic(TopicAttributes)
  case event(TopicEvent)
  case topicEnd(TopicEnd)
  case discardReported(DiscardReported)
  /// An application delegate has connected. From then on discards wait for one.
  case delegateKnown
}

/// The subject of a record.
package enum RecordSubject: Hashable, Sendable {
  case session(SessionIdentifier)
  case topic(String)
  /// The knowledge of the application delegate.
  case delegate
}

/// The discard of a session.
package struct Discard: Equatable, Sendable {
  /// The most discards of one request.
  package static let mostOfOneRequest = 4096
  /// The most older reports that one discard can drop.
  package static let mostDropsOfOne = 2

  package var session: SessionIdentifier
  /// The report to the application delegate, which is stored until the delegate confirms it.
  package var report: ReportIdentifier?
  /// Whether another report of the same request follows.
  package var more = false
  /// The end of the session's time in the trash, in milliseconds since 1970; nil if the session is
  /// gone. The report then follows at that end.
  package var until: Int64?

  package init(
    session: SessionIdentifier, report: ReportIdentifier? = nil, more: Bool = false,
    until: Int64? = nil
  ) {
    self.session = session
    self.report = report
    self.more = more
    self.until = until
  }
}

/// The application delegate has confirmed a report.
package struct DiscardReported: Equatable, Sendable {
  package var report: ReportIdentifier

  package init(report: ReportIdentifier) { self.report = report }
}

extension Discard: JSONStructure {
  package init() { self.init(session: .none) }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
    try visitor.optional("report", &report)
    try visitor.optional("more", &more, otherwise: false)
    try visitor.optional("until", &until)
  }
}

extension DiscardReported: JSONStructure {
  package init() { self.init(report: ReportIdentifier(request: .none, part: 1)) }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("report", &report)
  }
}

/// The number of a record's kind in the journal. A number is never used again.
package enum RecordKind: UInt8, CaseIterable, Sendable {
  case session = 1
  case activity = 2
  case held = 3
  case discard = 4
  case discardReported = 5
  case topic = 6
  case event = 7
  case topicEnd = 8
  case delegateKnown = 9

  package var name: String { "\(self)" }
}

extension Record {
  /// The length and the kind before each record: `RecordReader.headerByteCount` of the journal.
  static let headerByteCount = 5

  package var kind: RecordKind { row.kind }

  /// The subject of the record.
  package var subject: RecordSubject { row.subject }

  private var row: (kind: RecordKind, subject: RecordSubject) {
    switch self {
    case .session(let attributes): (.session, .session(attributes.identifier))
    case .activity(let generation): (.activity, .session(generation.session))
    case .held(let hold): (.held, .session(hold.session))
    case .discard(let discard): (.discard, .session(discard.session))
    case .topic(let attributes): (.topic, .topic(attributes.name))
    case .event(let event): (.event, .topic(event.topic))
    case .topicEnd(let end): (.topicEnd, .topic(end.name))
    case .discardReported: (.discardReported, .delegate)
    case .delegateKnown: (.delegateKnown, .delegate)
    }
  }

  package func writeBody(to writer: inout JSONWriter) {
    switch self {
    case .session(let attributes): attributes.write(to: &writer)
    case .activity(let generation): generation.write(to: &writer)
    case .held(let hold): hold.write(to: &writer)
    case .discard(let discard): discard.write(to: &writer)
    case .topic(let attributes): attributes.write(to: &writer)
    case .event(let event): event.write(to: &writer)
    case .topicEnd(let end): end.write(to: &writer)
    case .discardReported(let report): report.write(to: &writer)
    case .delegateKnown: Empty().write(to: &writer)
    }
  }

  package init(kind: RecordKind, body: JSONValue) throws(MemberError) {
    switch kind {
    case .session: self = .session(try SessionAttributes(reading: body))
    case .activity: self = .activity(try Generation(reading: body))
    case .held: self = .held(try Hold(reading: body))
    case .discard: self = .discard(try Discard(reading: body))
    case .topic: self = .topic(try TopicAttributes(reading: body))
    case .event: self = .event(try TopicEvent(reading: body))
    case .topicEnd: self = .topicEnd(try TopicEnd(reading: body))
    case .discardReported: self = .discardReported(try DiscardReported(reading: body))
    case .delegateKnown:
      _ = try Empty(reading: body)
      self = .delegateKnown
    }
  }
}

extension Record {
  /// Reads a record of a journal, with a document that the caller reuses.
  package init(
    kind: UInt8, body: Span<UInt8>, in document: JSONDocument
  ) throws(MemberError) {
    guard let known = RecordKind(rawValue: kind) else {
      throw MemberError(problem: "unknown record kind \(kind)")
    }
    do throws(MemberError) {
      try document.parse(body)
      self = try Record(kind: known, body: document.root)
    } catch {
      throw MemberError(
        problem: "invalid record of kind \(known.name): \(error)")
    }
  }
}
