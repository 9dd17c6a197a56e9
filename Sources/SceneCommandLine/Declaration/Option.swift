internal import ScenePlatform

/// One option of a command: `--name`, and perhaps `-n`.
package struct Option: Sendable {
  /// Without the dashes.
  package var name: String
  package var short: Character?
  /// The placeholder of the value on the help page; nil for a flag.
  package var placeholder: String?
  /// A phrase without a period.
  package var help: String
  package var kind: ValueKind
  /// The value of a missing option.
  package var defaultValue: String?
  /// Whether repeated values are collected; otherwise the last one counts.
  package var repeats: Bool
  /// Values that a single dash may precede without the option's name, as in `kill -9`.
  package var dashedValues: [String] = []
  /// Whether an option of a verb may also precede the verb, as a program's options do.
  package var mayPrecedeVerb = false

  package var takesValue: Bool { placeholder != nil }
}

extension Option {
  /// An option without a value.
  package static func flag(_ name: String, short: Character? = nil, _ help: String) -> Option {
    Option(name: name, short: short, placeholder: nil, help: help, kind: .text, repeats: false)
  }

  /// The application of a command line.
  package static var application: Option {
    .value(
      "application", short: "a", "NAME", "the name of the application",
      default: ApplicationName.standard)
  }

  /// An option with a value.
  package static func value(
    _ name: String, short: Character? = nil, _ placeholder: String, _ help: String,
    _ kind: ValueKind = .text, default defaultValue: String? = nil
  ) -> Option {
    Option(
      name: name, short: short, placeholder: placeholder, help: help, kind: kind,
      defaultValue: defaultValue, repeats: false)
  }

  /// The same option, which may also precede the verb.
  package var alsoBeforeVerb: Option {
    var option = self
    option.mayPrecedeVerb = true
    return option
  }

  /// The same option, with the short form `-VALUE` for each of these values. The verb rejects other
  /// values of capitals and digits.
  package func dashed(_ values: [String]) -> Option {
    var option = self
    option.dashedValues = values
    return option
  }

  /// An option with a value that may repeat.
  package static func repeated(
    _ name: String, short: Character? = nil, _ placeholder: String, _ help: String,
    _ kind: ValueKind = .text
  ) -> Option {
    Option(
      name: name, short: short, placeholder: placeholder, help: help, kind: kind, repeats: true)
  }

  /// An option with one of these words. The help page shows `disk|os|none`.
  package static func choice(
    _ name: String, short: Character? = nil, _ choices: [String], _ help: String,
    default defaultValue: String? = nil
  ) -> Option {
    Option(
      name: name, short: short, placeholder: alternatives(choices), help: help,
      kind: .choice(choices), defaultValue: defaultValue, repeats: false)
  }

  /// Each start of a program joins choices. The first call of `joined` costs 190,000 instructions,
  /// because it is generic code of the standard library.
  private static func alternatives(_ words: [String]) -> String {
    words.dropFirst().reduce(words.first ?? "") { $0 + "|" + $1 }
  }
}
