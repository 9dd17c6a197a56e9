package import JSON

/// A value as it was written in a condition: JSON if it reads as such, and in any case a text.
package struct ExpectedValue: Equatable, Sendable {
  package let text: String
  private let json: RawJSON?

  package init(_ text: String) {
    self.text = text
    do throws(JSONError) {
      json = try RawJSON(validating: ContiguousArray(text.utf8))
    } catch {
      json = nil
    }
  }

  /// Whether a value is the same JSON value, or has this text. What is not there counts as null.
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
    let document = JSONDocument()
    do throws(JSONError) {
      try document.read(bytes.span)
    } catch {
      return false
    }
    return document.root.isSameValue(as: value)
  }
}
