package import JSON

/// For tests: lets the broker die at the next passing of a point, or find its disk full.
package struct InjectFault: RequestMessage {
  package static var method: StaticString { "broker/fault" }
  package static var permission: Permission { .controls }
  package var isIdempotent: Bool { false }

  /// Where it dies, as by kill -9.
  package var at: FaultPoint?
  package var when: FaultMoment = .before
  /// Whether the disk has no room from now on.
  package var diskFull: Bool?

  package init() {}

  package init(at: FaultPoint, _ when: FaultMoment) {
    self.at = at
    self.when = when
  }

  package init(diskFull: Bool) {
    self.diskFull = diskFull
  }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.optional("at", &at)
    try visitor.optional("when", &when, otherwise: .before)
    try visitor.optional("diskFull", &diskFull)
  }

  package typealias Reply = Empty
}

/// A point that the broker passes on the way from a request to what comes of it.
package enum FaultPoint: String, CaseIterable, Sendable {
  /// Records are written to the log.
  case recordAppended
  /// They are synced.
  case recordSynced
  /// A reply that waited for its record is handed to the system.
  case replySent
  /// A callback, or an event of a topic, is handed to the system.
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
