import SceneCommandLine
import SceneModel
import ScenePlatform

/// Directories of discarded sessions that wait for their removal, and the thread that removes them.
/// The thread ends with the last directory.
final class RemovalQueue {
  private let log: Log
  private let waiting: Waiting

  init(
    _ log: Log,
    removing remove: @escaping @Sendable (String) -> Void = { try? Directory.removeTree($0) }
  ) {
    self.log = log
    waiting = Waiting(removing: remove)
  }

  /// Removes the directories that these sessions have.
  func add(_ sessions: [SessionIdentifier], in root: String) {
    guard !sessions.isEmpty else { return }
    waiting.state.withLock { $0.directories += sessions.map { Removal(session: $0, root: root) } }
    startThread()
  }

  /// Removes what an earlier broker has renamed, of all names in the root.
  func removeLeftovers(_ names: [String], in root: String) {
    let names = names.filter { $0.hasPrefix(Removal.prefix) }
    guard !names.isEmpty else { return }
    waiting.state.withLock { $0.renamed += names.map { "\(root)/\($0)" } }
    startThread()
  }

  /// Renames the waiting directories now, so that their sessions can have new ones.
  func renameAll() { waiting.state.withLock { $0.renameAll() } }

  /// Without a thread, the directories wait for the next discard.
  private func startThread() {
    let (isNeeded, problem) = waiting.state.withLock { state in
      defer { (state.hasThread, state.problem) = (true, nil) }
      return (!state.hasThread, state.problem)
    }
    if let problem {
      log.warn("cannot remove the directory of a session that was discarded before: \(problem)")
    }
    guard isNeeded else { return }
    do throws(SystemError) {
      _ = try Thread("data removal") { [waiting] in waiting.removeAll() }
    } catch {
      waiting.state.withLock { $0.hasThread = false }
      log.warn("cannot remove the directories of discarded sessions yet: \(error)")
    }
  }
}

/// The directory of a discarded session, which may not exist.
private struct Removal {
  let session: SessionIdentifier
  let root: String

  /// The prefix of renamed directories.
  static let prefix = ".removed-"

  /// Gives the directory the name that the next start removes. Returns its path; nil without a
  /// directory.
  func rename() throws(SystemError) -> String? {
    // The directory of an earlier discard of the session can still have its name.
    let path = "\(root)/\(Self.prefix)\(session)-\(UInt32.random(in: 0 ... .max))"
    do {
      try File.rename("\(root)/\(session)", to: path)
      return path
    } catch let error where error.isNotFound {
      return nil
    }
  }
}

private final class Waiting: Sendable {
  struct State {
    var directories: [Removal] = []
    /// Renamed directories, in reverse order.
    var renamed: [String] = []
    var hasThread = false
    /// Why a directory keeps its name. The log belongs to the loop.
    var problem: SystemError?

    mutating func renameAll() {
      for directory in directories {
        do throws(SystemError) {
          if let path = try directory.rename() { renamed.insert(path, at: 0) }
        } catch {
          problem = error
        }
      }
      directories = []
    }
  }

  let state = ConditionMutex(State())
  private let remove: @Sendable (String) -> Void

  init(removing remove: @escaping @Sendable (String) -> Void) { self.remove = remove }

  func removeAll() {
    while let directory = next() { remove(directory) }
  }

  /// Renames all waiting directories before the next removal. Returns nil at the end of the work.
  private func next() -> String? {
    state.withLock { state in
      state.renameAll()
      state.hasThread = !state.renamed.isEmpty
      return state.renamed.popLast()
    }
  }
}
