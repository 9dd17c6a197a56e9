package import SceneJSON

/// A value in a condition. It is a text, and JSON if it can be read as JSON.
package struct ExpectedValue: Equatable, Sendable {
  package let text: String
  private let json: RawJSON?

  package init(_ text: String) {
    self.text = text
    json = try? RawJSON(validating: ContiguousArray(text.utf8))
  }

  /// Whether a value is the same JSON value or has this text. A missing value equals null.
  package func matches(_ value: JSONValue?) -> Bool {
    guard let value else { return text == "null" }
    if let json, json.isSameValue(as: value) { return true }
    switch value.kind {
    case .string: return value.equals(text)
    case .null, .bool, .number: return value.raw.description == text
    case .array, .object: return false
    }
  }
}

extension RawJSON {
  fileprivate func isSameValue(as value: JSONValue) -> Bool {
    guard let document = JSONDocument(reading: bytes) else { return false }
    return document.root.isSameValue(as: value)
  }
}
