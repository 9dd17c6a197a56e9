/// Waits until all scenes are at rest and nothing waits for delivery.
package struct Settle: RequestMessage {
  package static var method: StaticString { "broker/settle" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  /// The processes whose callbacks the broker does not wait for.
  package var except: [Int64]?

  package init() {}

  package init(except: [Int64]?) { self.except = except }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.optional("except", &except)
  }
}

/// Advances a virtual clock. The broker answers when the clock has reached the new time.
package struct AdvanceClock: RequestMessage {
  package static var method: StaticString { "broker/advanceClock" }
  package static var permission: Permission { .controls }
  package var isIdempotent: Bool { true }

  /// The advance in seconds, at most a year.
  package var seconds: Double = 0

  package init() {}

  package init(seconds: Double) { self.seconds = seconds }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("seconds", &seconds)
  }
}

/// For tests: kills the broker at the next pass of a point, or fills its disk.
package struct InjectFault: RequestMessage {
  package static var method: StaticString { "broker/fault" }
  package static var permission: Permission { .controls }

  /// The point at which the process dies as if by kill -9.
  package var at: FaultPoint?
  package var when: FaultMoment = .before
  /// Whether the disk is full from now on.
  package var diskFull: Bool?

  package init() {}

  package init(at: FaultPoint, _ when: FaultMoment) {
    self.at = at
    self.when = when
  }

  package init(diskFull: Bool) {
    self.diskFull = diskFull
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.optional("at", &at)
    try visitor.optional("when", &when, otherwise: .before)
    try visitor.optional("diskFull", &diskFull)
  }
}

/// A point in the handling of a request.
package enum FaultPoint: String, CaseIterable, JSONCodable, Sendable {
  /// The broker writes records to the log.
  case recordAppended
  /// The broker syncs the log.
  case recordSynced
  /// The broker sends a reply that waited for its record.
  case replySent
  /// The broker sends a callback or an event.
  case eventDelivered
}

package enum FaultMoment: String, CaseIterable, JSONCodable, Sendable {
  case before, after
}
