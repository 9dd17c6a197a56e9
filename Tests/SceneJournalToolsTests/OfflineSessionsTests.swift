import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneJournalTools

@Suite("Open sessions without a broker")
struct OfflineSessionsTests {
  private func hold(_ number: Int, _ change: (inout Hold) -> Void) -> Record {
    var hold = Hold(session: identifier(number))
    change(&hold)
    return .held(hold)
  }

  private func process(_ identity: ProcessIdentity?) throws -> ClientProcess {
    let identity = try #require(identity)
    return ClientProcess(pid: Int64(identity.pid), startTime: identity.startTime)
  }

  @Test("a session was open if no process has its window and its user did not close it")
  func wasOpen() throws {
    let own = try process(.current)
    let child = try ChildProcess.spawn("sleep", ["1000"])
    let dead = try process(ProcessIdentity.of(child.pid))
    try child.send(.kill)
    // The process has ended, and its parent has not reaped it.
    try child.awaitEnd()
    defer { _ = child.reapIfEnded() }
    let directory = try StateDirectory(
      (1...5).map { session($0) } + [
        hold(1) { $0.holder = own },
        hold(2) { $0.holder = dead },
        hold(3) { ($0.end, $0.previousHolder) = (DisconnectOutcome(reason: .reclaimed), own) },
        hold(4) { $0.end = DisconnectOutcome(reason: .clientRequest) },
        hold(5) { $0.end = DisconnectOutcome(reason: .reclaimed) },
      ])
    let open = try OfflineSessions.wasOpen(in: directory.path)
    #expect(open.map(\.attributes.identifier).sorted() == [identifier(2), identifier(5)])
  }
}
