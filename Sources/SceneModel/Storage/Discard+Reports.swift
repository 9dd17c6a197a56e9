extension Discard {
  /// The records for sessions that one request discards. The broker reports those that are present:
  /// the others continue at their host.
  package static func all(
    _ sessions: [StoredSession], request: SessionIdentifier, limits: Limits
  ) -> [Discard] {
    sessions.filter { !$0.isPresent }.map { Discard(session: $0.attributes.identifier) }
      + reported(sessions.filter(\.isPresent), request: request, limits: limits)
  }

  /// The records for sessions that one request discards and that the broker must report. Each part
  /// fits a frame.
  package static func reported(
    _ sessions: [StoredSession], request: SessionIdentifier, limits: Limits
  ) -> [Discard] {
    var parts: [[SessionIdentifier]] = [[]]
    var room = limits.frameBytes - Limits.frameOverhead
    for session in sessions {
      let byteCount = SceneSessionRecord(session).jsonByteCount + 1
      if byteCount > room, parts.last?.isEmpty == false {
        parts.append([])
        room = limits.frameBytes - Limits.frameOverhead
      }
      room -= byteCount
      parts[parts.count - 1].append(session.attributes.identifier)
    }
    return parts.enumerated().flatMap { index, part in
      let report = ReportIdentifier(request: request, part: index + 1)
      return part.map {
        Discard(session: $0, report: report, more: index + 1 < parts.count)
      }
    }
  }
}
