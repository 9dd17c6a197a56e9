/// The application delegate is launched, before any scene: what the application is launched for.
package struct DidFinishLaunching: JSONStructure, Equatable, Sendable {
  package var options: ConnectionOptions = .none

  package init() {}

  package init(options: ConnectionOptions) { self.options = options }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("options", &options)
  }

  /// Whether the delegate takes what the options carry; it does unless it says no.
  package struct Answer: JSONStructure, Equatable, Sendable {
    package var accepted = true

    package init() {}

    package init(accepted: Bool) { self.accepted = accepted }

    package mutating func members<Visitor: MemberVisitor>(
      _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
      try visitor.optional("accepted", &accepted, otherwise: true)
    }
  }
}
