package import SceneModel

/// What a test may make go wrong. The rules only say whether; the edge and the journal do it.
package enum Fault: Equatable, Sendable {
  /// To die at the next passing, once all that was before is on the disk.
  case death(FaultPoint, FaultMoment)
  case diskFull(Bool)
}

/// A request that is answered when the disk is as it was wanted.
struct DiskWish {
  var asker: Asker
  var full: Bool
}

extension Broker {
  mutating func injectFault(_ message: InjectFault, _ asker: Asker) {
    if let error = refusal(of: message) { return refuse(asker, error) }
    guard message.diskFull == nil || !isShuttingDown else { return refuse(asker, shuttingDown) }
    if let point = message.at { effects.faults.append(.death(point, message.when)) }
    guard let full = message.diskFull else { return replyAboutAll(asker, .empty) }
    effects.faults.append(.diskFull(full))
    awaitingDisk.append(DiskWish(asker: asker, full: full))
    answerAboutDisk()
  }

  mutating func answerAboutDisk() {
    let isFull = disk.isFull
    let wishes = awaitingDisk
    awaitingDisk.removeAll { $0.full == isFull }
    for wish in wishes where wish.full == isFull { replyAboutAll(wish.asker, .empty) }
  }

  private func refusal(of message: InjectFault) -> BrokerError? {
    guard environment.allowsFaults else {
      return BrokerError(
        .notPermitted, "this broker is not there to be tested; start one with --faults")
    }
    let durability = environment.durability
    let isAboutRecords = message.at == .recordAppended || message.at == .recordSynced
    if durability == "none", isAboutRecords || message.diskFull != nil {
      return BrokerError(.notPermitted, "with --durability none there is no disk")
    }
    if durability == "os", message.at == .recordSynced {
      return BrokerError(.notPermitted, "with --durability os no record is synced")
    }
    guard message.at != nil || message.diskFull != nil else {
      return BrokerError(.invalidParams, "expected at or diskFull")
    }
    return nil
  }
}
