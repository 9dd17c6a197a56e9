/// The table of a program or of one of its verbs, in the order of its help page. The parser, the help
/// page, the man page and the completion scripts come from it.
package struct Command: Sendable {
  package var name: String
  /// One sentence.
  package var summary: String
  /// More sentences; an empty line separates paragraphs.
  package var details: String
  package var arguments: [Argument]
  /// The command of another program that may follow `--`. Its words are not parsed.
  package var trailing: TrailingCommand?
  /// They hold for the verbs below as well.
  package var options: [Option]
  /// Other names that the parser accepts for this verb.
  package var aliases: [String] = []
  /// Words that other tools use for a verb, and the verb to suggest for each.
  package var suggestions: KeyValuePairs<String, String> = [:]
  /// Whether the options of the commands above mean something to it; they may be given in any case.
  package var heedsOptionsAbove = true
  /// Sets of options of which only one may be given.
  package var exclusive: [[String]]
  package var groups: [VerbGroup]
  /// The verb that is meant when none is given.
  package var defaultVerb: String?
  /// Command lines, and their effects.
  package var examples: KeyValuePairs<String, String>
  /// Variables, and what they are for.
  package var environment: KeyValuePairs<String, String>
  /// The meanings of its exit statuses.
  package var exits: KeyValuePairs<ExitCode, String>
  /// Shown by `--version`; a program has one, a verb has none.
  package var version: String?

  package init(
    _ name: String, _ summary: String, version: String? = nil, details: String = "",
    arguments: [Argument] = [], trailing: TrailingCommand? = nil,
    options: [Option] = [], exclusive: [[String]] = [],
    groups: [VerbGroup] = [], defaultVerb: String? = nil,
    examples: KeyValuePairs<String, String> = [:],
    environment: KeyValuePairs<String, String> = [:],
    exits: KeyValuePairs<ExitCode, String> = [:]
  ) {
    self.name = name
    self.summary = summary
    self.version = version
    self.details = details
    self.arguments = arguments
    self.trailing = trailing
    self.options = options
    self.exclusive = exclusive
    self.groups = groups
    self.defaultVerb = defaultVerb
    self.examples = examples
    self.environment = environment
    self.exits = exits
  }

  /// A command whose verbs need no sorting.
  package init(
    _ name: String, _ summary: String, version: String? = nil, details: String = "",
    options: [Option] = [], exclusive: [[String]] = [], verbs: [Command],
    defaultVerb: String? = nil, examples: KeyValuePairs<String, String> = [:],
    environment: KeyValuePairs<String, String> = [:],
    exits: KeyValuePairs<ExitCode, String> = [:]
  ) {
    self.init(
      name, summary, version: version, details: details, options: options, exclusive: exclusive,
      groups: [VerbGroup("Verbs", verbs)], defaultVerb: defaultVerb, examples: examples,
      environment: environment, exits: exits)
  }
}

/// Verbs that belong together, under a heading of the help page.
package struct VerbGroup: Sendable {
  package var heading: String
  package var verbs: [Command]

  package init(_ heading: String, _ verbs: [Command]) {
    self.heading = heading
    self.verbs = verbs
  }
}

/// The command behind `--`.
package struct TrailingCommand: Sendable {
  package var placeholder: String
  package var isRequired: Bool

  package static func required(_ placeholder: String = "COMMAND") -> TrailingCommand {
    TrailingCommand(placeholder: placeholder, isRequired: true)
  }

  package static func optional(_ placeholder: String = "COMMAND") -> TrailingCommand {
    TrailingCommand(placeholder: placeholder, isRequired: false)
  }
}

extension Command {
  /// The same as one to which the options of the commands above mean nothing.
  package var ignoringOptionsAbove: Command {
    var command = self
    command.heedsOptionsAbove = false
    return command
  }

  /// The same verb, which the parser also accepts under these names.
  package func aliased(_ aliases: String...) -> Command {
    var command = self
    command.aliases = aliases
    return command
  }

  /// All verbs, in the order of the help page.
  package var verbs: [Command] {
    groups.flatMap { $0.verbs }
  }

  /// The options of verbs that may stand before the verb, each once.
  var optionsBeforeVerb: [Option] {
    var options: [Option] = []
    for verb in verbs {
      for option in verb.options.filter(\.mayPrecedeVerb) + verb.optionsBeforeVerb
      where !options.contains(where: { $0.name == option.name }) {
        options.append(option)
      }
    }
    return options
  }

  /// The verb of exactly this name or alias.
  package func verb(_ name: String) -> Command? {
    for group in groups {
      if let verb = group.verbs.first(where: { $0.name == name || $0.aliases.contains(name) }) {
        return verb
      }
    }
    return nil
  }

  /// The verb to suggest for a word that is none.
  func suggestion(for word: String) -> String? {
    suggestions.first { $0.key == word }?.value
      ?? nearest(to: word, among: verbs.flatMap { [$0.name] + $0.aliases })
  }
}
