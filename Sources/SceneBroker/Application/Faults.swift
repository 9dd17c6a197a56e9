package import SceneModel

/// A fault that a test injects. The event loop and the journal perform it.
package enum Fault: Equatable, Sendable {
  /// The process ends at the next pass of the point, after the disk has all earlier records.
  case death(FaultPoint, FaultMoment)
  case diskFull(Bool)
}

extension Broker {
  mutating func injectFault(_ message: InjectFault, _ requester: Requester) throws(BrokerError) {
    if let error = refusal(of: message) { throw error }
    guard message.diskFull == nil || !isShuttingDown else {
      throw BrokerError.shuttingDown
    }
    if let point = message.at { effects.commands.append(.inject(.death(point, message.when))) }
    guard let full = message.diskFull else { return replyAboutAll(requester, .empty) }
    effects.commands.append(.inject(.diskFull(full)))
    conditionWaiters.wait(for: .disk(isFull: full), requester)
    answerDiskWaiters()
  }

  mutating func answerDiskWaiters() {
    for requester in conditionWaiters.complete(.disk(isFull: store.isDiskFull)) {
      replyAboutAll(requester, .empty)
    }
  }

  private func refusal(of message: InjectFault) -> BrokerError? {
    guard environment.allowsFaults else {
      return BrokerError(
        .notPermitted, "this broker does not allow faults; start a broker with --faults")
    }
    let durability = environment.durability
    let isAboutRecords = message.at == .recordAppended || message.at == .recordSynced
    if durability == "none", isAboutRecords || message.diskFull != nil {
      return BrokerError(.notPermitted, "a broker with --durability none uses no disk")
    }
    if durability == "os", message.at == .recordSynced {
      return BrokerError(.notPermitted, "a broker with --durability os syncs no record")
    }
    guard message.at != nil || message.diskFull != nil else {
      return BrokerError(.invalidParams, "at, diskFull: give at least one")
    }
    return nil
  }
}
