package import JSON
package import SceneModel
import SceneWire

/// What a word that names a session led to.
package enum SessionSearch: Equatable, Sendable {
  case found(FoundSession)
  case nothing
  /// The word is the beginning of several identifiers.
  case ambiguous([SessionIdentifier])
}

/// A session as it was when it was looked for.
package struct FoundSession: Equatable, Sendable {
  package var details: SessionDetails
  /// The details, byte for byte.
  package var json: RawJSON

  package var identifier: SessionIdentifier { details.summary.session }

  package init(json: RawJSON) throws(ControlError) {
    details = try ControlConnection.read(SessionDetails.self, from: json)
    self.json = json
  }
}

extension ControlConnection {
  /// Looks for each word's session: by exactly that name, else by identifier, else by an
  /// unambiguous beginning of one.
  package func find(
    _ words: [String], until deadline: Int64? = nil
  ) throws(ControlError) -> [SessionSearch] {
    let requests = words.map { post(SessionShow(name: $0)) }
    var searches: [SessionSearch] = []
    for (word, request) in zip(words, requests) {
      if let found = try shown(request, until: deadline) {
        searches.append(.found(found))
      } else {
        searches.append(try findByIdentifier(word, until: deadline))
      }
    }
    return searches
  }

  /// The session, if there is one.
  package func find(
    _ identifier: SessionIdentifier, until deadline: Int64? = nil
  ) throws(ControlError) -> FoundSession? {
    try shown(post(SessionShow(session: identifier)), until: deadline)
  }

  /// The session of exactly this name, if there is one.
  package func find(
    named name: String, until deadline: Int64? = nil
  ) throws(ControlError) -> FoundSession? {
    try shown(post(SessionShow(name: name)), until: deadline)
  }

  private func findByIdentifier(
    _ word: String, until deadline: Int64?
  ) throws(ControlError) -> SessionSearch {
    if let identifier = SessionIdentifier(word) {
      return try find(identifier, until: deadline).map { .found($0) } ?? .nothing
    }
    let matching = try identifiers(beginningWith: word, until: deadline)
    guard let only = matching.first, matching.count == 1 else {
      return matching.isEmpty ? .nothing : .ambiguous(matching)
    }
    return try find(only, until: deadline).map { .found($0) } ?? .nothing
  }

  /// The sessions whose identifiers begin so; nobody is asked about a word that cannot be the
  /// beginning of one.
  package func identifiers(
    beginningWith word: String, until deadline: Int64? = nil
  ) throws(ControlError) -> [SessionIdentifier] {
    guard let prefix = IdentifierPrefix(word) else { return [] }
    return try sessions(until: deadline).map(\.session).filter(prefix.matches)
  }

  private func shown(
    _ request: Int64, until deadline: Int64?
  ) throws(ControlError) -> FoundSession? {
    do throws(ControlError) {
      return try FoundSession(json: try result(of: request, until: deadline))
    } catch .refused(let refusal) where refusal.is(.sessionNotFound) {
      return nil
    }
  }

  // MARK: - All of them

  /// All sessions, in the order of their identifiers.
  package func sessions(until deadline: Int64? = nil) throws(ControlError) -> [SessionSummary] {
    var sessions: [SessionSummary] = []
    try forEachPage(of: SessionList(), until: deadline) { page, _ in sessions += page.sessions }
    return sessions
  }
}
