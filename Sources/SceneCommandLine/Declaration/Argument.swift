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

  package static func required(
    _ placeholder: String, _ help: String = "", _ kind: ValueKind = .text
  ) -> Argument { Argument(placeholder: placeholder, help: help, kind: kind, count: .one) }

  package static func optional(
    _ placeholder: String, _ help: String = "", _ kind: ValueKind = .text
  ) -> Argument { Argument(placeholder: placeholder, help: help, kind: kind, count: .optional) }

  /// One or more.
  package static func repeated(
    _ placeholder: String, _ help: String = "", _ kind: ValueKind = .text
  ) -> Argument { Argument(placeholder: placeholder, help: help, kind: kind, count: .several) }

  /// None, one or more.
  package static func any(
    _ placeholder: String, _ help: String = "", _ kind: ValueKind = .text
  ) -> Argument { Argument(placeholder: placeholder, help: help, kind: kind, count: .any) }

  package var takesSeveral: Bool { count == .several || count == .any }
  package var isRequired: Bool { count == .one || count == .several }
}
