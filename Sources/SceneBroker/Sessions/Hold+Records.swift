import SceneModel

/// The records of a hold.
extension Hold {
  /// The hold of a process that connects or resumes.
  func begun(by process: ClientProcess) -> Hold {
    var hold = self
    hold.holder = process
    hold.end = nil
    hold.formerHolder = nil
    return hold
  }

  /// The hold after its end; nil without a holder. `scene` is nil if the broker's own end ended the
  /// hold, which says nothing about the client. `answered` says whether the client has answered the
  /// disconnection.
  func ended(
    _ end: SessionEnd, of scene: SceneStateMachine?, newest generation: Int64?, answered: Bool
  ) -> Hold? {
    guard let holder else { return nil }
    var hold = self
    hold.holder = nil
    hold.formerHolder = answered ? holder : nil
    hold.end = end
    guard let scene else { return hold }
    if end.reason == .connectionLost, !scene.hasReachedTarget {
      // An activity that this client did not get has not ended it.
      if scene.givenGeneration == generation { hold.earlyEnds += 1 }
    } else if scene.hasReachedTarget || end.reason.isByClient {
      hold.earlyEnds = 0
    }
    return hold
  }
}
