package import JSON

/// How far an observer of a topic has come: everything up to the event of this number.
///
/// On the wire it is a string that only the broker reads.
package struct EventPosition: Hashable, Sendable {
  /// Which broker numbered the topic's events.
  package var origin: String
  package var number: Int64

  package init(origin: String, number: Int64) {
    self.origin = origin
    self.number = number
  }

  /// Nil for what no broker has ever given out.
  package init?(_ text: String) {
    guard let dash = text.lastIndex(of: "-"), text.utf8.count <= Self.byteLimit else { return nil }
    let digits = text[text.index(after: dash)...]
    guard let number = Int64(digits), number >= 0, "\(number)" == digits else { return nil }
    self.init(origin: String(text[..<dash]), number: number)
  }

  /// Far more than one has.
  private static let byteLimit = 100
}

extension EventPosition: CustomStringConvertible {
  package var description: String { "\(origin)-\(number)" }
}

extension EventPosition: JSONCodable {
  package static var expectation: String { "a position" }

  package init(reading value: JSONValue) throws(MemberError) {
    guard let position = Self(try String(reading: value)) else {
      throw .expected(oneOf: Self.self, found: value)
    }
    self = position
  }

  package func write(to writer: inout JSONWriter) { writer.string(description) }
}
