/// A syntax error, with the offset of its byte.
package struct JSONError: Error, Equatable {
  package var reason: Reason
  /// The offset of the wrong byte; the length of the text if the text ended early.
  package var offset: Int
  /// The start of the word at this offset, for the message to the author of the text.
  package var found: String?

  package init(_ reason: Reason, at offset: Int, found: String? = nil) {
    self.reason = reason
    self.offset = offset
    self.found = found
  }

  /// Compares the reason and the offset only.
  package static func == (one: JSONError, other: JSONError) -> Bool {
    one.reason == other.reason && one.offset == other.offset
  }

  /// The error without a part of the text, for replies and logs: the text may be confidential.
  package var withoutText: JSONError { JSONError(reason, at: offset) }

  /// The kinds of syntax errors, with their descriptions.
  package enum Reason: String, Sendable, CaseIterable {
    case unexpectedEnd = "unexpected end of the JSON"
    case byteOrderMark = "a byte order mark"
    case expectedValue = "expected a JSON value"
    case expectedName = "expected a member name in quotes"
    case expectedColon = "expected ':' after a member name"
    case expectedCommaOrBracket = "expected ',' or ']'"
    case expectedCommaOrBrace = "expected ',' or '}'"
    case trailingComma = "a trailing comma"
    case textAfterValue = "text after the value"
    case comment = "comments are not JSON"
    case invalidLiteral = "expected true, false or null"
    case leadingZero = "a number with a leading zero"
    case leadingPlus = "a number with a leading '+'"
    case missingDigits = "expected a digit"
    case controlCharacter = "a control character in a string"
    case invalidEscape = "an invalid escape sequence"
    case loneSurrogate = "an escaped surrogate without its other half"
    case invalidUTF8 = "ill-formed UTF-8"
    case tooDeep = "nested too deeply"
    case tooLong = "longer than 2 GiB"
  }
}

extension JSONError: CustomStringConvertible {
  package var description: String {
    found.map { "expected a JSON value, found \"\($0)\" at byte \(offset)" }
      ?? "\(reason) at byte \(offset)"
  }
}

extension JSONError.Reason: CustomStringConvertible {
  package var description: String { rawValue }
}
