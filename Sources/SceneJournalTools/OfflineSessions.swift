package import SceneCommandLine
import SceneJSON
import SceneJournal
package import SceneModel
import ScenePlatform

/// The sessions in the journal of a state directory, without a broker.
package enum OfflineSessions {
  /// The sessions that their users did not close, and whose window no running process has.
  package static func wasOpen(in directory: String) throws(ProgramError) -> [StoredSession] {
    var content = OfflineState()
    _ = try Journal.read(directory, visitor: &content)
    return content.state.sessions.values.filter { session in
      guard session.isPresent, session.attributes.configuration.kind != .settings
      else { return false }
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

/// The state of a journal, as a broker has it after its start.
struct OfflineState: JournalContent {
  private(set) var state = StoredState()
  /// Reused for each record. A copy of the state is never used at the same time.
  private nonisolated(unsafe) let document = JSONDocument()

  mutating func visit(kind: UInt8, body: Span<UInt8>, at offset: Int) throws(MemberError) {
    try state.apply(Record(kind: kind, body: body, in: document))
  }

  var byteCount: Int { state.byteCount + state.eventByteCount }

  func appendNextRecords(upTo byteCount: Int, to records: inout JournalRecords) -> Bool {
    preconditionFailure("no step of a compaction runs")
  }

  var eventCount: Int { state.topics.values.reduce(0) { $0 + $1.events.count } }
}
