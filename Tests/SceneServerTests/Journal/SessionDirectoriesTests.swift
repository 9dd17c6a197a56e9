import SceneBroker
import SceneModel
import Testing

@testable import SceneServer

@Suite("Data directories of sessions")
struct SessionDirectoriesTests {
  private final class Keeper: DataDirectoryKeeper {
    private(set) var removed: [SessionIdentifier] = []

    func make(_ session: SessionIdentifier) -> DataDirectoryOutcome { .path("data/\(session)") }
    func remove(_ session: SessionIdentifier) { removed.append(session) }
  }

  private let sessions = (1...3).map { SessionIdentifier(random: $0, 1) }

  @Test("a directory is removed once, when the discard is durable")
  func order() {
    let keeper = Keeper()
    var directories = SessionDirectories(keeper)
    for (session, record) in zip(sessions, [UInt64(2), 4, 4]) {
      directories.remove(session, after: record)
    }
    for (durable, count) in [(UInt64(1), 0), (3, 1), (4, 3), (9, 3)] {
      directories.removeReady(durable: durable)
      #expect(keeper.removed == Array(sessions.prefix(count)))
    }
  }

  @Test("a broker without data directories makes none")
  func none() {
    #expect(SessionDirectories(Keeper()).make(sessions[0]) == .path("data/\(sessions[0])"))
    var directories = SessionDirectories(nil)
    directories.remove(sessions[0], after: 1)
    directories.removeReady(durable: 1)
    guard case .refused(.requestDenied, _) = directories.make(sessions[0]) else {
      Issue.record("a directory was made")
      return
    }
  }
}
