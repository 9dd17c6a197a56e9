@testable import SceneBroker
import SceneModel
import SceneServer
import SceneTestSupport

/// What must hold after every round.
extension World {
  func check(_ daemon: SimulatedDaemon) {
    let broker = daemon.switchboard.broker
    let (live, replayed) = (broker.stored, oracle.ledger.state)
    guard oracle.ledger.records.count == Int(broker.recordCount) else {
      // A connection that was dropped while the round's output was sent: its end is for the next round.
      let isPending = daemon.switchboard.nextWakeUp.map { $0 <= now.monotonic } ?? false
      return oracle.check(isPending, "records are missing, and no round is to come for them")
    }
    oracle.check(
      live == replayed && live.names == replayed.names && live.byteCount == replayed.byteCount,
      "what is live is not what the records replay to")
    if let flaw = broker.flaw { oracle.complain(flaw) }
    if let since = daemon.endingSince, now.monotonic - since > 20_000_000_000,
      !disk.isDown, oracle.synced == broker.recordCount
    {
      oracle.complain("it was to end \((now.monotonic - since) / 1_000_000_000) s ago and has not")
    }
  }
}

extension Broker {
  /// Why this cannot be, or nil.
  var flaw: String? {
    for (identifier, scene) in scenes {
      if session(identifier) == nil { return "a scene of \(identifier), which is not listed" }
      guard let peer = peers[scene.holder] else { return "\(identifier) is held by nobody" }
      if !peer.held.contains(identifier) { return "\(identifier) is not held by its holder" }
      if let running = scene.running, peer.kind(of: running.identifier) != running.kind {
        return "\(identifier) waits for \(running.kind), which was not sent"
      }
      if let stored = stored[identifier] {
        if stored.tenure.holder != peer.process { return "\(identifier): another holder is stored" }
        if stored.tenure.hold != scene.hold { return "\(identifier): another hold is stored" }
      } else if scene.departure?.isFinal != true {
        return "\(identifier) is discarded and stays"
      }
      if scene.running == nil, !scene.isAtRest { return "\(identifier) stands still on its way" }
      if scene.isAtRest, !scene.arrivals.isEmpty { return "\(identifier) has arrived untold" }
    }
    for (connection, peer) in peers {
      for identifier in peer.held where scenes[identifier]?.holder != connection {
        return "\(connection.number) holds \(identifier), which another has"
      }
    }
    for (identifier, process) in reserved {
      if scenes[identifier] != nil { return "\(identifier) is kept for somebody and held" }
      if stored[identifier]?.tenure.holder != process { return "\(identifier) is kept for another" }
    }
    for (identifier, session) in stored.sessions
    where session.tenure.holder != nil && scenes[identifier] == nil && reserved[identifier] == nil {
      return "\(identifier) has a holder and no scene"
    }
    for identifier in departing.keys where scenes[identifier] == nil {
      return "\(identifier) is on its way out without a scene"
    }
    return waitingFlaw
  }

  /// Everybody who waits must wait for something that will come.
  private var waitingFlaw: String? {
    for request in waiting.requests {
      if peers[request.asker.connection] == nil { return "somebody waits who is gone" }
      switch request.cause {
      case .answer: return "an inquiry is not answered at the end of its round"
      case .ends(let connections, _):
        if !connections.contains(where: { peers[$0] != nil }) {
          return "a request waits for connections that are gone"
        }
      case .session(let identifier):
        if reserved[identifier] == nil, scenes[identifier]?.isLeaving != true {
          return "a request waits for \(identifier), which is neither kept nor leaving"
        }
      }
    }
    return nil
  }
}
