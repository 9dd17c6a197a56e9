/// One option of a command: `--name`, and perhaps `-n`.
package struct Option: Sendable {
  /// Without the dashes.
  package var name: String
  package var short: Character?
  /// The placeholder of the value on the help page; nil for a flag.
  package var placeholder: String?
  /// A phrase, without a full stop.
  package var help: String
  package var kind: ValueKind
  /// The value of an option that is not given.
  package var defaultValue: String?
  /// Whether several of them are collected; of others the last one counts.
  package var repeats: Bool
  /// Values that may stand behind a single dash without the option's name, as in `kill -9`.
  package var dashedValues: [String] = []
  /// Of an option of verbs: whether it may stand before the verb as well, as those of the program do.
  package var mayPrecedeVerb = false

  package var takesValue: Bool { placeholder != nil }
}

extension Option {
  /// Given or not.
  package static func flag(_ name: String, short: Character? = nil, _ help: String) -> Option {
    Option(name: name, short: short, placeholder: nil, help: help, kind: .text, repeats: false)
  }

  /// With a value.
  package static func value(
    _ name: String, short: Character? = nil, _ placeholder: String, _ help: String,
    _ kind: ValueKind = .text, default defaultValue: String? = nil
  ) -> Option {
    Option(
      name: name, short: short, placeholder: placeholder, help: help, kind: kind,
      defaultValue: defaultValue, repeats: false)
  }

  /// The same for an option that may stand before the verb.
  package var alsoBeforeVerb: Option {
    var option = self
    option.mayPrecedeVerb = true
    return option
  }

  /// The same option, which `-VALUE` gives, too, for each of these values.
  package func dashed(_ values: [String]) -> Option {
    var option = self
    option.dashedValues = values
    return option
  }

  /// With a value, as often as one likes.
  package static func repeated(
    _ name: String, short: Character? = nil, _ placeholder: String, _ help: String,
    _ kind: ValueKind = .text
  ) -> Option {
    Option(
      name: name, short: short, placeholder: placeholder, help: help, kind: kind, repeats: true)
  }

  /// With one of a few words, which stand on the help page as `disk|os|none`.
  package static func choice(
    _ name: String, short: Character? = nil, _ choices: [String], _ help: String,
    default defaultValue: String? = nil
  ) -> Option {
    Option(
      name: name, short: short, placeholder: choices.joined(separator: "|"), help: help,
      kind: .choice(choices), defaultValue: defaultValue, repeats: false)
  }
}

/// One word that a command takes by its place.
package struct Argument: Sendable {
  package enum Count: Equatable, Sendable {
    /// Exactly one.
    case one
    /// One, or none.
    case optional
    /// One or more; only the last argument can be this.
    case several
    /// Any number, none included; only the last argument can be this.
    case any
  }

  /// Its name on the help page, in capitals.
  package var placeholder: String
  /// A phrase, without a full stop; empty when the name says it all.
  package var help: String
  package var kind: ValueKind
  package var count: Count

  package static func required(
    _ placeholder: String, _ help: String = "", _ kind: ValueKind = .text
  ) -> Argument {
    Argument(placeholder: placeholder, help: help, kind: kind, count: .one)
  }

  package static func optional(
    _ placeholder: String, _ help: String = "", _ kind: ValueKind = .text
  ) -> Argument {
    Argument(placeholder: placeholder, help: help, kind: kind, count: .optional)
  }

  /// One or more.
  package static func repeated(
    _ placeholder: String, _ help: String = "", _ kind: ValueKind = .text
  ) -> Argument {
    Argument(placeholder: placeholder, help: help, kind: kind, count: .several)
  }

  /// None, one or more.
  package static func any(
    _ placeholder: String, _ help: String = "", _ kind: ValueKind = .text
  ) -> Argument {
    Argument(placeholder: placeholder, help: help, kind: kind, count: .any)
  }

  var takesSeveral: Bool { count == .several || count == .any }
  var isRequired: Bool { count == .one || count == .several }
}
