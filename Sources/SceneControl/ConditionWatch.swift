import CommandLine
import JSON
import SceneModel

/// Follows conditions: what they speak of is looked at once, and again when the broker tells of a
/// change.
package struct ConditionWatch {
  package let conditions: [Condition]
  /// One for each condition, as it was last.
  package private(set) var outcomes: [ConditionOutcome] = []

  private let connection: ControlConnection
  /// The newest event of each topic that a condition speaks of.
  private var newest: [String: RawJSON] = [:]
  /// The sessions that the conditions were last found to be about.
  private var sessions: [SessionIdentifier?] = []

  /// Looks at all of them now. From then on nothing is missed.
  package init(
    _ conditions: [Condition], on connection: ControlConnection, until deadline: Int64? = nil
  ) throws(ControlError) {
    self.conditions = conditions
    self.connection = connection
    var observations = [connection.post(SessionObserve())]
    if conditions.contains(where: \.looksIntoApplication) {
      // Only the trace tells of clients that come and go, and of the disk; what it has kept so far
      // is old news.
      observations.append(connection.post(TraceObserve(after: Self.afterAll)))
    }
    try observeTopics(until: deadline)
    for condition in conditions {
      let (outcome, session) = try look(at: condition, until: deadline)
      outcomes.append(outcome)
      sessions.append(session)
    }
    for observation in observations {
      _ = try connection.result(of: observation, until: deadline)
    }
  }

  /// A number that no entry of a trace will have: the greatest that every JSON library carries
  /// exactly.
  private static let afterAll: Int64 = 1 << 53 - 1

  /// What to say of a condition about a session that is not there, if a state is likelier to be meant.
  package var doubt: String? {
    for (place, outcome) in outcomes.enumerated() where outcome.isAboutNobody {
      let doubt = ConditionArguments.doubt(about: conditions[place], isFirst: place == 0)
      if let doubt { return doubt }
    }
    return nil
  }

  package var allHold: Bool { outcomes.allSatisfy(\.holds) }

  /// A line for each condition: whether it holds, and how things are.
  package var report: String {
    zip(conditions, outcomes).map { condition, outcome in
      let observations = outcome.holds ? [] : outcome.observations
      let line = (outcome.holds ? "  yes  " : "  no   ") + condition.description
      return PlainText.escaped(
        observations.isEmpty ? line : line + ": " + observations.joined(separator: ", "))
    }
    .joined(separator: "\n")
  }

  /// Returns when all conditions hold at once; false when the deadline came first.
  package mutating func wait(until deadline: Int64?) throws(ControlError) -> Bool {
    do throws(ControlError) {
      while !allHold {
        guard let first = try connection.nextNotification(until: deadline) else { return false }
        let changes = [first] + (try connection.takeNotifications())
        try take(changes, until: deadline)
      }
      return true
    } catch .timedOut {
      return false
    }
  }

  private mutating func take(
    _ changes: [ControlNotification], until deadline: Int64?
  ) throws(ControlError) {
    var stale: Set<Int> = []
    for told in changes {
      guard let change = try told.read() else { continue }
      if case .posted(let event) = change { try take(told.params, of: event.topic) }
      for index in conditions.indices where concerns(change, index) { stale.insert(index) }
    }
    for index in stale.sorted() {
      (outcomes[index], sessions[index]) = try look(at: conditions[index], until: deadline)
    }
  }

  /// Asks for the newest event of each topic that is spoken of, and for those to come.
  private mutating func observeTopics(until deadline: Int64?) throws(ControlError) {
    let topics = Set(
      conditions.compactMap { if case .topic(let name) = $0.subject { name } else { nil } })
    guard !topics.isEmpty else { return }
    let requests = topics.sorted().map { connection.post(EventObserve(topic: $0, last: 1)) }
    // What is kept comes before the answer to what is asked next.
    let end = connection.post(Ping())
    for request in requests + [end] { _ = try connection.result(of: request, until: deadline) }
    for told in try connection.takeNotifications() {
      if case .posted(let event)? = try told.read() { newest[event.topic] = told.params }
    }
  }

  /// Of several that come at once each is looked at: what held once has come about.
  private mutating func take(_ event: RawJSON, of topic: String) throws(ControlError) {
    newest[topic] = event
    for index in conditions.indices where conditions[index].subject == .topic(topic) {
      guard !outcomes[index].holds else { continue }
      outcomes[index] = try outcome(of: conditions[index], in: event)
    }
  }

  private func concerns(_ change: BrokerNotification, _ index: Int) -> Bool {
    switch (conditions[index].subject, change) {
    case (.application, .sessionChanged), (.application, .sessionDiscarded),
      (.application, .phaseChanged):
      return true
    case (.session(let who), .sessionChanged(let summary)):
      return summary.session == sessions[index] || summary.name == who
        || IdentifierPrefix(who)?.matches(summary.session) == true
    case (.session(let who), .sessionDiscarded(let session)):
      return session == sessions[index] || IdentifierPrefix(who)?.matches(session) == true
    case (.application, .trace(let entry)):
      // With the delegate's launch, what waited for it goes on.
      return [.joined, .left, .storage].contains(entry.event)
        || entry.callback == DelegateCallbackKind.didFinishLaunching.rawValue
    case (.session, .phaseChanged), (.session, .trace), (.topic, .sessionChanged),
      (.topic, .sessionDiscarded), (.topic, .phaseChanged), (.topic, .trace), (_, .memoryWarning),
      (_, .significantTimeChange), (_, .posted), (_, .delegate):
      return false
    }
  }

  private func look(
    at condition: Condition, until deadline: Int64?
  ) throws(ControlError) -> (ConditionOutcome, SessionIdentifier?) {
    switch condition.subject {
    case .application:
      let json = try connection.result(of: connection.post(ApplicationStatus()), until: deadline)
      return (try outcome(of: condition, in: json), nil)
    case .topic(let name):
      guard let event = newest[name] else { return (condition.outcome(for: nil), nil) }
      return (try outcome(of: condition, in: event), nil)
    case .session(let who):
      switch try connection.find([who], until: deadline).first {
      case .found(let session):
        return (try outcome(of: condition, in: session.json), session.identifier)
      case .ambiguous(let reply):
        let observation = "ambiguous session prefix (\(reply.count) matches)"
        return (ConditionOutcome(holds: false, observations: [observation]), nil)
      case .nothing, nil:
        return (condition.outcome(for: nil), nil)
      }
    }
  }

  private func outcome(
    of condition: Condition, in json: RawJSON
  ) throws(ControlError) -> ConditionOutcome {
    condition.outcome(for: try ControlConnection.document(json).root)
  }
}

extension Condition {
  /// Whether it speaks of more than the phase of the application.
  fileprivate var looksIntoApplication: Bool {
    guard case .application = subject else { return false }
    return requirements.contains { if case .value = $0 { true } else { false } }
  }
}
