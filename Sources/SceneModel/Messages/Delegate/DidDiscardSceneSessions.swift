package import SceneJSON

/// Reports discarded sessions to the application delegate. The broker repeats the report, with the
/// same identifier, until the delegate answers.
package struct DidDiscardSceneSessions: CallbackMessage {
  package var report = ReportIdentifier(request: .none, part: 1)
  package var sceneSessions: [SceneSessionRecord] = []
  /// Whether another report of the same request follows.
  package var more = false

  package init() {}

  package init(report: ReportIdentifier, sceneSessions: [SceneSessionRecord], more: Bool) {
    self.report = report
    self.sceneSessions = sceneSessions
    self.more = more
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("report", &report)
    try visitor.required("sceneSessions", &sceneSessions)
    try visitor.optional("more", &more, otherwise: false)
  }
}

/// The identifier of a report of discards: the request, and the part of its sessions. Clients treat
/// it as an opaque string.
package struct ReportIdentifier: Hashable, Sendable {
  package let request: SessionIdentifier
  /// Counts from 1.
  package let part: Int

  package init(request: SessionIdentifier, part: Int) {
    self.request = request
    self.part = part
  }
}

extension ReportIdentifier: LosslessStringConvertible {
  package init?(_ text: String) {
    let words = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard words.count == 2, let request = SessionIdentifier(String(words[0])),
      let part = Int(words[1]), part > 0
    else { return nil }
    self.init(request: request, part: part)
  }

  package var description: String { "\(request).\(part)" }
}

extension ReportIdentifier: JSONCodable {
  package static var expectation: String { "a report's identifier" }

  package init(reading value: JSONValue) throws(MemberError) {
    guard let identifier = Self(try String(reading: value)) else {
      throw .expected(Self.self, found: value)
    }
    self = identifier
  }

  package func write(to writer: inout JSONWriter) { writer.string(description) }
}
