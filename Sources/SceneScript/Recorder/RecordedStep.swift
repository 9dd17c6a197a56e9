import SceneModel

/// One line of a recorded script, and the callbacks that the line causes.
struct RecordedStep {
  enum Action: Equatable {
    /// A complete line.
    case line(String)
    /// A verb of `scenectl` with its sessions.
    case control(String, [String])
    /// A line that is typed at a client, and the equivalent verb of `scenectl`.
    case typedText(String, String, control: String?, session: String)
  }

  struct Call {
    var scriptClient: String
    var session: SessionIdentifier
    /// The name of a callback, or of an event.
    var name: String
    /// The conditions of the line in the `trace` block.
    var conditions: [String] = []
    /// Whether the trace has the answer or the timeout.
    var isSettled = false
    var isAnswered = true

    var callback: CallbackKind? { CallbackKind(rawValue: name) }
  }

  var action: Action
  /// The heading of the section that begins here.
  var heading: String?
  /// Differences between the script and the recording.
  var notes: [RecordedNote] = []
  var calls: [Call] = []
  /// Lines before this one.
  var preparations: [String] = []
  /// Whether a callback has no answer. The line then needs `--no-wait`.
  var isUnanswered = false
  /// The process that made the request.
  var requester: Int64?
  /// Whether the request opened content, which the trace does not contain.
  var opensContent = false
  /// Whether the script checks the callbacks.
  var isTraced = true

  init(_ action: Action, heading: String? = nil, requester: Int64? = nil, isTraced: Bool = true) {
    self.action = action
    self.heading = heading
    self.requester = requester
    self.isTraced = isTraced
  }

  /// The heading, or the default heading of the verb.
  var title: String? {
    guard case .control(let verb, let sessions) = action, heading == nil, isTraced else {
      return heading
    }
    let who = sessions.joined(separator: ", ") + (sessions.count > 1 ? " are" : " is")
    return ["reclaim": "\(who) reclaimed.", "discard": "\(who) discarded."][verb]
  }

  mutating func note(_ text: String) { notes.append(.sentence(text)) }

  /// The index of the last call of a callback.
  private func index(of callback: String?, in session: SessionIdentifier) -> Int? {
    calls.lastIndex { $0.session == session && $0.name == callback }
  }

  /// Marks the last call of a callback as answered or timed out.
  mutating func settle(_ callback: String?, of session: SessionIdentifier) {
    if let call = index(of: callback, in: session) { calls[call].isSettled = true }
  }

  /// Marks the last call of a callback as timed out. Returns the callback; nil without such a call.
  mutating func timeOut(_ callback: String?, of session: SessionIdentifier) -> CallbackKind? {
    guard let call = index(of: callback, in: session) else { return nil }
    calls[call].isSettled = true
    calls[call].isAnswered = false
    return calls[call].callback
  }

  /// Merges consecutive requests of one process into one line; nil if they differ.
  func merging(_ next: RecordedStep) -> RecordedStep? {
    if action == next.action, action == Self.advance { return self }
    guard case .control(let verb, let sessions) = action,
      case .control(verb, let others) = next.action, requester != nil, requester == next.requester,
      !opensContent,
      !next.opensContent
    else { return nil }
    var merged = self
    merged.action = .control(verb, sessions + others)
    merged.calls += next.calls
    merged.notes += next.notes
    return merged
  }

  /// Adds a placeholder for the activity that the scene continues; false if this step activates no
  /// scene.
  mutating func addContinuedActivity() -> Bool {
    let sessions: [String]
    switch action {
    case .control(let verb, let names) where verb.hasPrefix("activate"):
      if verb.hasSuffix(Self.continuedActivity) { return true }
      action = .control(verb + Self.continuedActivity, names)
      return true
    case .typedText(_, _, control: "activate", let session): sessions = [session]
    case .line, .control, .typedText: return false
    }
    action = .control("activate" + Self.continuedActivity, sessions)
    return true
  }

  private static let continuedActivity = " --activity com.example.unknown={}"

  /// Longer than every default budget.
  static let advance = Action.line("advance 20s")

  var line: String {
    switch action {
    case .line(let line): return line
    case .control(let verb, let sessions): return control(verb, sessions)
    case .typedText(_, _, let verb?, let session) where isUnanswered:
      return control(verb, [session])
    case .typedText(let scriptClient, let text, _, _): return "\(scriptClient): \(text)"
    }
  }

  private func control(_ verb: String, _ sessions: [String]) -> String {
    ([verb] + (isUnanswered ? ["--no-wait"] : []) + sessions).joined(separator: " ")
  }

  /// A `trace` block for each client.
  var traces: [String] {
    guard isTraced else { return [] }
    var all: [String] = []
    for call in calls where !all.contains(call.scriptClient) { all.append(call.scriptClient) }
    return all.flatMap { scriptClient in
      let calls = self.calls.filter { $0.scriptClient == scriptClient }
      // The callbacks of several scenes of one client have no fixed order.
      let mark = Set(calls.map(\.session)).count > 1 ? "~ " : ""
      // If the process ended during a callback, the replay can have more callbacks.
      let rest = calls.allSatisfy(\.isSettled) ? [] : ["    ..."]
      return ["trace \(scriptClient) {"] + calls.map { "    " + mark + $0.line } + rest + ["}"]
    }
  }
}

extension RecordedStep.Call {
  var line: String {
    let answer = isAnswered ? [] : ["answered=false"]
    return ([name] + conditions + answer).joined(separator: " ")
  }
}
