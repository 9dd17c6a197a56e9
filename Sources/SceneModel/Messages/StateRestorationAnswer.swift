/// The answer to `stateRestorationActivity`: a value saves the activity, null clears it, and
/// absence leaves it.
package struct StateRestorationAnswer: JSONStructure, Equatable, Sendable {
  package var activity: Presence<Activity> = .absent

  package init() {}

  package init(activity: Presence<Activity>) { self.activity = activity }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.optional("activity", &activity)
  }
}
