/// The beginning of a session's identifier, as people type it.
package struct IdentifierPrefix: Equatable, Sendable {
  private let text: String

  /// Fewer digits would too easily be a mistyped name that happens to fit.
  package static let shortest = 4

  /// Nil for what cannot be the beginning of an identifier, or is shorter than ``shortest``.
  package init?(_ text: String) {
    guard (Self.shortest...36).contains(text.utf8.count) else { return nil }
    for (position, byte) in text.utf8.enumerated() {
      switch position {
      case 8, 13, 18, 23:
        guard byte == UInt8(ascii: "-") else { return nil }
      default:
        guard Character(Unicode.Scalar(byte)).isHexDigit else { return nil }
      }
    }
    self.text = text.uppercased()
  }

  package func matches(_ identifier: SessionIdentifier) -> Bool {
    identifier.description.hasPrefix(text)
  }
}
