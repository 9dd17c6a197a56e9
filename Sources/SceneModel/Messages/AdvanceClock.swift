/// Lets a virtual clock go on; answered when it has arrived there.
package struct AdvanceClock: RequestMessage {
  package static var method: StaticString { "broker/advanceClock" }
  package static var permission: Permission { .controls }
  package var isIdempotent: Bool { true }

  /// By how much, at most a year.
  package var seconds: Double = 0

  package init() {}

  package init(seconds: Double) { self.seconds = seconds }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("seconds", &seconds)
  }

  package typealias Reply = Empty
}
