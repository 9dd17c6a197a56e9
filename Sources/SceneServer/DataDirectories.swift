package import SceneBroker
package import SceneModel
import ScenePlatform

/// Where the directories of sessions are made and removed: on the disk, or in a test's memory.
package protocol DataDirectoryKeeper: AnyObject {
  func make(_ session: SessionIdentifier) -> DataDirectoryOutcome
  /// The session is gone, on the disk as well.
  func remove(_ session: SessionIdentifier)
}

/// The directories of an application's sessions: `data/<identifier>` beside the journal, 0700. Those
/// of sessions that are in memory alone are in a temporary place, and end with the broker.
///
/// One that is to go is first given another name, which takes as long as one call of the system;
/// what is in it is removed on a thread, and at the next start if that does not come to its end.
package final class DataDirectories: DataDirectoryKeeper {
  /// Nil until the temporary place is needed.
  private var root: String?
  private let isTemporary: Bool
  private let log: Log

  /// How the names of those begin that are to be removed.
  private static let doomedPrefix = ".removed-"

  /// Without a state directory they are in a temporary place.
  package init(inState directory: String?, log: Log) {
    root = directory.map { Directory.absolute($0) + "/data" }
    isTemporary = directory == nil
    self.log = log
  }

  /// Removes what the broker before did not come to: of the sessions that it `discarded`, and what it
  /// had begun with. Directories of sessions that nobody knows are left alone: somebody may know them
  /// again, once a journal is salvaged.
  func clear(of discarded: [SessionIdentifier]) {
    guard let root else { return }
    for session in discarded { _ = doom(session, in: root) }
    let names = (try? Directory.list(root)) ?? []
    removeInBackground(names.filter { $0.hasPrefix(Self.doomedPrefix) }, in: root)
  }

  /// What is in a temporary place is not left there.
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
    } catch let error as PrivateDirectoryError {
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
    return .refused(.storageFull, "\(error); free some room and try again")
  }

  private func refusal(_ problem: String) -> DataDirectoryOutcome {
    .refused(.requestDenied, "the session's directory cannot be made: \(problem)")
  }

  package func remove(_ session: SessionIdentifier) {
    guard let root, let name = doom(session, in: root) else { return }
    removeInBackground([name], in: root)
  }

  /// From here on it is nobody's. Gives its name.
  private func doom(_ session: SessionIdentifier, in root: String) -> String? {
    let name = Self.doomedPrefix + "\(session)"
    do throws(SystemError) {
      try File.rename("\(root)/\(session)", to: "\(root)/\(name)")
      return name
    } catch {
      if !error.code.isNotFound {
        log.warn("the directory of a session that is gone cannot be removed: \(error)")
      }
      return nil
    }
  }

  private func removeInBackground(_ names: [String], in root: String) {
    guard !names.isEmpty else { return }
    let removal: @Sendable () -> Void = {
      for name in names { try? Directory.removeTree("\(root)/\(name)") }
    }
    // Without a thread it takes as long as it takes.
    if (try? Thread("data removal", body: removal)) == nil { removal() }
  }
}
