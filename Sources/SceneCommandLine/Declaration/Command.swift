/// The declaration of a program or a verb, in the order of its help page. The parser, the help
/// page, the man page and the completion scripts use it.
package struct Command: Sendable {
  package var name: String
  /// One sentence.
  package var summary: String
  /// More sentences; an empty line separates paragraphs.
  package var details: String
  /// Headings, and the further details under each.
  package var sections: KeyValuePairs<String, String>
  package var arguments: [Argument]
  /// The command of another program that may follow `--`. Its words are not parsed.
  package var trailing: Argument?
  /// The options. The verbs inherit them.
  package var options: [Option]
  /// Other names that the parser accepts for this verb.
  package var aliases: [String]
  /// Words that other tools use for a verb, and the verb to suggest for each.
  package var suggestions: KeyValuePairs<String, String> = [:]
  /// Whether the verb uses the options of its parents.
  package var inheritsOptions: Bool
  /// Sets of options of which only one may be given.
  package var exclusive: [[String]]
  package var groups: [(heading: String, verbs: [Command])]
  /// The verb of a command line without a verb.
  package var defaultVerb: String?
  /// Command lines and their effects.
  package var examples: KeyValuePairs<String, String>
  /// Variables and their meanings.
  package var environment: KeyValuePairs<String, String>
  /// The meanings of its exit statuses.
  package var exits: KeyValuePairs<ExitCode, String>
  /// Shown by `--version`; a program has one, a verb has none.
  package var version: String?

  package init(
    _ name: String, _ summary: String, version: String? = nil, details: String = "",
    sections: KeyValuePairs<String, String> = [:],
    arguments: [Argument] = [], trailing: Argument? = nil,
    options: [Option] = [], exclusive: [[String]] = [], verbs: [Command] = [],
    groups: [(heading: String, verbs: [Command])] = [], defaultVerb: String? = nil,
    examples: KeyValuePairs<String, String> = [:],
    environment: KeyValuePairs<String, String> = [:],
    exits: KeyValuePairs<ExitCode, String> = [:], aliases: [String] = [],
    inheritsOptions: Bool = true
  ) {
    self.name = name
    self.summary = summary
    self.version = version
    self.details = details
    self.sections = sections
    self.arguments = arguments
    self.trailing = trailing
    self.options = options
    self.exclusive = exclusive
    // Verbs without groups have one.
    self.groups = verbs.isEmpty ? groups : [("Verbs", verbs)]
    self.defaultVerb = defaultVerb
    self.examples = examples
    self.environment = environment
    self.exits = exits
    self.aliases = aliases
    self.inheritsOptions = inheritsOptions
  }
}

extension Command {
  /// All verbs, in the order of the help page.
  package var verbs: [Command] {
    groups.flatMap(\.verbs)
  }

  /// The options that may precede the verb, without duplicates.
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

  /// The verb with exactly this name or alias.
  package func verb(_ name: String) -> Command? {
    verbs.first { $0.name == name || $0.aliases.contains(name) }
  }

  /// The verb to suggest for an unknown word. A verb can do harm, so only one letter may differ.
  func suggestion(for word: String) -> String? {
    suggestions.first { $0.key == word }?.value
      ?? nearest(to: word, among: verbs.flatMap { [$0.name] + $0.aliases }, atMost: 1)
  }
}
