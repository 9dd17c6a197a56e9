package import SceneJSON
package import SceneModel
import SceneWire

/// The result of `session/resolve` for a word.
package enum SessionResolution: Equatable, Sendable {
  case found(FoundSession)
  case nothing
  /// The word is the prefix of several identifiers.
  case ambiguous(SessionResolve.Reply)
}

/// A session as the broker showed it.
package struct FoundSession: Equatable, Sendable {
  package var details: SessionDetails
  /// The details, byte for byte.
  package var json: RawJSON
  /// Another session whose identifier begins with the word.
  package var other: SessionIdentifier?

  package var identifier: SessionIdentifier { details.summary.session }

  package init(json: RawJSON) throws(ControlError) {
    details = try ControlConnection.read(SessionDetails.self, from: json)
    self.json = json
  }
}

extension ControlConnection {
  /// Resolves each word to a session.
  package func find(
    _ words: [String], until deadline: Int64? = nil
  ) throws(ControlError) -> [SessionResolution] {
    let requests = words.map { post(SessionResolve(word: $0)) }
    var resolutions: [SessionResolution] = []
    for request in requests {
      let json = try existing(request, until: deadline)
      resolutions.append(try json.map(Self.resolution) ?? .nothing)
    }
    return resolutions
  }

  private static func resolution(_ json: RawJSON) throws(ControlError) -> SessionResolution {
    let reply = try read(SessionResolve.Reply.self, from: json)
    let document = try document(json)
    guard let details = document.root["details"] else { return .ambiguous(reply) }
    var session = try FoundSession(json: details.raw)
    session.other = reply.matches.first
    return .found(session)
  }

  /// The session, if it exists.
  package func find(
    _ identifier: SessionIdentifier, until deadline: Int64? = nil
  ) throws(ControlError) -> FoundSession? {
    try shown(post(SessionShow(session: identifier)), until: deadline)
  }

  /// The session with exactly this name, if it exists.
  package func find(
    named name: String, until deadline: Int64? = nil
  ) throws(ControlError) -> FoundSession? {
    try shown(post(SessionShow(name: name)), until: deadline)
  }

  private func shown(
    _ request: Int64, until deadline: Int64?
  ) throws(ControlError) -> FoundSession? {
    guard let json = try existing(request, until: deadline) else { return nil }
    return try FoundSession(json: json)
  }

  /// The result; nil if the session does not exist.
  private func existing(
    _ request: Int64, until deadline: Int64?
  ) throws(ControlError) -> RawJSON? {
    do throws(ControlError) {
      return try result(of: request, until: deadline)
    } catch .refused(let refusal) where refusal.is(.sessionNotFound) {
      return nil
    }
  }

  /// All sessions, in the order of their identifiers.
  package func sessions(until deadline: Int64? = nil) throws(ControlError) -> [SessionSummary] {
    var sessions: [SessionSummary] = []
    try forEachPage(of: SessionList(), until: deadline) { page, _ in sessions += page.sessions }
    return sessions
  }
}
