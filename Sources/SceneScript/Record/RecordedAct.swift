import SceneModel

/// Something that somebody did, as a line of a script, and the callbacks that came of it.
struct RecordedAct {
  enum Deed: Equatable {
    /// A line as it is.
    case line(String)
    /// A verb of the user's hand, about these sessions.
    case control(String, [String])
    /// What is typed at a client, and the verb that does the same from outside.
    case typed(String, String, control: String?, session: String)
  }

  struct Call {
    var player: String
    var session: SessionIdentifier
    /// A callback's, or that of an event of a topic.
    var name: String
    /// What a `trace` says of it, behind its name.
    var conditions: [String] = []
    /// Whether it was told that it was answered, or will not be.
    var isSettled = false
    var isAnswered = true

    var callback: CallbackKind? { CallbackKind(rawValue: name) }
  }

  var deed: Deed
  /// What happens, for a section that begins here.
  var heading: String?
  /// What a script cannot do, or is done otherwise.
  var notes: [RecordedNote] = []
  var calls: [Call] = []
  /// Lines that have to come first.
  var preparations: [String] = []
  /// Whether something was not answered: then nobody can wait for it.
  var isUnanswered = false
  /// Who asked for it, as the broker told it.
  var asker: Int64?
  /// Whether it was done to open something, which is not known.
  var opens = false
  /// Whether callbacks that come of it are looked at.
  var isTraced = true

  init(_ deed: Deed, heading: String? = nil, asker: Int64? = nil, isTraced: Bool = true) {
    self.deed = deed
    self.heading = heading
    self.asker = asker
    self.isTraced = isTraced
  }

  /// The title of the section that begins with it, if one does.
  var title: String? {
    guard case .control(let verb, let sessions) = deed, heading == nil, isTraced else {
      return heading
    }
    let who = sessions.joined(separator: ", ") + (sessions.count > 1 ? " are" : " is")
    return ["reclaim": "\(who) reclaimed.", "discard": "\(who) discarded."][verb]
  }

  mutating func note(_ text: String) { notes.append(.sentence(text)) }

  /// With what was done in the same breath: one line for all that somebody asked for at once.
  func merging(_ next: RecordedAct) -> RecordedAct? {
    if deed == next.deed, deed == Self.advance { return self }
    guard case .control(let verb, let sessions) = deed,
      case .control(verb, let others) = next.deed, asker != nil, asker == next.asker, !opens,
      !next.opens
    else { return nil }
    var merged = self
    merged.deed = .control(verb, sessions + others)
    merged.calls += next.calls
    merged.notes += next.notes
    return merged
  }

  /// Whoever activated the scene brought something along that is to be continued there; false if it
  /// was not this that did.
  mutating func bringActivity() -> Bool {
    let sessions: [String]
    switch deed {
    case .control(let verb, let names) where verb.hasPrefix("activate"):
      if verb.hasSuffix(Self.broughtActivity) { return true }
      deed = .control(verb + Self.broughtActivity, names)
      return true
    case .typed(_, _, control: "activate", let session): sessions = [session]
    case .line, .control, .typed: return false
    }
    deed = .control("activate" + Self.broughtActivity, sessions)
    return true
  }

  private static let broughtActivity = " --activity com.example.unknown={}"

  /// More than any callback may take, unless somebody wants it otherwise.
  static let advance = Deed.line("advance 20s")

  var line: String {
    switch deed {
    case .line(let line): return line
    case .control(let verb, let sessions): return control(verb, sessions)
    case .typed(_, _, let verb?, let session) where isUnanswered: return control(verb, [session])
    case .typed(let player, let text, _, _): return "\(player): \(text)"
    }
  }

  private func control(_ verb: String, _ sessions: [String]) -> String {
    ([verb] + (isUnanswered ? ["--no-wait"] : []) + sessions).joined(separator: " ")
  }

  /// The blocks behind it: for each client what it was called for.
  var traces: [String] {
    guard isTraced else { return [] }
    var players: [String] = []
    for call in calls where !players.contains(call.player) { players.append(call.player) }
    return players.flatMap { player in
      let calls = self.calls.filter { $0.player == player }
      // Of several scenes of one client each goes its own way.
      let mark = Set(calls.map(\.session)).count > 1 ? "~ " : ""
      // Of what was under way when its process ended, more comes where nobody ends it.
      let rest = calls.allSatisfy(\.isSettled) ? [] : ["    ..."]
      return ["trace \(player) {"] + calls.map { "    " + mark + $0.line } + rest + ["}"]
    }
  }
}

extension RecordedAct.Call {
  var line: String {
    let answer = isAnswered ? [] : ["answered=false"]
    return ([name] + conditions + answer).joined(separator: " ")
  }
}
