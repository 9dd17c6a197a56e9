import SceneBroker
import SceneJournal
import SceneModel
import SceneTestSupport

@testable import SceneServer

/// Checks after every iteration.
extension World {
  func check(_ daemon: SimulatedDaemon) {
    let eventLoop = daemon.eventLoop
    let (live, replayed) = (eventLoop.broker.stored, model.ledger.state)
    guard model.ledger.records.count == Int(eventLoop.broker.recordCount) else {
      // A connection was dropped while this iteration sent its output. The next iteration handles
      // the end of that connection.
      let isPending = daemon.eventLoop.nextWakeUp.map { $0 <= now.monotonic } ?? false
      return model.check(isPending, "records are missing, and no further iteration is due")
    }
    model.check(
      live == replayed && live.names == replayed.names && live.byteCount == replayed.byteCount,
      "the live state differs from the replayed records")
    checkWaiting(daemon)
    for flaw in eventLoop.broker.checkInvariants() + eventLoop.checkInvariants() {
      model.complain(flaw)
    }
    if let since = daemon.endingSince, now.monotonic - since > 20_000_000_000,
      !disk.isDown, model.synced == eventLoop.broker.recordCount
    {
      model.complain("the shutdown began \((now.monotonic - since) / 1_000_000_000) s ago")
    }
  }

  /// The records that wait for the disk fit into the reserved space, however slow the disk is.
  private func checkWaiting(_ daemon: SimulatedDaemon) {
    let (waiting, most) = (daemon.journal.waitingByteCount, plan.journal.waitingByteCount)
    if daemon.eventLoop.broker.room == .behind { model.saw("storage: behind") }
    let ends = 1_000 * daemon.eventLoop.journal.reservedHoldCount
    model.check(
      waiting <= most + ends,
      "\(waiting) bytes wait for the disk, and the reserved space is \(most) and \(ends)")
    model.check(!daemon.journal.isBlocked, "there is no space for accepted records")
  }
}
