/// A positional argument of a command.
package struct Argument: Sendable {
  package enum Count: Equatable, Sendable {
    /// Exactly one word.
    case one
    /// At most one word.
    case optional
    /// One or more words; only for the last argument.
    case several
    /// Any number of words, also none; only for the last argument.
    case any
  }

  /// The name on the help page, in capitals.
  package var placeholder: String
  /// A phrase without a period; empty if the name is enough.
  package var help: String
  package var kind: ValueKind
  package var count: Count

  private init(_ placeholder: String, _ help: String, _ kind: ValueKind, _ count: Count) {
    (self.placeholder, self.help, self.kind, self.count) = (placeholder, help, kind, count)
  }

  package static func required(
    _ placeholder: String, _ help: String = "", _ kind: ValueKind = .text
  ) -> Argument { Argument(placeholder, help, kind, .one) }

  package static func optional(
    _ placeholder: String, _ help: String = "", _ kind: ValueKind = .text
  ) -> Argument { Argument(placeholder, help, kind, .optional) }

  /// One or more.
  package static func repeated(
    _ placeholder: String, _ help: String = "", _ kind: ValueKind = .text
  ) -> Argument { Argument(placeholder, help, kind, .several) }

  /// None, one or more.
  package static func any(
    _ placeholder: String, _ help: String = "", _ kind: ValueKind = .text
  ) -> Argument { Argument(placeholder, help, kind, .any) }

  package var takesSeveral: Bool { count == .several || count == .any }
  package var isRequired: Bool { count == .one || count == .several }
}
