import SceneCommandLine
import SceneModel
import ScenePlatform

/// What `scenectl top` knows of a broker. Notifications keep it current.
struct TopModel {
  /// A callback without an answer, or a launch.
  struct Wait {
    let what: String
    /// Milliseconds of the application's clock.
    let since: Int64
  }

  private(set) var sessions: ObservedSessions = [:]
  /// The parts of cards that a summary lacks.
  private var cards: [SessionIdentifier: (subtitle: String?, snapshot: String?)] = [:]
  private var status = ApplicationStatus.Reply()
  private var waits: [SessionIdentifier: [Wait]] = [:]
  /// The latest time that the broker has sent; the time of a virtual clock is at least this.
  private var latest: Int64 = 0

  // MARK: - Messages of the broker

  mutating func take(_ status: ApplicationStatus.Reply) {
    self.status = status
    latest = max(latest, status.now)
  }

  mutating func take(_ page: [SessionSummary]) {
    sessions.add(page)
    for summary in page { latest = max(latest, summary.lastUsed) }
  }

  mutating func take(_ details: SessionDetails) {
    cards[details.summary.session] = (details.sceneSession.subtitle, details.snapshot)
  }

  mutating func take(_ notification: BrokerNotification) {
    switch notification {
    case .sessionChanged(let summary): take([summary])
    case .sessionDiscarded(let session):
      sessions[session] = nil
      waits[session] = nil
    case .phaseChanged(let phase): status.phase = phase
    case .trace(let entry): take(entry)
    default: break
    }
  }

  private mutating func take(_ entry: TraceEntry) {
    latest = max(latest, entry.time)
    guard let session = entry.session else { return }
    switch entry.event {
    case .callback: begin(entry.callback ?? "a callback", session, entry)
    case .acknowledged, .failed: end(entry.callback ?? "a callback", session)
    case .launched: begin(Self.launch, session, entry)
    case .connected, .launchFailed: end(Self.launch, session)
    case .disconnected, .discarded: waits[session] = nil
    default: break
    }
  }

  private static let launch = "launch"

  private mutating func begin(_ what: String, _ session: SessionIdentifier, _ entry: TraceEntry) {
    waits[session, default: []].append(Wait(what: what, since: entry.time))
  }

  private mutating func end(_ what: String, _ session: SessionIdentifier) {
    guard let place = waits[session]?.firstIndex(where: { $0.what == what }) else { return }
    waits[session]?.remove(at: place)
  }

  // MARK: - Text

  /// The lines about the state of a session, as `why` prints them.
  func lines(of reasons: [TraceEntry], about session: SessionIdentifier) -> [String] {
    reasons.reasonLines(of: sessions[session]?.client, at: now(), since: status.startedAt)
  }

  /// The connected clients, each once.
  var clients: [ClientReference] {
    Dictionary(sessions.values.compactMap(\.client).map { ($0.pid, $0) }) { first, _ in first }
      .values.map(\.self)
  }

  /// The time of the application's clock, in milliseconds. `wall` is the time of this machine.
  func now(wall: Int64 = SystemClock.wall() / 1_000_000) -> Int64 {
    status.clock == "virtual" ? latest : max(latest, wall)
  }

  /// The application and the number of its sessions, escaped.
  var heading: String {
    let connected = sessions.values.count { $0.state != .unattached }
    return "application \(PlainText.escaped(status.name)): \(status.phase.rawValue); "
      + "\(counted(sessions.count, "session", "sessions")), \(connected) connected"
  }

  /// A row for each session, the most recently used first. A wait shorter than `shortestWait` is
  /// not shown.
  func rows(at now: Int64, usage: TopUsage, shortestWait: Int64 = 0) -> [TopRow] {
    sessions.values.sorted(by: SessionSummary.precedes).map { summary in
      let wait = wait(of: summary.session).flatMap { now - $0.since >= shortestWait ? $0 : nil }
      return TopRow(
        summary: summary, wait: wait, usage: summary.client.flatMap { usage.value(of: $0) },
        now: now, subtitle: cards[summary.session]?.subtitle,
        snapshot: cards[summary.session]?.snapshot)
    }
  }

  /// The oldest callback that the session waits for.
  func wait(of session: SessionIdentifier) -> Wait? { waits[session]?.first }
}

/// A session as `scenectl top` shows it. All texts are escaped. They are made when they are used,
/// because most sessions of a long list are not visible.
struct TopRow {
  var summary: SessionSummary
  let wait: TopModel.Wait?
  let usage: TopUsage.Value?
  /// Milliseconds of the application's clock.
  let now: Int64
  var subtitle: String?
  var snapshot: String?

  /// The lines of the session in a switcher, with an empty line after them.
  var card: [String] { summary.card(subtitle, snapshot, at: now) + [""] }

  var session: SessionIdentifier { summary.session }
  var state: ActivationState { summary.state }
  var isMoving: Bool { summary.state != summary.target }
  /// The text of the line below the list about the selected session.
  var detail: String { summary.detail(at: now) }

  subscript(column: TopColumn) -> String {
    let text: String? =
      switch column {
      case .name: summary.label
      case .state: summary.specialState(at: now) ?? summary.state.word
      case .command: summary.command.map { PlainText.escaped($0) }
      case .title: summary.title.map { PlainText.escaped($0) }
      case .generation: "\(summary.generation)"
      case .wait: wait.map { PlainText.escaped("\(Age.text(from: $0.since, to: now)) \($0.what)") }
      case .memory: usage.map { TopUsage.text(ofBytes: $0.residentBytes) }
      case .cpu: usage?.percent.map { TopUsage.text(ofPercent: $0) }
      case .last: Age.text(from: summary.lastUsed, to: now)
      }
    return text ?? "-"
  }

  /// Whether the name, the command or the title contains the text, in any letter case.
  func matches(_ text: String) -> Bool {
    if text.isEmpty { return true }
    let text = text.lowercased()
    return [.name, .command, .title].contains { self[$0].lowercased().contains(text) }
  }
}

extension SessionSummary {
  /// The stored command, or else the client.
  fileprivate var command: String? { program?.shortLine ?? client?.name }

  fileprivate func detail(at now: Int64) -> String {
    // The column can cut the name.
    var words = [label]
    if let program { words.append(program.lineWithDirectory) }
    words.append("\(session)")
    if !configuration.isEmpty { words.append(PlainText.escaped(configuration)) }
    if let client {
      words.append(PlainText.escaped(client.label + (client.terminal?.words(at: now) ?? "")))
    }
    if state != target { words.append("target \(target.word)") }
    if let disconnect { words.append("disconnected: \(disconnect.words)") }
    if let withheld { words.append("generation \(withheld.generation) is withheld") }
    return words.joined(separator: ", ")
  }
}

extension ActivationState {
  /// A short form for a narrow column.
  fileprivate var word: String {
    switch self {
    case .foregroundActive: "active"
    case .foregroundInactive: "inactive"
    case .background, .unattached: rawValue
    }
  }
}
