package import SceneJSON

/// For tests: kills the broker at the next pass of a point, or fills its disk.
package struct InjectFault: RequestMessage {
  package static var method: StaticString { "broker/fault" }
  package static var permission: Permission { .controls }
  package var isIdempotent: Bool { false }

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

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.optional("at", &at)
    try visitor.optional("when", &when, otherwise: .before)
    try visitor.optional("diskFull", &diskFull)
  }

  package typealias Reply = Empty
}

/// A point in the handling of a request.
package enum FaultPoint: String, CaseIterable, Sendable {
  /// The broker writes records to the log.
  case recordAppended
  /// The broker syncs the log.
  case recordSynced
  /// The broker sends a reply that waited for its record.
  case replySent
  /// The broker sends a callback or an event.
  case eventDelivered
}

package enum FaultMoment: String, CaseIterable, Sendable {
  case before, after
}

extension FaultPoint: JSONCodable {
  package static var expectation: String {
    "recordAppended, recordSynced, replySent or eventDelivered"
  }

  package init(reading value: JSONValue) throws(MemberError) {
    guard let point = Self(rawValue: try String(reading: value)) else {
      throw .expected(oneOf: Self.self, found: value)
    }
    self = point
  }
}

extension FaultMoment: JSONCodable {
  package static var expectation: String { "before or after" }

  package init(reading value: JSONValue) throws(MemberError) {
    guard let moment = Self(rawValue: try String(reading: value)) else {
      throw .expected(oneOf: Self.self, found: value)
    }
    self = moment
  }
}
