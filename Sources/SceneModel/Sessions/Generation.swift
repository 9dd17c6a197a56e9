/// One save of an activity, or of none.
package struct Generation: Equatable, Sendable {
  package var session: SessionIdentifier
  /// Counts up from 1 within the session.
  package var number: Int64
  package var activity: Activity?
  /// Milliseconds since 1970.
  package var saved: Int64

  package init(session: SessionIdentifier, number: Int64, activity: Activity?, saved: Int64) {
    self.session = session
    self.number = number
    self.activity = activity
    self.saved = saved
  }
}

extension Generation: JSONStructure {
  package init() { self.init(session: .none, number: 0, activity: nil, saved: 0) }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
    try visitor.required("generation", &number)
    try visitor.required("activity", &activity)
    try visitor.required("saved", &saved)
  }
}

/// The withheld activity of a session, and the reason. A client can restore the activity.
package struct Withholding: JSONStructure, Equatable, Sendable {
  /// The generation that is withheld.
  package var generation: Int64 = 0
  package var reason = WithholdingReason.crashLoop

  package init() {}

  package init(generation: Int64, reason: WithholdingReason) {
    self.generation = generation
    self.reason = reason
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("generation", &generation)
    try visitor.required("reason", &reason)
  }
}

/// The reason why an activity is withheld.
package struct WithholdingReason: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// Consecutive clients that got the activity lost their connection before their scene reached its
  /// target state.
  package static let crashLoop = WithholdingReason(rawValue: "crashLoop")
}

extension StoredSession {
  /// After this number of consecutive early ends, the broker withholds the activity.
  package static let earlyEndsOfACrashLoop: Int64 = 3

  /// The withheld generation, until the next save or its restoration.
  package var withheld: Withholding? {
    guard let number = hold.withheld, number == generation else { return nil }
    return Withholding(generation: number, reason: .crashLoop)
  }

  /// The generation that a client can restore after a crash loop: the withheld or the pinned one.
  package var withheldOrPinned: Withholding? {
    if let withheld { return withheld }
    guard let pinned else { return nil }
    return Withholding(generation: pinned.number, reason: .crashLoop)
  }

  private var pinned: Generation? { generations.first { $0.number == hold.pinned } }

  /// The hold after a save; nil if it does not change.
  ///
  /// - The new activity starts with no early ends, unless the scene `isRestoring`: the scene has
  ///   not reached its target, and replaces the activity that it got.
  /// - A withheld generation is pinned; of several, the first.
  /// - The generation is unpinned when its activity is saved again, or when a client other than the
  ///   scene's saves null, because the scene may not know of the generation.
  package func hold(
    afterSaving activity: Activity?, isByScene: Bool, isRestoring: Bool
  ) -> Hold? {
    guard hold.earlyEnds > 0 || withheld != nil || hold.pinned != nil else { return nil }
    var after = hold
    if !isRestoring { after.earlyEnds = 0 }
    let candidates = [pinned, withheld == nil ? nil : generations.last].compactMap { $0 }
    let isCleared = activity == nil && !isByScene
    after.pinned = isCleared ? nil : candidates.first { $0.activity != activity }?.number
    after.withheld = nil
    return after == hold ? nil : after
  }

  /// Whether the next scene does not get the activity.
  package var isInCrashLoop: Bool {
    hold.earlyEnds >= Self.earlyEndsOfACrashLoop && activity != nil
  }
}
