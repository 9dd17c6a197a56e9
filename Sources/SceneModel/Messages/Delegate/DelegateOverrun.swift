/// The application delegate exceeded its budget. The broker no longer waits for this answer.
package struct DelegateOverrun: JSONStructure, Equatable, Sendable {
  package var callback = ""
  /// The number of the callback.
  package var id: Int64 = 0

  package init() {}

  package init(callback: CallbackKind, id: Int64) {
    self.callback = callback.rawValue
    self.id = id
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("callback", &callback)
    try visitor.required("id", &id)
  }
}
