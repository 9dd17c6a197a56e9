import SceneBroker
import SceneJournal
import SceneModel
import SceneTestSupport

@testable import SceneServer

/// What must hold after every iteration.
extension World {
  func check(_ daemon: SimulatedDaemon) {
    let eventLoop = daemon.eventLoop
    let (live, replayed) = (eventLoop.broker.stored, model.ledger.state)
    guard model.ledger.records.count == Int(eventLoop.broker.recordCount) else {
      // A connection that was dropped while the iteration's output was sent: its end is for the next
      // iteration.
      let isPending = daemon.eventLoop.nextWakeUp.map { $0 <= now.monotonic } ?? false
      return model.check(isPending, "records are missing, and no iteration is to come for them")
    }
    model.check(
      live == replayed && live.names == replayed.names && live.byteCount == replayed.byteCount,
      "what is live is not what the records replay to")
    checkWaiting(daemon)
    for flaw in eventLoop.broker.checkInvariants() { model.complain(flaw) }
    if let since = daemon.endingSince, now.monotonic - since > 20_000_000_000,
      !disk.isDown, model.synced == eventLoop.broker.recordCount
    {
      model.complain("it was to end \((now.monotonic - since) / 1_000_000_000) s ago and has not")
    }
  }

  /// However slow the disk is: what waits for it is what there was room kept for.
  private func checkWaiting(_ daemon: SimulatedDaemon) {
    let (waiting, most) = (daemon.journal.waitingByteCount, plan.journal.waitingByteCount)
    if daemon.eventLoop.broker.room == .behind { model.saw("storage: behind") }
    let ends = 1_000 * daemon.eventLoop.journal.reservedEnds
    model.check(
      waiting <= most + ends,
      "\(waiting) bytes wait for the disk, and it keeps room for \(most) and \(ends)")
    model.check(!daemon.journal.isBlocked, "what was accepted finds no room")
  }
}
