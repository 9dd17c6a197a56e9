import SceneBroker
package import SceneJournal
import SceneModel
import ScenePlatform

/// The faults that a test injects. A broker without `Faults` injects none.
struct FaultInjector {
  private let faults: Faults?
  /// A death that is armed when all records up to this number are durable.
  private var pendingDeath: (death: Faults.Death, after: UInt64)?
  /// The messages in outboxes with which the process dies, at most one of each connection.
  private(set) var fatalMessages: [ConnectionIdentifier: FatalMessage] = [:]

  init(_ faults: Faults?) { self.faults = faults }

  var isActive: Bool { faults != nil }
  var simulatesFullDisk: Bool { faults?.diskIsFull ?? false }

  /// Prepares a fault; the last submitted record has the number `submitted`. Returns whether the
  /// journal must look for space again.
  mutating func inject(_ fault: Fault, submitted: UInt64, durable: UInt64) -> Bool {
    switch fault {
    case .death(let point, let moment):
      pendingDeath = (Faults.Death(point: point, moment: moment), submitted)
      armDeath(durable: durable)
      return false
    case .diskFull(let isFull):
      faults?.fillDisk(isFull)
      return true
    }
  }

  /// Arms a pending death once all earlier records are durable: they must not trigger it.
  mutating func armDeath(durable: UInt64) {
    guard let (death, after) = pendingDeath, after <= durable else { return }
    pendingDeath = nil
    faults?.arm(death)
  }

  /// Marks a message that was added to the outbox of its connection, if the process dies when the
  /// message is sent. The outbox then has so many bytes. The first marked message counts.
  mutating func mark(_ outbound: Outbound, durable: UInt64, outboxByteCount: Int) {
    guard let death = faults?.death, Self.isFatal(outbound, to: death.point, durable: durable)
    else { return }
    mark(outbound.connection, death, outboxByteCount)
  }

  /// Marks an event that was added to the outbox of a connection, in the same way.
  mutating func markEvent(on connection: ConnectionIdentifier, outboxByteCount: Int) {
    guard let death = faults?.death, death.point == .eventDelivered else { return }
    mark(connection, death, outboxByteCount)
  }

  private mutating func mark(
    _ connection: ConnectionIdentifier, _ death: Faults.Death, _ outboxByteCount: Int
  ) {
    guard fatalMessages[connection] == nil else { return }
    fatalMessages[connection] = FatalMessage(byteCount: outboxByteCount, moment: death.moment)
  }

  /// Sends, and ends the process if the socket takes the end of a marked message.
  mutating func send(
    _ bytes: RawSpan, on connection: ConnectionIdentifier, by send: (RawSpan) -> SendOutcome
  ) -> SendOutcome {
    fatalMessages[connection]?.send(bytes, by: send) ?? send(bytes)
  }

  /// Forgets a closed connection.
  mutating func remove(_ connection: ConnectionIdentifier) {
    if !fatalMessages.isEmpty { fatalMessages[connection] = nil }
  }

  private static func isFatal(
    _ outbound: Outbound, to point: FaultPoint, durable: UInt64
  ) -> Bool {
    switch point {
    case .replySent: if case .reply = outbound.message { outbound.after > durable } else { false }
    case .eventDelivered:
      switch outbound.message {
      case .callback(_, let callback, _): !callback.kind.isOfDelegate
      case .notification(.posted): true
      case .reply, .error, .notification: false
      }
    // The journal's thread checks these points.
    case .recordAppended, .recordSynced: false
    }
  }
}

/// A message in an outbox: the process dies when the message is sent.
struct FatalMessage: Equatable {
  /// Bytes of the outbox up to the end of the message.
  var byteCount: Int
  let moment: FaultMoment

  /// Sends, and ends the process if the socket takes the end of the message.
  mutating func send(_ bytes: RawSpan, by send: (RawSpan) -> SendOutcome) -> SendOutcome {
    if moment == .before, bytes.byteCount >= byteCount { CurrentProcess.die() }
    let outcome = send(bytes)
    if outcome.byteCount >= byteCount { CurrentProcess.die() }
    byteCount -= outcome.byteCount
    return outcome
  }
}

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
