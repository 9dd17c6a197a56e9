package import SceneJournal
import SceneModel
import ScenePlatform

/// The faults that a test has armed. The event loop and the journal's thread share them.
package final class Faults: JournalFaults {
  /// The point at which the process dies.
  struct Death: Equatable, Sendable {
    var point: FaultPoint
    var moment: FaultMoment
  }

  private struct State: Sendable {
    var death: Death?
    var diskIsFull = false
  }

  private let state = ConditionMutex(State())

  package init() {}

  var death: Death? { state.withLock { $0.death } }
  package var diskIsFull: Bool { state.withLock { $0.diskIsFull } }

  func arm(_ death: Death) { state.withLock { $0.death = death } }
  func fillDisk(_ full: Bool) { state.withLock { $0.diskIsFull = full } }

  package func pass(_ point: JournalPoint) {
    switch point {
    case .beforeAppend: pass(.recordAppended, .before)
    case .afterAppend: pass(.recordAppended, .after)
    case .beforeSync: pass(.recordSynced, .before)
    case .afterSync: pass(.recordSynced, .after)
    }
  }

  private func pass(_ point: FaultPoint, _ moment: FaultMoment) {
    if death == Death(point: point, moment: moment) { CurrentProcess.die() }
  }
}
