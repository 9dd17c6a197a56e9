import SceneModel

/// The records of a hold.
extension Hold {
  /// The hold of a process that connects or resumes.
  func begun(by process: ClientProcess) -> Hold {
    var hold = self
    hold.holder = process
    hold.end = nil
    hold.previousHolder = nil
    return hold
  }

  /// The hold after its end; nil without a holder. `scene` is nil if the broker's own end ended the
  /// hold, which says nothing about the client. `answered` says whether the client has answered the
  /// disconnection.
  func ended(
    _ outcome: DisconnectOutcome, of scene: SceneStateMachine?, newest generation: Int64?,
    answered: Bool
  ) -> Hold? {
    guard let holder else { return nil }
    var hold = self
    hold.holder = nil
    hold.previousHolder = answered ? holder : nil
    hold.end = outcome
    guard let scene else { return hold }
    // A client that reports the failure of its program has not failed itself.
    if outcome.reason == .connectionLost, !answered, !scene.hasReachedTarget {
      // An activity that this client did not get has not ended it.
      if scene.restoredGeneration == generation { hold.earlyEnds += 1 }
    } else if scene.hasReachedTarget || outcome.reason.isByClient {
      hold.earlyEnds = 0
    }
    return hold
  }
}
