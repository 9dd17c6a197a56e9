import SceneJournal
import SceneModel
import SceneTestSupport

@testable import SceneBroker
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
    checkChildren(of: daemon)
    checkPings(daemon)
    for flaw in eventLoop.broker.checkInvariants() + eventLoop.checkInvariants() {
      model.complain(flaw)
    }
    if let since = daemon.endingSince, now.monotonic - since > 20_000_000_000,
      !disk.isDown, model.synced == eventLoop.broker.recordCount
    {
      model.complain("the shutdown began \((now.monotonic - since) / 1_000_000_000) s ago")
    }
  }

  /// A scene is marked only if the broker has waited long enough for the answer to a ping.
  private func checkPings(_ daemon: SimulatedDaemon) {
    let start = now.monotonic - WorldPlan.pingTime.nanoseconds
    let scenes = daemon.eventLoop.broker.scenes.all.filter(\.value.pings.isUnresponsive)
    for (session, scene) in scenes where !model.unresponsive.contains(session) {
      // A new broker uses the numbers of closed connections again.
      let wire = wires.first {
        !$0.isClosedByBroker && $0.connection.identifier == scene.holder
      }
      let isLate = wire?.pings.values.contains { $0.session == session && $0.sent <= start }
      // A ping can also wait behind the output that the client does not read.
      model.check(
        isLate == true || wire?.fullSince.map { $0 <= start } ?? false,
        "\(session.short) is unresponsive without a late ping")
    }
    model.unresponsive = Set(scenes.keys)
    for wire in wires where !wire.pings.isEmpty {
      let client = daemon.eventLoop.broker.clients[wire.connection.identifier]
      wire.forgetPings { client?.outstandingCallbacks[$0] == nil }
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
