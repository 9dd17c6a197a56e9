import SceneCommandLine
import SceneScript

/// A verb of `scenectl`.
///
/// The name, the command line, the role in scripts and the code of a verb are in one value. The
/// file of its group declares the value.
struct Verb: Sendable {
  /// A property that the control tool needs before the verb runs.
  enum Trait: Sendable {
    /// The verb handles SIGINT itself.
    case handlesInterrupts
    /// The verb waits for a broker that does not run yet.
    case waitsForBroker
    /// A command over ssh starts the verb, so `XDG_RUNTIME_DIR` can be missing.
    case runsWithoutLogin
    /// `--timeout` is the time for the reply, and not for an action.
    case timeoutIsForReply
  }

  let command: Command
  /// The effect on a script; nil if scripts cannot use the verb. Such a verb needs no broker, never
  /// ends, or means something else in a script.
  let scriptRole: ScriptVerb.Role?
  /// The exceptions to the common rules.
  let traits: Set<Trait>
  private let method: @Sendable (CommandContext) -> () throws -> ExitCode

  init(
    _ name: String, _ summary: String, script: ScriptVerb.Role? = nil, traits: Set<Trait> = [],
    run: @escaping @Sendable (CommandContext) -> () throws -> ExitCode, details: String = "",
    arguments: [Argument] = [], trailing: Argument? = nil, options: [Option] = [],
    exclusive: [[String]] = [], verbs: [Command] = [], defaultVerb: String? = nil,
    examples: KeyValuePairs<String, String> = [:],
    environment: KeyValuePairs<String, String> = [:],
    exits: KeyValuePairs<ExitCode, String> = [:], aliases: [String] = [],
    inheritsOptions: Bool = true
  ) {
    command = Command(
      name, summary, details: details, arguments: arguments, trailing: trailing, options: options,
      exclusive: exclusive, verbs: verbs, defaultVerb: defaultVerb, examples: examples,
      environment: environment, exits: exits, aliases: aliases, inheritsOptions: inheritsOptions)
    scriptRole = script
    self.traits = traits
    method = run
  }

  var name: String { command.name }

  /// Whether this use of the verb must not start a broker by itself.
  func startsNoBroker(_ invocation: Invocation) -> Bool {
    name == "shutdown" || invocation.knows("hint") && invocation.has("hint")
  }

  func run(_ context: CommandContext) throws -> ExitCode { try method(context)() }
}

extension Verb {
  /// All verbs, in the groups and the order of the help page.
  static let groups: [(heading: String, verbs: [Verb])] = [
    (
      "Inspect",
      [
        .status, .sessions, .top, .show, .switcher, .history, .why, .ping, .route, .timeline,
        .trace, .topics, .observe, .trash, .applications,
      ]
    ),
    (
      "Act as the user",
      [
        .new, .activate, .reopen, .window, .background, .interrupt, .resume, .reclaim, .close,
        .discard, .undiscard, .open, .continueActivity, .notify, .shortcut, .refresh, .post, .save,
        .restore,
        .rename, .title, .data, .move, .handoff, .kill, .memoryWarning, .timeChange, .shutdown,
      ]
    ),
    ("Script", [.wait, .is]),
    ("Test", [.test, .conform, .settle, .advance, .fault, .delegate]),
    (
      "Maintain",
      [
        .upgrade, .manifest, .journal, .environment, .call, .adopt, .release, .completion,
        .integration, .manual,
      ]
    ),
  ]

  static let all = groups.flatMap(\.verbs)
}
