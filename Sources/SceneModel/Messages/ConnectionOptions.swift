/// Why a scene is being connected now, beyond where it was: members are absent when empty.
package struct ConnectionOptions: JSONStructure, Equatable, Sendable {
  package var userActivities: [Activity] = []

  package static let none = ConnectionOptions()

  package init() {}

  package init(userActivities: [Activity]) { self.userActivities = userActivities }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.optional("userActivities", &userActivities, otherwise: [])
  }

  package var byteCount: Int { userActivities.reduce(0) { $0 + $1.byteCount } }
}
