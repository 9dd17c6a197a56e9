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
    waiting.state.withLock { state in
      state.directories += state.failed + sessions.map { Removal(session: $0, root: root) }
      state.failed = []
    }
    startThread()
  }

  /// Removes what an earlier broker has renamed, of all names in the root.
  func removeLeftovers(_ names: [String], in root: String) {
    let names = names.filter { $0.hasPrefix(Removal.prefix) }
    guard !names.isEmpty else { return }
    waiting.state.withLock { $0.renamed += names.map { "\(root)/\($0)" } }
    startThread()
  }

  /// Renames the waiting directory of a session now, so that the session can have a new one.
  func free(_ session: SessionIdentifier) throws(SystemError) {
    guard let directory = waiting.take(session) else { return }
    try waiting.rename(directory)
  }

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
      DiscardMark.remove(of: session, in: root)
      return path
    } catch let error where error.isNotFound {
      DiscardMark.remove(of: session, in: root)
      return nil
    }
  }
}

private final class Waiting: Sendable {
  struct State {
    var directories: ArraySlice<Removal> = []
    /// The directory that the thread renames now.
    var current: Removal?
    /// Directories that could not be renamed. The next discard tries again.
    var failed: [Removal] = []
    var renamed: ArraySlice<String> = []
    var hasThread = false
    /// Why a directory keeps its name. The log belongs to the loop.
    var problem: SystemError?
  }

  let state = ConditionMutex(State())
  private let remove: @Sendable (String) -> Void

  init(removing remove: @escaping @Sendable (String) -> Void) { self.remove = remove }

  private enum Step {
    case rename(Removal)
    case remove(String)
  }

  /// Renames all waiting directories before the next removal.
  func removeAll() {
    while let step = next() {
      switch step {
      case .rename(let directory):
        // The problem is logged at the next discard.
        try? rename(directory)
        state.withLock { $0.current = nil }
      case .remove(let path): remove(path)
      }
    }
  }

  /// Returns nil at the end of the work. A directory that is added later needs another thread.
  private func next() -> Step? {
    state.withLock { state in
      state.current = state.directories.popFirst()
      if let directory = state.current { return .rename(directory) }
      let path = state.renamed.popFirst()
      state.hasThread = path != nil
      return path.map(Step.remove)
    }
  }

  /// Without the lock, because a disk can be slow.
  func rename(_ directory: Removal) throws(SystemError) {
    do throws(SystemError) {
      let path = try directory.rename()
      state.withLock { state in
        if let path { state.renamed.append(path) }
      }
    } catch {
      state.withLock { state in
        state.failed.append(directory)
        state.problem = error
      }
      throw error
    }
  }

  /// Removes the directory of a session from those that wait, unless the thread has renamed it.
  func take(_ session: SessionIdentifier) -> Removal? {
    let found = state.wait { state -> Removal?? in
      if state.current?.session == session { return nil }
      let all = state.directories + state.failed
      state.directories.removeAll { $0.session == session }
      state.failed.removeAll { $0.session == session }
      return .some(all.first { $0.session == session })
    }
    return found ?? nil
  }
}
