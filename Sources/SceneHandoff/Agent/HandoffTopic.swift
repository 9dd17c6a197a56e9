package import SceneModel

/// The topics on which people ask the agent, and the agent answers.
package enum HandoffTopic {
  /// Only an agent observes this topic, so an observer means that an agent runs.
  package static let requests = SessionAway.agentTopic
  package static let replies = "org.scenebroker.handoff.replies"
}

/// The payload of a request.
package struct HandoffQuestion: JSONStructure, Equatable, Sendable {
  package enum Command: String, CaseIterable, JSONCodable, Sendable {
    case list, take, copy, keep
  }

  package var id = ""
  package var command = Command.list
  package var session = SessionIdentifier.none
  /// The fence that the person of a take saw.
  package var seen: Int64?
  package var isForced = false
  /// The host whose content becomes current.
  package var host = ""

  package init() {}

  package init(_ command: Command, _ session: SessionIdentifier) {
    self.command = command
    self.session = session
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("id", &id)
    try visitor.required("command", &command)
    try visitor.optional("session", &session, otherwise: .none)
    try visitor.optional("seen", &seen)
    try visitor.optional("forced", &isForced, otherwise: false)
    try visitor.optional("host", &host, otherwise: "")
  }
}

/// The payload of an answer.
package struct HandoffReply: JSONStructure, Equatable, Sendable {
  package var id = ""
  /// Why the command failed.
  package var refused: String?
  /// The new session of a copy.
  package var session: SessionIdentifier?
  package var status: HandoffStatus?
  /// Whether another event with more sessions follows.
  package var more = false

  package init() {}

  /// The events of the answer, with at most 100 sessions each.
  package var pages: [HandoffReply] {
    var first = self
    first.status?.sessions = Array(status?.sessions.prefix(100) ?? [])
    guard let rest = status?.sessions.dropFirst(100), !rest.isEmpty else { return [first] }
    first.more = true
    var next = self
    next.status?.sessions = Array(rest)
    return [first] + next.pages
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("id", &id)
    try visitor.optional("refused", &refused)
    try visitor.optional("session", &session)
    try visitor.optional("status", &status)
    try visitor.optional("more", &more, otherwise: false)
  }
}
