package import SceneJSON

/// The position of an observer in a topic: it has all events up to this number.
///
/// Clients treat the string on the wire as opaque.
package struct EventPosition: Hashable, Sendable {
  /// Identifies the broker that numbered the events.
  package var origin: String
  package var number: Int64

  package init(origin: String, number: Int64) {
    self.origin = origin
    self.number = number
  }

  /// Nil if no broker can have made the text.
  package init?(_ text: String) {
    guard let dash = text.lastIndex(of: "-"), text.utf8.count <= Self.byteLimit else { return nil }
    let digits = text[text.index(after: dash)...]
    guard let number = Int64(digits), number >= 0, "\(number)" == digits else { return nil }
    self.init(origin: String(text[..<dash]), number: number)
  }

  /// Longer than any position.
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
