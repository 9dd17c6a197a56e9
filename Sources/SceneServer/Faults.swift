package import SceneJournal
import SceneModel
import ScenePlatform

/// What a test has armed in a broker that was started to be tested. The journal's thread asks as
/// well.
package final class Faults: JournalFaults {
  /// Where the broker is to die.
  struct Death: Equatable, Sendable {
    var point: FaultPoint
    var moment: FaultMoment
  }

  private struct State: Sendable {
    var death: Death?
    var diskIsFull = false
  }

  private let state = Monitor(State())

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

/// A message that a broker is to die with: how many bytes there are up to its end.
struct FatalMessage {
  var byteCount: Int
  var moment: FaultMoment
}
