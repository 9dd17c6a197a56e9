import SceneJournal
import SceneModel
import ScenePlatform

/// A state directory that was locked, read, and is being written to.
final class OpenedJournal {
  let thread: JournalThread
  let state: StoredState
  private var lock: FileDescriptor?

  init(_ configuration: ServerConfiguration, waking wakeup: Wakeup, log: Log) throws(ServerError) {
    guard configuration.durability != .none else {
      thread = JournalThread(keepingNothingWaking: { wakeup.signal() })
      state = StoredState()
      return
    }
    let directory = configuration.stateDirectory
    do throws(PrivateDirectoryError) {
      _ = try PrivateDirectory.make(directory, configuration.makingForState)
    } catch {
      throw ServerError(error, option: "--state") {
        "and keep the state there: --state \($0.shellWord)"
      }
    }
    let lock = try Lock.take(
      "\(directory)/\(JournalMark.file)", for: "the state in \(directory)",
      socket: configuration.socketPath)
    var options = JournalOptions()
    options.durability = configuration.durability
    options.waitingByteCount = configuration.limits.waitingRecordBytes
    options.faults = configuration.faults
    var storage: any Storage = DirectoryStorage(directory)
    if let faults = configuration.faults { storage = FillableStorage(storage, faults) }
    var content = JournalledState()
    do {
      let writer = try JournalWriter(storage, options: options, content: &content)
      if let tail = writer.report.tail {
        log.warn("\(tail); they were dropped")
      }
      // A journal that was just made is as durable as the names that lead to it. Who made it may have
      // been killed before it came to that.
      if !Lock.has(JournalMark.line, in: lock) {
        try Directory.synchronizeNames(leadingTo: directory)
        Lock.note(JournalMark.line, in: lock)
      }
      thread = try JournalThread(writer) { wakeup.signal() }
    } catch let error as JournalError {
      throw ServerError(error, in: directory)
    } catch let error as SystemError {
      throw ServerError(error)
    } catch {
      preconditionFailure("nothing else is thrown here")
    }
    state = content.state
    self.lock = consume lock
  }

  func takeLock() -> FileDescriptor? { lock.take() }
}
