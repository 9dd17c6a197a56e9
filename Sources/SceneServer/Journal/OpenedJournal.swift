import SceneCommandLine
import SceneJournal
import SceneModel
import ScenePlatform

/// A state directory that was read, and is being written to.
struct OpenedJournal {
  let queue: JournalQueue
  let state: StoredState
  /// The sessions that were discarded while the journal was written, as far back as it goes. Some
  /// are in the trash, or present again.
  let discarded: [SessionIdentifier]

  /// Without a lock on the state nothing is kept. Nothing is acknowledged unless that lock and the
  /// socket's are in their places.
  init(
    _ configuration: ServerConfiguration, _ lock: StateLock?, socketLock: LockedFile?,
    waking wakeup: Wakeup, log: Log
  ) throws(ProgramError) {
    let locks = [lock?.lockedFile, socketLock].compactMap(\.self)
    guard let lock else {
      queue = JournalQueue(withoutFilesWaking: { wakeup.signal() }, locks: locks)
      state = StoredState()
      discarded = []
      return
    }
    let directory = configuration.stateDirectory
    var options = JournalOptions()
    options.durability = configuration.durability
    options.waitingByteCount = configuration.limits.waitingRecordBytes
    options.faults = configuration.faults
    if let progress = configuration.startProgress {
      options.onRead = { progress.report($0) }
    }
    defer { configuration.startProgress?.end() }
    let storage = DirectoryStorage(lock.directory, locks: locks, faults: configuration.faults)
    var content = JournalledState()
    do {
      let writer = try JournalWriter(storage, options: options, content: &content)
      configuration.startProgress?.end()
      if let tail = writer.report.tail {
        log.warn("\(tail); scened dropped these bytes")
      }
      // A new journal is only as durable as its directory entries. Its maker may have been killed
      // before it synced them.
      if !lock.isMarked {
        try Directory.synchronizeNames(leadingTo: directory)
        lock.mark()
      }
      queue = try JournalQueue(writer) { wakeup.signal() }
    } catch let error as JournalError {
      throw ProgramError(error, configuration)
    } catch let error as SystemError {
      throw ProgramError(ofServer: error)
    } catch {
      preconditionFailure("nothing else is thrown here")
    }
    state = content.state
    discarded = content.discarded
  }
}
