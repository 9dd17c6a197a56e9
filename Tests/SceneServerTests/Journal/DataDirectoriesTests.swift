import SceneBroker
import SceneCommandLine
import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneServer

/// The directories in which sessions keep their own files, on a real disk.
struct DataDirectoriesTests {
  private let session = SessionIdentifier(high: 1, low: 2)
  private let other = SessionIdentifier(high: 3, low: 4)
  private let log = Log(write: { _, _ in true })

  /// The data directories of a state directory, which contains directories of sessions.
  private func directories(in place: Workplace) throws -> DataDirectories {
    DataDirectories(inState: place.path, log: log)
  }

  private func made(_ outcome: DataDirectoryOutcome) throws -> String {
    guard case .path(let path) = outcome else {
      Issue.record("\(outcome)")
      throw Missing()
    }
    return path
  }

  private struct Missing: Error {}

  @Test("only this user can use a data directory, and later requests return the same directory")
  func made() throws {
    let place = try Workplace()
    let directories = try directories(in: place)
    let path = try made(directories.make(session))
    #expect(path == "\(place.path)/data/\(session)")
    #expect(try FileStatus(of: path).mode & 0o777 == 0o700)
    try File.write("draft".utf8, to: path + "/draft", mode: 0o600)
    #expect(try made(directories.make(session)) == path)
    #expect(File.exists(path + "/draft"))
  }

  @Test("a directory is removed with its content, and other directories stay")
  func removed() throws {
    let place = try Workplace()
    let directories = try directories(in: place)
    let path = try made(directories.make(session))
    let kept = try made(directories.make(other))
    try Directory.make(path + "/deep")
    try File.write("draft".utf8, to: path + "/deep/draft", mode: 0o600)
    // The other session never had a directory.
    directories.remove([session, SessionIdentifier(high: 9, low: 9)])
    try awaitEmptied(place, except: ["\(other)"])
    #expect(File.exists(kept))
  }

  @Test("a discarded session that arrives again gets an empty directory, which stays")
  func again() throws {
    let place = try Workplace()
    let directories = try directories(in: place)
    for _ in 0..<20 {
      let path = try made(directories.make(session))
      #expect(try Directory.list(path) == [])
      try File.write("draft".utf8, to: path + "/draft", mode: 0o600)
      directories.remove([session])
    }
    try awaitEmptied(place, except: [])
  }

  @Test("one thread removes the directories of many discards, and no discard waits for it")
  func oneThread() throws {
    struct Removals {
      var begun = 0
      var running = 0
      var most = 0
      var mayEnd = false
    }
    let place = try Workplace()
    let directories = try directories(in: place)
    let sessions = (1...50).map { SessionIdentifier(high: 7, low: $0) }
    for session in sessions { _ = try made(directories.make(session)) }
    let removals = ConditionMutex(Removals())
    let queue = RemovalQueue(log) { path in
      removals.withLock {
        $0.begun += 1
        $0.running += 1
        $0.most = max($0.most, $0.running)
      }
      _ = removals.wait { $0.mayEnd ? true : nil }
      try? Directory.removeTree(path)
      removals.withLock { $0.running -= 1 }
    }
    for session in sessions { queue.add([session], in: place.path + "/data") }
    _ = removals.wait { $0.begun > 0 ? true : nil }
    #expect(try Directory.list(place.path + "/data").count == sessions.count)
    removals.withLock { $0.mayEnd = true }
    try awaitEmptied(place, except: [])
    #expect(removals.withLock { $0.most } == 1)
  }

  /// Waits for the removals, which run on another thread.
  private func awaitEmptied(_ place: Workplace, except kept: [String]) throws {
    try eventually("the other directories are removed", polling: .files) {
      try Directory.list(place.path + "/data") == kept
    }
  }

  @Test("a start completes the removals of the previous broker, and keeps unknown directories")
  func cleared() throws {
    let place = try Workplace()
    let before = try directories(in: place)
    _ = try made(before.make(session))
    _ = try made(before.make(other))
    try Directory.make("\(place.path)/data/.removed-\(SessionIdentifier(high: 5, low: 6))")
    try directories(in: place).clear(of: [session]) { _ in false }
    try awaitEmptied(place, except: ["\(other)"])
  }

  @Test("a start removes the directory of a discarded session whose scene had not ended")
  func marked() throws {
    let place = try Workplace()
    let before = try directories(in: place)
    _ = try made(before.make(session))
    let kept = try made(before.make(other))
    let last = SessionIdentifier(high: 5, low: 6)
    // Without a directory there is no mark.
    before.mark(last)
    before.mark(session)
    before.mark(other)
    // The journal is an older copy, which has the other session.
    try directories(in: place).clear(of: []) { $0 == other }
    try awaitEmptied(place, except: ["\(other)"])
    #expect(try Directory.list(kept) == [])
    // The mark has no effect later, when a damaged journal does not know the session.
    let again = try directories(in: place)
    _ = try made(again.make(last))
    again.mark(last)
    try directories(in: place).clear(of: []) { _ in false }
    try awaitEmptied(place, except: ["\(other)"])
  }

  @Test("a mark follows no link, and opens no pipe", arguments: ["ln -s draft", "mkfifo"])
  func foreignMark(command: String) throws {
    let place = try Workplace()
    let directories = try directories(in: place)
    _ = try made(directories.make(session))
    try File.write("text".utf8, to: place.path + "/data/draft")
    let mark = "\(place.path)/data/.discarded-\(session)"
    #expect(try RunningProgram.run("sh", ["-c", "\(command) \(mark)"]).code == 0)
    directories.mark(session)
    #expect(try File.read(place.path + "/data/draft").elementsEqual("text".utf8))
    directories.remove([session])
    try awaitEmptied(place, except: ["draft"])
  }

  @Test("the error states why no directory can be created")
  func obstacle() throws {
    let place = try Workplace()
    try File.write("".utf8, to: place.path + "/data", mode: 0o600)
    let outcome = try directories(in: place).make(session)
    guard case .refused(.requestDenied, let problem) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(problem.contains("\(place.path)/data is not a directory"))
  }

  @Test("without a state directory, data directories are removed when the broker ends")
  func temporary() throws {
    let directories = DataDirectories(inState: nil, log: log)
    let path = try made(directories.make(session))
    #expect(File.exists(path))
    directories.end()
    #expect(!File.exists(path))
  }
}
