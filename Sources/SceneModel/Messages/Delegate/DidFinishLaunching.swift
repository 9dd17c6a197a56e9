/// Launches the application delegate, before any scene, with the reason of the launch.
package struct DidFinishLaunching: CallbackMessage {
  package var options: ConnectionOptions = .none

  package init() {}

  package init(options: ConnectionOptions) { self.options = options }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("options", &options)
  }

  /// Whether the delegate accepts the options; default true.
  package struct Answer: JSONStructure, Equatable, Sendable {
    package var accepted = true

    package init() {}

    package init(accepted: Bool) { self.accepted = accepted }

    package mutating func visitMembers<Visitor: MemberVisitor>(
      _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
      try visitor.optional("accepted", &accepted, otherwise: true)
    }
  }
}
