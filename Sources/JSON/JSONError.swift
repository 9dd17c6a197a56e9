/// Why a text is not one JSON text, and at which byte.
package struct JSONError: Error, Equatable {
  /// What is wrong.
  package var reason: Reason
  /// The offset of the byte in question, from the start of the text; its length if the text ended.
  package var offset: Int
  /// The beginning of the word that stands there instead of a value, for whoever wrote it.
  package var found: String?

  package init(_ reason: Reason, at offset: Int, found: String? = nil) {
    self.reason = reason
    self.offset = offset
    self.found = found
  }

  /// Whether it is the same mistake at the same place.
  package static func == (one: JSONError, other: JSONError) -> Bool {
    one.reason == other.reason && one.offset == other.offset
  }

  /// What a broker says and logs: nothing of the text, which is somebody's own.
  package var withoutText: JSONError { JSONError(reason, at: offset) }

  /// What can be wrong with a text.
  package enum Reason: Equatable, Sendable, CaseIterable {
    case unexpectedEnd
    case byteOrderMark
    case expectedValue
    case expectedName
    case expectedColon
    case expectedCommaOrBracket
    case expectedCommaOrBrace
    case trailingComma
    case textAfterValue
    case comment
    case invalidLiteral
    case leadingZero
    case leadingPlus
    case missingDigits
    case controlCharacter
    case invalidEscape
    case loneSurrogate
    case invalidUTF8
    case tooDeep
    case tooLong
  }
}

extension JSONError: CustomStringConvertible {
  package var description: String {
    found.map { "expected a JSON value, found \"\($0)\" at byte \(offset)" }
      ?? "\(reason) at byte \(offset)"
  }
}

extension JSONError.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unexpectedEnd: "the text ends too early"
    case .byteOrderMark: "a byte order mark"
    case .expectedValue: "expected a JSON value"
    case .expectedName: "expected a member name in quotes"
    case .expectedColon: "expected ':' after a member name"
    case .expectedCommaOrBracket: "expected ',' or ']'"
    case .expectedCommaOrBrace: "expected ',' or '}'"
    case .trailingComma: "nothing follows the comma"
    case .textAfterValue: "something follows the value"
    case .comment: "comments are not JSON"
    case .invalidLiteral: "expected true, false or null"
    case .leadingZero: "a number with a leading zero"
    case .leadingPlus: "a number with a leading '+'"
    case .missingDigits: "expected a digit"
    case .controlCharacter: "a control character in a string"
    case .invalidEscape: "not an escape sequence"
    case .loneSurrogate: "an escaped surrogate without its other half"
    case .invalidUTF8: "ill-formed UTF-8"
    case .tooDeep: "nested too deeply"
    case .tooLong: "longer than 2 GiB"
    }
  }
}
