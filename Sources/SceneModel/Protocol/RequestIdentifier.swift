package import SceneJSON

/// The identifier of a peer's request, which the reply repeats.
package enum RequestIdentifier: Hashable, Sendable {
  /// From 0 to 2^53-1, which every JSON library carries exactly.
  case number(Int64)
  /// At most 64 bytes.
  case string(String)
}

extension RequestIdentifier: JSONCodable {
  package static var expectation: String {
    "an integer from 0 to 9007199254740991 or a string of at most 64 bytes"
  }

  package init(reading value: JSONValue) throws(MemberError) {
    if let number = value.integer, (0..<1 << 53).contains(number) {
      self = .number(number)
    } else if let string = value.string, string.utf8.count <= 64 {
      self = .string(string)
    } else {
      throw .expected(oneOf: Self.self, found: value)
    }
  }

  package func write(to writer: inout JSONWriter) {
    switch self {
    case .number(let number): writer.integer(number)
    case .string(let string): writer.string(string)
    }
  }
}
