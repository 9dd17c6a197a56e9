import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneTool

@Suite("The socket and the lock of a holder")
struct HolderPlaceTests {
  private struct Fixture {
    let path: String
    var lockPath: String { KeptPlace.lockPath(ofSocket: path) }
    let place: HolderPlace

    init(_ directory: String) throws {
      path = directory + "/holder.sock"
      guard let lock = try KeptPlace.lock(KeptPlace.lockPath(ofSocket: path)) else {
        throw Unmet("another process has the lock")
      }
      place = HolderPlace(try UnixSocket.listen(at: path), lock, try Poller(), token: 1)
      place.write(HolderRecord())
    }
  }

  @Test("missing files are made again, with the record", arguments: [true, false], [true, false])
  func again(losesSocket: Bool, losesLock: Bool) throws {
    let workplace = try Workplace()
    let directory = workplace.path
    let fixture = try Fixture(directory)
    let number = fixture.place.listener.number
    if losesSocket { try File.remove(fixture.path) }
    if losesLock { try File.remove(fixture.lockPath) }
    fixture.place.check()
    fixture.place.bindAgain(HolderRecord())
    #expect(KeptPlace.record(besideSocket: fixture.path) != nil)
    _ = try UnixSocket.connect(to: fixture.path)
    if let _ = try KeptPlace.lock(fixture.lockPath) { Issue.record("the file is not locked") }
    #expect((fixture.place.listener.number == number) == !(losesSocket || losesLock))
    fixture.place.remove()
    #expect(try Directory.list(directory).isEmpty)
    #expect(fixture.place.nextBind == nil)
  }

  @Test("a holder leaves the files of another one alone, and tries again")
  func other() throws {
    let workplace = try Workplace()
    let directory = workplace.path
    let fixture = try Fixture(directory)
    try File.remove(fixture.path)
    try File.remove(fixture.lockPath)
    guard let other = try KeptPlace.lock(fixture.lockPath) else {
      throw Unmet("another process has the lock")
    }
    let socket = try UnixSocket.listen(at: fixture.path)
    let identity = try FileStatus(of: fixture.path).identity
    fixture.place.check()
    fixture.place.bindAgain(HolderRecord())
    #expect(fixture.place.nextBind != nil)
    fixture.place.remove()
    #expect(try FileStatus(of: fixture.path).identity == identity)
    #expect(try other.status().identity == FileStatus(of: fixture.lockPath).identity)
    socket.close()
  }
}
