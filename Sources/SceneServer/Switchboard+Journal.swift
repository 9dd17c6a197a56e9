import SceneBroker
import SceneJournal
import SceneModel

/// Between the rules and the disk: records go there, and what waited for them leaves when it has
/// them.
extension Switchboard {
  func keepRecords() {
    guard !carried.records.isEmpty else { return }
    for record in carried.records { records.value.append(record, by: &records.writer) }
    setAside = max(setAside, broker.holdCount)
    keeper.setAside(setAside)
    kept += UInt64(carried.records.count)
    keeper.keep(records.value, through: kept)
    records.value.removeAll()
    learnStorage(keeper.news)
  }

  /// Takes in what the journal has done.
  package func learn() {
    askRules()
    hasHeard = true
    let news = keeper.news
    if news.syncedThrough > durable {
      durable = news.syncedThrough
      handle(.synced(durable))
      removeDirectories()
      releaseHeldBack()
      armDeath()
      giveBackRoom()
    }
    learnStorage(news)
    if let failure = news.compactionFailure, !hasToldOfCompaction {
      hasToldOfCompaction = true
      log.warn("the journal is not compacted any more, and grows: \(failure)")
    }
  }

  /// Room is set aside for the end of a hold until that is on the disk.
  private func giveBackRoom() {
    guard durable == broker.recordCount else { return }
    setAside = broker.holdCount
    keeper.setAside(setAside)
  }

  /// Whoever is refused for want of room frees some and comes again, and is not to be told of a
  /// disk that was full a while ago.
  func lookForRoom() {
    defer { wantsRoom = false }
    guard wantsRoom, storage == .full || storage == .exhausted else { return }
    keeper.lookForRoom()
  }

  func learnStorage(_ news: JournalNews) {
    let state: RecordRoom =
      switch news.storage {
      case .full: .full
      case .exhausted: .exhausted
      case .ok: .ok
      }
    let problem = news.missingRoom?.description
    if state != storage || news.missingRoom != missingRoom {
      (storage, missingRoom) = (state, news.missingRoom)
      handle(.storage(state, problem: problem))
    }
    guard broker.room != toldRoom else { return }
    toldRoom = broker.room
    log.note("storage: \(toldRoom.rawValue)" + (problem.map { ": \($0)" } ?? ""))
  }

  private func releaseHeldBack() {
    swap(&heldBack, &released)
    for connection in released {
      connection.isListedAsHeldBack = false
      guard connection.stage != .closed else { continue }
      connection.outbox.release(upTo: durable) { begin($0, on: connection) }
      listForOutput(connection)
      listIfHeldBack(connection)
    }
    released.removeAll(keepingCapacity: true)
  }

  func listIfHeldBack(_ connection: Connection) {
    guard connection.outbox.waitsForDisk, !connection.isListedAsHeldBack else { return }
    connection.isListedAsHeldBack = true
    heldBack.append(connection)
  }

  func begin(_ release: Outbox.Release, on connection: Connection) {
    switch release {
    case .nothing: break
    case .reply: noteAnswered(on: connection)
    case .callback(let number, let budget):
      // Nobody waits for the answer to a farewell.
      guard broker.kind(ofCallback: number, on: connection.identifier) != nil else { break }
      // The round in which a callback may leave ends with offering it to the socket, whatever else
      // waits there: its budget begins now. It may have been extended in this round.
      extend(.callback(connection.identifier, number), by: budget)
    }
  }
}

extension Outbound {
  var isRefusedForWantOfRoom: Bool {
    switch message {
    case .error(_, let error): error.reason == .storageFull
    case .reply, .callback, .delegateCallback, .notification: false
    }
  }
}
