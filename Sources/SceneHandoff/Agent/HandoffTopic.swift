package import SceneModel

/// The topics on which people ask the agent, and the agent answers.
package enum HandoffTopic {
  /// Only an agent observes this topic, so an observer means that an agent runs.
  package static let requests = SessionAway.agentTopic
  package static let replies = "org.scenebroker.handoff.replies"
  /// The sessions in one event.
  package static let pageSize = 100
}

/// The payload of a request.
package struct HandoffQuestion: JSONStructure, Equatable, Sendable {
  package var id = ""
  package var command = ""
  package var session: SessionIdentifier?
  package var seen: Int64?
  package var forced = false
  package var host: String?

  package init() {}

  package init(id: String, _ command: HandoffCommand) {
    self.id = id
    switch command {
    case .list: self.command = "list"
    case .take(let session, let seen, let forced):
      self.command = "take"
      (self.session, self.seen, self.forced) = (session, seen, forced)
    case .copy(let session): (self.command, self.session) = ("copy", session)
    case .keep(let session, let host):
      self.command = "keep"
      (self.session, self.host) = (session, host)
    }
  }

  /// Nil for a command that this version does not know.
  package var handoffCommand: HandoffCommand? {
    switch (command, session, host) {
    case ("list", _, _): .list
    case ("take", let session?, _): .take(session, seen: seen, forced: forced)
    case ("copy", let session?, _): .copy(session)
    case ("keep", let session?, let host?): .keep(session, host: host)
    default: nil
    }
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("id", &id)
    try visitor.required("command", &command)
    try visitor.optional("session", &session)
    try visitor.optional("seen", &seen)
    try visitor.optional("forced", &forced, otherwise: false)
    try visitor.optional("host", &host)
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

  /// The events of an answer.
  package static func events(id: String, _ answer: HandoffAnswer) -> [HandoffReply] {
    var reply = HandoffReply()
    reply.id = id
    switch answer {
    case .done: return [reply]
    case .copied(let session):
      reply.session = session
      return [reply]
    case .refused(let why):
      reply.refused = why
      return [reply]
    case .status(let status):
      var replies: [HandoffReply] = []
      var rest = status.sessions[...]
      repeat {
        reply.status = status
        reply.status?.sessions = Array(rest.prefix(HandoffTopic.pageSize))
        rest = rest.dropFirst(HandoffTopic.pageSize)
        reply.more = !rest.isEmpty
        replies.append(reply)
      } while !rest.isEmpty
      return replies
    }
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("id", &id)
    try visitor.optional("refused", &refused)
    try visitor.optional("session", &session)
    try visitor.optional("status", &status)
    try visitor.optional("more", &more, otherwise: false)
  }
}
