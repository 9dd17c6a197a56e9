import SceneBroker
import SceneModel
import Testing

@testable import SceneServer

@Suite("Data directories of sessions")
struct SessionDirectoriesTests {
  private final class Keeper: DataDirectoryKeeper {
    private(set) var removed: [SessionIdentifier] = []
    private(set) var marked: [SessionIdentifier] = []

    func make(_ session: SessionIdentifier) -> DataDirectoryOutcome { .path("data/\(session)") }
    func takeFound() -> [SessionIdentifier] { [] }
    func mark(_ session: SessionIdentifier) { marked.append(session) }
    func remove(_ sessions: [SessionIdentifier]) { removed += sessions }
  }

  private let sessions = (1...3).map { SessionIdentifier(random: $0, 1) }

  @Test("the event loop removes no directory before the record of the discard is on disk")
  func barrier() throws {
    let keeper = Keeper()
    let fixture = EventLoopFixture(directories: keeper)
    let (scene, control) = (fixture.client(), fixture.client(pid: 2, as: .control))
    fixture.send(SceneConnect(name: "packing"), id: 1, from: scene)
    fixture.iterate { fixture.eventLoop.close(scene, .connectionLost) }
    fixture.sync()
    let session = try #require(fixture.eventLoop.broker.stored.sessions.keys.first)
    fixture.send(RequestDestruction(sessions: [session]), id: 1, from: control)
    #expect(fixture.eventLoop.broker.stored.sessions.isEmpty)
    #expect(keeper.removed.isEmpty)
    fixture.sync()
    #expect(keeper.removed == [session])
  }

  @Test("a session gets no directory while its earlier one waits for the record of its discard")
  func early() {
    var directories = SessionDirectories(Keeper())
    directories.remove(sessions[0], after: 1)
    guard case .refused(.sessionInUse, _) = directories.make(sessions[0]) else {
      Issue.record("a directory was made")
      return
    }
    directories.removeReady(durable: 1)
    #expect(directories.make(sessions[0]) == .path("data/\(sessions[0])"))
  }

  @Test("no directory is marked before the record of the discard is on disk, or after its removal")
  func marks() {
    let keeper = Keeper()
    var directories = SessionDirectories(keeper)
    directories.mark(sessions[0], after: 1)
    directories.mark(sessions[1], after: 2)
    directories.mark(sessions[2], after: 3)
    directories.removeReady(durable: 1)
    #expect(keeper.marked == [sessions[0]])
    directories.remove(sessions[1], after: 2)
    directories.removeReady(durable: 3)
    #expect(keeper.marked == [sessions[0], sessions[2]])
    #expect(keeper.removed == [sessions[1]])
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
