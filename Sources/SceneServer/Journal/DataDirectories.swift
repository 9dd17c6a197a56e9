package import SceneBroker
package import SceneCommandLine
package import SceneModel
import ScenePlatform

/// Makes and removes the data directories of sessions: on the disk, or in a test's memory.
package protocol DataDirectoryKeeper: AnyObject {
  func make(_ session: SessionIdentifier) -> DataDirectoryOutcome
  /// The sessions that had directories at the start.
  func takeFound() -> [SessionIdentifier]
  /// The discard of the session is durable, but its scene has not ended. If this broker ends
  /// before `remove`, the next one removes the directory.
  func mark(_ session: SessionIdentifier)
  /// The discards of the sessions are durable. The removal delays no caller.
  func remove(_ sessions: [SessionIdentifier])
}

/// The directories of an application's sessions: `data/<identifier>` beside the journal, with mode
/// 0700. A broker without a journal makes them in a temporary directory and removes them when it
/// ends.
///
/// One thread removes directories, in the order of the discards. It renames all waiting directories
/// before it removes the content of the next one. If the broker ends before that, the next start
/// removes the rest.
package final class DataDirectories: DataDirectoryKeeper {
  /// Nil until a temporary directory is needed.
  private var root: String?
  private let isTemporary: Bool
  /// The directory for a temporary one.
  private let parent: String?
  private let removals: RemovalQueue
  private var found: [SessionIdentifier] = []

  /// Without a state directory, the directories are in a temporary one, in `parent` or in
  /// `$TMPDIR`.
  package init(inState directory: String?, orTemporaryIn parent: String? = nil, log: Log) {
    self.parent = parent
    root = directory.map { Directory.absolute($0) + "/data" }
    isTemporary = directory == nil
    removals = RemovalQueue(log)
  }

  /// Removes the directories of `discarded` sessions, and those that the earlier broker renamed or
  /// marked, unless the session `exists`. Other directories of unknown sessions stay: a salvaged
  /// journal may know these sessions again.
  func clear(of discarded: [SessionIdentifier], exists: (SessionIdentifier) -> Bool) {
    guard let root else { return }
    let names = (try? Directory.list(root)) ?? []
    found = names.compactMap(SessionIdentifier.init)
    removals.removeLeftovers(names, in: root)
    let marked = names.compactMap(DiscardMark.session)
    // The journal is an older copy, or the session arrived again.
    for session in marked where exists(session) { DiscardMark.remove(of: session, in: root) }
    removals.add((discarded + marked).filter { !exists($0) }, in: root)
  }

  package func mark(_ session: SessionIdentifier) {
    if !isTemporary, let root { DiscardMark.make(of: session, in: root) }
  }

  package func takeFound() -> [SessionIdentifier] {
    defer { found = [] }
    return found
  }

  /// Removes a temporary root.
  func end() {
    if isTemporary, let root { try? Directory.removeTree(root) }
  }

  package func make(_ session: SessionIdentifier) -> DataDirectoryOutcome {
    do {
      let root = try root ?? Directory.makeTemporary(prefix: "scened-data", in: parent)
      self.root = root
      // A discarded session that arrives again gets an empty directory.
      try removals.free(session)
      _ = try PrivateDirectory.make(root, .last)
      let path = "\(root)/\(session)"
      _ = try PrivateDirectory.make(path, .last)
      return .path(path)
    } catch var error as PrivateDirectoryError {
      error.holdsOurs = true
      guard case .system(let cause) = error.reason else { return refusal("\(error)") }
      return refusal(cause)
    } catch let error as SystemError {
      return refusal(error)
    } catch {
      preconditionFailure("nothing else is thrown here")
    }
  }

  private func refusal(_ error: SystemError) -> DataDirectoryOutcome {
    guard error.code.isFull else { return refusal("\(error)") }
    return .refused(.storageFull, "\(error); free disk space and try again")
  }

  private func refusal(_ problem: String) -> DataDirectoryOutcome {
    .refused(.requestDenied, "cannot make the directory of the session: \(problem)")
  }

  package func remove(_ sessions: [SessionIdentifier]) {
    guard let root else { return }
    // The removal can wait for that of a large directory.
    for session in sessions { mark(session) }
    removals.add(sessions, in: root)
  }
}
