package import SceneCommandLine
import SceneJSON
import SceneJournal
package import SceneModel
import ScenePlatform

/// The sessions in the journal of a state directory, without a broker.
package enum OfflineSessions {
  /// The sessions that their users did not close, and whose window no running process has.
  package static func wasOpen(in directory: String) throws(ProgramError) -> [StoredSession] {
    var visitor = OfflineVisitor()
    _ = try Journal.read(directory, visitor: &visitor)
    return visitor.state.sessions.values.filter { session in
      if let holder = session.hold.holder { return !isRunning(holder) }
      return session.hold.end?.isByUser == false
        && session.hold.previousHolder.map(isRunning) != true
    }
  }

  private static func isRunning(_ process: ClientProcess) -> Bool {
    guard let pid = Int32(exactly: process.pid) else { return false }
    return ProcessIdentity(pid: pid, startTime: process.startTime).isAlive
  }
}

private struct OfflineVisitor: JournalVisitor {
  private(set) var state = StoredState()
  private let document = JSONDocument()

  mutating func visit(kind: UInt8, body: Span<UInt8>, at offset: Int) throws(MemberError) {
    try state.apply(Record(kind: kind, body: body, in: document))
  }
}
