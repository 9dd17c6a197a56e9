package import SceneCommandLine
import SceneJSON
import SceneJournal
package import SceneModel
import ScenePlatform

/// The sessions in the journal of a state directory, without a broker.
package enum OfflineSessions {
  /// The sessions that their users did not close, and that no running process holds.
  package static func wasOpen(in directory: String) throws(ProgramError) -> [StoredSession] {
    var visitor = OfflineVisitor()
    _ = try Journal.read(directory, visitor: &visitor)
    return visitor.state.sessions.values.filter { session in
      guard let holder = session.hold.holder else { return session.hold.end?.isByUser == false }
      let process = Int32(exactly: holder.pid).flatMap(ProcessIdentity.of)
      return process?.startTime != holder.startTime
    }
  }
}

private struct OfflineVisitor: JournalVisitor {
  private(set) var state = StoredState()
  private let document = JSONDocument()

  mutating func visit(kind: UInt8, body: Span<UInt8>, at offset: Int) throws(MemberError) {
    try state.apply(Record(kind: kind, body: body, in: document))
  }
}
