package import SceneBroker
package import SceneModel
import ScenePlatform

/// Makes and removes the data directories of sessions: on the disk, or in a test's memory.
package protocol DataDirectoryKeeper: AnyObject {
  func make(_ session: SessionIdentifier) -> DataDirectoryOutcome
  /// The discard of the session is durable.
  func remove(_ session: SessionIdentifier)
}

/// The directories of an application's sessions: `data/<identifier>` beside the journal, with mode
/// 0700. A broker without a journal makes them in a temporary directory and removes them when it
/// ends.
///
/// A removal first renames the directory, which takes one system call. A thread then removes the
/// content. The next start removes the rest if the broker ends before that.
package final class DataDirectories: DataDirectoryKeeper {
  /// Nil until a temporary directory is needed.
  private var root: String?
  private let isTemporary: Bool
  private let log: Log

  /// The prefix of directories that wait for their removal.
  private static let removalPrefix = ".removed-"

  /// Without a state directory, the directories are temporary.
  package init(inState directory: String?, log: Log) {
    root = directory.map { Directory.absolute($0) + "/data" }
    isTemporary = directory == nil
    self.log = log
  }

  /// Removes the directories of `discarded` sessions, and those that the earlier broker renamed.
  /// Directories of unknown sessions stay: a salvaged journal may know these sessions again.
  func clear(of discarded: [SessionIdentifier]) {
    guard let root else { return }
    for session in discarded { _ = renameForRemoval(session, in: root) }
    let names = (try? Directory.list(root)) ?? []
    removeInBackground(names.filter { $0.hasPrefix(Self.removalPrefix) }, in: root)
  }

  /// Removes a temporary root.
  func end() {
    if isTemporary, let root { try? Directory.removeTree(root) }
  }

  package func make(_ session: SessionIdentifier) -> DataDirectoryOutcome {
    do {
      let root = try root ?? Directory.makeTemporary(prefix: "scened-data")
      self.root = root
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

  package func remove(_ session: SessionIdentifier) {
    guard let root, let name = renameForRemoval(session, in: root) else { return }
    removeInBackground([name], in: root)
  }

  /// Renames the directory before its removal. Returns the new name.
  private func renameForRemoval(_ session: SessionIdentifier, in root: String) -> String? {
    let name = Self.removalPrefix + "\(session)"
    do throws(SystemError) {
      try File.rename("\(root)/\(session)", to: "\(root)/\(name)")
      return name
    } catch {
      if !error.code.isNotFound {
        log.warn("cannot remove the directory of a discarded session: \(error)")
      }
      return nil
    }
  }

  private func removeInBackground(_ names: [String], in root: String) {
    guard !names.isEmpty else { return }
    let removal: @Sendable () -> Void = {
      for name in names { try? Directory.removeTree("\(root)/\(name)") }
    }
    // Without a thread, the removal delays the loop.
    if (try? Thread("data removal", body: removal)) == nil { removal() }
  }
}
