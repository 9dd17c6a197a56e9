/// The prefix of a session's identifier that a person typed.
package struct IdentifierPrefix: Equatable, Sendable {
  /// The identifiers with this prefix.
  package let range: ClosedRange<SessionIdentifier>

  /// A shorter prefix would too easily be a mistyped name.
  package static let shortest = 4

  /// Nil if no identifier can have this prefix, or if it is shorter than ``shortest``.
  package init?(_ text: String) {
    guard text.utf8.count >= Self.shortest,
      let first = SessionIdentifier(text, filledWith: "0"),
      let last = SessionIdentifier(text, filledWith: "F")
    else { return nil }
    range = first...last
  }

  package func matches(_ identifier: SessionIdentifier) -> Bool { range.contains(identifier) }
}

extension SessionIdentifier {
  /// The identifier that begins with the text, and then has only this digit.
  fileprivate init?(_ text: String, filledWith digit: Character) {
    let rest = Self.none.description.map { $0 == "-" ? $0 : digit }.dropFirst(text.utf8.count)
    self.init(text + String(rest))
  }
}
