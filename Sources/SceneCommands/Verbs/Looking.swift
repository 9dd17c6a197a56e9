import CommandLine
import JSON
import SceneControl
import SceneModel

extension Errand {
  // MARK: - status

  func status() throws(ProgramError) -> ExitCode {
    let (json, sessions) = try ask { broker throws(ControlError) in
      let request = broker.post(ApplicationStatus())
      let sessions = printsJSON ? [] : try broker.sessions(until: patience())
      return (try broker.result(of: request, until: patience()), sessions)
    }
    if printsJSON {
      console.print(json)
      return .success
    }
    let status = try read(ApplicationStatus.Reply.self, json)
    console.print(line(about: status))
    if !sessions.isEmpty { console.print(table(of: sessions, at: status.now)) }
    return .success
  }

  /// For example `application default: active; 1 session, durability disk, 0 of 1280 MiB used`.
  private func line(about status: ApplicationStatus.Reply) -> String {
    var name = PlainText.escaped(status.name)
    let bundle = [status.bundleName, status.bundleVersion].compactMap(\.self)
    if !bundle.isEmpty { name += " (\(PlainText.escaped(bundle.joined(separator: " "))))" }
    let count = counted(status.sessions, "session", "sessions")
    var line = "application \(name): \(status.phase.rawValue); \(count)"
    line += ", durability \(PlainText.escaped(status.durability))"
    if status.storage != "ok" { line += ", storage \(PlainText.escaped(status.storage))" }
    if status.clock != "real" { line += ", clock \(PlainText.escaped(status.clock))" }
    if let bytes = status.bytes, let limit = status.byteLimit {
      line += ", \(bytes >> 20) of \(limit >> 20) MiB used"
    }
    if let delegate = status.delegate {
      line += ", application delegate: \(PlainText.escaped(delegate.name)) \(delegate.pid)"
    }
    if let waiting = status.awaitingDelegate {
      let requests = counted(waiting, "request waits", "requests wait")
      line += "\n\(requests) for \(awaitedDelegate(in: status))"
    }
    return line
  }

  // MARK: - sessions

  func sessions() throws(ProgramError) -> ExitCode {
    if invocation.has("watch") { return try watch() }
    var sessions: [SessionSummary] = []
    let filter = try sessionFilter()
    try ask { broker throws(ControlError) in
      try broker.forEachPage(of: filter, until: patience()) { page, json in
        sessions += page.sessions
        if printsJSON { console.print(json) }
      }
    }
    if invocation.has("names"), !printsJSON {
      for session in sessions { console.print(session.label) }
    } else if !printsJSON {
      console.print(table(of: sessions, at: try applicationTime()))
    }
    if sessions.isEmpty, filter != SessionList(), console.isScreen {
      console.complain("scenectl: no session matches the filter")
    }
    return .success
  }

  /// What `--state`, `--role` and `--where` select.
  private func sessionFilter() throws(ProgramError) -> SessionList {
    let members = invocation.values("where")
    return SessionList(
      state: invocation.value("state").flatMap(ActivationState.init),
      role: invocation.value("role").map(Role.init(rawValue:)),
      matching: members.isEmpty ? nil : try object(of: members))
  }

  /// Follows the list for as long as the broker lives and the output has a reader.
  private func watch() throws(ProgramError) -> ExitCode {
    var list = SessionsSeen()
    try ask { broker throws(ControlError) in
      let observation = broker.post(SessionObserve())
      try broker.forEachPage(of: SessionList(), until: patience()) { page, json in
        list.add(page.sessions)
        if printsJSON { printEach(inPage: json) }
      }
      _ = try broker.result(of: observation, until: patience())
    }
    if !printsJSON { try show(list) }
    while true { try show(try waitForNews(), in: &list) }
  }

  private func show(
    _ changes: [ControlNotification], in list: inout SessionsSeen
  ) throws(ProgramError) {
    for change in changes where change.method == "session/changed" {
      let read = try ask { (_) throws(ControlError) in try change.read() }
      switch read {
      case .sessionChanged(let summary): list.add([summary])
      case .sessionDiscarded(let session): list.remove(session)
      case .phaseChanged, .memoryWarning, .significantTimeChange, .posted, .trace,
        .delegate, nil:
        continue
      }
      if printsJSON { console.print(change.params) }
    }
    if !printsJSON { try show(list) }
  }

  /// A screen is drawn anew; elsewhere one table follows the other.
  private func show(_ list: SessionsSeen) throws(ProgramError) {
    let now = try applicationTime()
    if console.isScreen { console.clearScreen() }
    console.print(table(of: list.sessions, at: now))
    if !console.isScreen { console.print("") }
  }

  private func printEach(inPage json: RawJSON) {
    let document = JSONDocument()
    guard (try? document.read(json.bytes.span)) != nil else { return }
    for session in document.root["sessions"]?.elements ?? document.root.elements {
      console.print(session.raw)
    }
  }

  // MARK: - The table

  private func table(of sessions: [SessionSummary], at now: Int64) -> Table {
    var table = Table(["NAME", "STATE", "TITLE", "LAST", "CLIENT"])
    for session in sessions.sorted(by: SessionSummary.precedes) {
      table.add([
        Table.Cell(session.name ?? session.session.short),
        Table.Cell(session.whereabouts, session.state.style),
        Table.Cell(session.title ?? "-"),
        Table.Cell(Age.text(from: session.lastUsed, to: now)),
        Table.Cell(session.client.map { "\($0.name) \($0.pid)" } ?? "-"),
      ])
    }
    return table
  }

  func read<Value: JSONCodable>(_ type: Value.Type, _ json: RawJSON) throws(ProgramError) -> Value {
    try ask { (_) throws(ControlError) in try ControlConnection.read(type, from: json) }
  }
}

/// The sessions that are there, kept up to date.
private struct SessionsSeen {
  private(set) var sessions: [SessionSummary] = []

  mutating func add(_ summaries: [SessionSummary]) {
    for summary in summaries {
      if let place = sessions.firstIndex(where: { $0.session == summary.session }) {
        sessions[place] = summary
      } else {
        sessions.append(summary)
      }
    }
  }

  mutating func remove(_ session: SessionIdentifier) {
    sessions.removeAll { $0.session == session }
  }
}

extension SessionSummary {
  /// Where its scene is and, while that is another place, where it is going: then a callback is
  /// not answered yet.
  fileprivate var whereabouts: String {
    state == target ? state.rawValue : "\(state.rawValue) → \(target.rawValue)"
  }
}

extension ActivationState {
  fileprivate var style: Style {
    switch self {
    case .unattached: .faint
    case .background, .foregroundInactive: .plain
    case .foregroundActive: .good
    }
  }
}
