/// The answer to `stateRestorationActivity`: a value saves the activity, null clears it, and
/// absence leaves it.
package struct StateRestorationAnswer: JSONStructure, Equatable, Sendable {
  package var activity: Patch<Activity> = .absent

  package init() {}

  package init(activity: Patch<Activity>) { self.activity = activity }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.optional("activity", &activity)
  }
}
