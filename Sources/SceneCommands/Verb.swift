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
    /// `--timeout` is the time for the reply, and not for an action.
    case timeoutIsForReply
  }

  let name: String
  /// The effect on a script; nil if scripts cannot use the verb. Such a verb needs no broker, never
  /// ends, or means something else in a script.
  let scriptRole: ScriptVerb.Role?
  let traits: Set<Trait>
  private let method: @Sendable (CommandContext) -> () throws -> ExitCode
  private let declaration: @Sendable (_ name: String) -> Command

  /// - Parameters:
  ///   - name: the word on the command line.
  ///   - script: the effect on a script.
  ///   - traits: exceptions to the common rules.
  ///   - run: the code of the verb.
  ///   - command: the declaration of the command line, for this name.
  init(
    _ name: String, script: ScriptVerb.Role? = nil, traits: Set<Trait> = [],
    run: @escaping @Sendable (CommandContext) -> () throws -> ExitCode,
    command: @escaping @Sendable (_ name: String) -> Command
  ) {
    self.name = name
    scriptRole = script
    self.traits = traits
    method = run
    declaration = command
  }

  var command: Command { declaration(name) }

  /// Whether this use of the verb must not start a broker by itself.
  func startsNoBroker(_ invocation: Invocation) -> Bool {
    invocation.knows("hint") && invocation.has("hint")
  }

  func run(_ context: CommandContext) throws -> ExitCode { try method(context)() }
}

extension Verb {
  /// All verbs, in the groups and the order of the help page.
  static let groups: [(heading: String, verbs: [Verb])] = [
    (
      "Inspect",
      [
        .status, .sessions, .top, .show, .switcher, .history, .why, .route, .timeline, .topics,
        .observe,
      ]
    ),
    (
      "Act as the user",
      [
        .new, .activate, .reopen, .window, .background, .interrupt, .resume, .reclaim, .close,
        .discard,
        .open,
        .continueActivity, .notify, .shortcut, .refresh, .post, .save, .restore, .rename, .title,
        .data, .kill, .memoryWarning, .timeChange, .shutdown,
      ]
    ),
    (
      "Script",
      [.wait, .is, .trace, .settle, .advance, .fault, .delegate, .test, .conform]
    ),
    ("Maintain", [.manifest, .journal, .environment, .call, .completion, .manual]),
  ]

  static let all = groups.flatMap(\.verbs)
}
