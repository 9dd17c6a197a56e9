import SceneJSON
import SceneModel
import SceneServer
import SceneTestSupport

@testable import SceneBroker

/// Upgrades of the daemon, and what is on the way.
extension World {
  /// Replaces the program of the daemon. The next one gets the state that the journal does not
  /// have.
  func upgrade() {
    guard let old = daemon, old.endingSince == nil else { return }
    note("the daemon is upgraded")
    iterate { $0.endInput(upgrading: true) }
    for _ in 0..<20 where daemon === old {
      stepJournal()
      iterate { $0.journalDidProgress() }
    }
    guard daemon === old else { return }
    checkLastReplies(of: old)
    guard stopJournal(of: old) else { return crash(byPowerCut: disk.isDown) }
    let bytes = old.eventLoop.broker.carriedState.json.bytes
    crash(byPowerCut: false, keepingChildren: true)
    launcher.noteUpgrade()
    startDaemon(with: try? CarriedState(parsing: bytes))
    if daemon != nil { model.saw("upgraded") } else { launcher.loseChildren() }
  }

  /// Each request that a client has sent has a reply. Only an activation can be in doubt.
  private func checkLastReplies(of daemon: SimulatedDaemon) {
    guard model.synced == daemon.eventLoop.broker.recordCount else { return }
    for wire in wires
    where wire.clientEnd == .open && !wire.isClosedByBroker && !wire.isFull
      && daemon.eventLoop.broker.clients[wire.connection.identifier]?.isClosing == false
    {
      for said in wire.unanswered.values {
        switch said.request {
        case nil: break
        case is RequestActivation, is ApplicationOpen: model.saw("in doubt after an upgrade")
        case let request?:
          model.complain("wire \(wire.number): no reply before the upgrade to \(request)")
        }
      }
    }
  }

  /// The broker knows each of its children once, also after an upgrade.
  func checkChildren(of daemon: SimulatedDaemon) {
    let known = daemon.eventLoop.broker.launches.processesThatRun.compactMapValues(\.process)
    let children = launcher.children.mapValues(\.process)
    model.check(known == children, "the broker has the children \(known), and not \(children)")
  }
}
