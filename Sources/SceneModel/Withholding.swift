/// That an activity is kept from the scenes of its session, and why. It is not lost: it can be given
/// back.
package struct Withholding: JSONStructure, Equatable, Sendable {
  /// The generation that is withheld.
  package var generation: Int64 = 0
  package var reason = WithholdingReason.crashLoop

  package init() {}

  package init(generation: Int64, reason: WithholdingReason) {
    self.generation = generation
    self.reason = reason
  }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("generation", &generation)
    try visitor.required("reason", &reason)
  }
}

/// Why an activity is withheld.
package struct WithholdingReason: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// One client after the other that was given it ended without a word before its scene had
  /// arrived anywhere.
  package static let crashLoop = WithholdingReason(rawValue: "crashLoop")
}

extension StoredSession {
  /// After so many early ends in a row an activity is withheld.
  package static let earlyEndsOfACrashLoop: Int64 = 3

  /// What is kept from the session's scenes, until something else is saved or it is given back.
  package var withheld: Withholding? {
    guard let number = hold.withheld, number == generation else { return nil }
    return Withholding(generation: number, reason: .crashLoop)
  }

  /// What was kept from the session's scenes, and can still be given back.
  package var unreturned: Withholding? {
    if let withheld { return withheld }
    guard let pinned else { return nil }
    return Withholding(generation: pinned.number, reason: .crashLoop)
  }

  private var pinned: Generation? { generations.first { $0.number == hold.pinned } }

  /// What the hold is once an activity has been saved; nil if it stays as it is. The new activity
  /// has its own tries, unless it `continuesTry`: a scene that has not arrived replaces the activity
  /// that it was given. One that is withheld is pinned; of several the first, for want of which the
  /// others came to be. It is let go once it is what counts again, or once another client than the
  /// scene's clears it: the scene may not know of it.
  package func hold(
    afterSaving activity: Activity?, isByScene: Bool, continuesTry: Bool
  ) -> Hold? {
    guard hold.earlyEnds > 0 || withheld != nil || hold.pinned != nil else { return nil }
    var after = hold
    if !continuesTry { after.earlyEnds = 0 }
    let unreturned = [pinned, withheld == nil ? nil : generations.last].compactMap { $0 }
    let isCleared = activity == nil && !isByScene
    after.pinned = isCleared ? nil : unreturned.first { $0.activity != activity }?.number
    after.withheld = nil
    return after == hold ? nil : after
  }

  /// Whether the activity is not to be given to the next scene.
  package var isInCrashLoop: Bool {
    hold.earlyEnds >= Self.earlyEndsOfACrashLoop && activity != nil
  }
}
