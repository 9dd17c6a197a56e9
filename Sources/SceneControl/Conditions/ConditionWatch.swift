import SceneCommandLine
import SceneJSON
import SceneModel
import ScenePlatform

/// Observes conditions. Each is tested once, and again after each change of its subject.
package struct ConditionWatch {
  package let conditions: [Condition]
  /// The last result of each condition.
  package private(set) var outcomes: [ConditionOutcome] = []

  private let connection: ControlConnection
  /// The newest event of each topic in the conditions.
  private var newest: [String: RawJSON] = [:]
  /// The session of each condition at its last test.
  private var sessions: [SessionIdentifier?] = []
  /// The number of scenes behind each outcome.
  private var sceneCounts: [Int64] = []
  /// Conditions whose scenes may still resume at the next broker, and the end of that time.
  private var postponed: Set<Int> = []
  private var resumeEnd: Int64 = 0

  /// Observes the subjects, and tests all conditions.
  package init(
    _ conditions: [Condition], on connection: ControlConnection, until deadline: Int64? = nil
  ) throws(ControlError) {
    self.conditions = conditions
    self.connection = connection
    var observations = [connection.post(SessionObserve())]
    if conditions.contains(where: \.looksIntoApplication) {
      // Only the trace reports clients that connect and disconnect, and the disk. Its stored
      // entries are not needed.
      observations.append(connection.post(TraceObserve(after: Self.afterAll)))
    }
    try observeTopics(until: deadline)
    for condition in conditions {
      let sight = try look(at: condition, until: deadline)
      outcomes.append(sight.outcome)
      sessions.append(sight.session)
      sceneCounts.append(sight.sceneCount)
    }
    for observation in observations {
      _ = try connection.result(of: observation, until: deadline)
    }
  }

  /// A number above every entry of a trace: the highest that every JSON library keeps exactly.
  private static let afterAll: Int64 = 1 << 53 - 1

  /// The message for a condition on an unknown session whose name is probably a mistyped state.
  package var likelyTypo: String? {
    for (place, outcome) in outcomes.enumerated() where outcome.subjectMissing {
      let typo = ConditionArguments.likelyTypo(in: conditions[place], isFirst: place == 0)
      if let typo { return typo }
    }
    return nil
  }

  package var allHold: Bool { outcomes.allSatisfy(\.holds) }

  /// A line for each condition: whether it holds, and the actual values.
  package var report: String {
    zip(conditions, outcomes).map { condition, outcome in
      let observations = outcome.holds ? [] : outcome.observations
      let line = (outcome.holds ? "  yes  " : "  no   ") + condition.description
      return PlainText.escaped(
        observations.isEmpty ? line : line + ": " + observations.joined(separator: ", "))
    }
    .joined(separator: "\n")
  }

  /// Returns when all conditions hold at the same time; false at the deadline.
  package mutating func wait(until deadline: Int64?) throws(ControlError) -> Bool {
    do throws(ControlError) {
      while !allHold {
        let end = deadline ?? .max
        let waitEnd = postponed.isEmpty ? end : min(end, resumeEnd)
        let first = try connection.nextNotification(until: waitEnd)
        guard first != nil || waitEnd < end else { return false }
        let changes = (first.map { [$0] } ?? []) + (try connection.takeNotifications())
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
    var stale = SystemClock.monotonic() < resumeEnd ? [] : postponed
    for told in changes {
      if told.interruption == .reconnected {
        resumeEnd = SystemClock.monotonic() + Interval.reservation.nanoseconds
        stale.formUnion(conditions.indices.filter { !conditions[$0].isAboutTopic })
      }
      guard let change = told.content else { continue }
      if case .posted(let event) = change { try take(told.params, of: event.topic) }
      for index in conditions.indices where concerns(change, index) { stale.insert(index) }
    }
    for index in stale.sorted() {
      let sight = try look(at: conditions[index], until: deadline)
      // The next broker shows a scene as unattached until its client has resumed.
      if sight.sceneCount < sceneCounts[index], SystemClock.monotonic() < resumeEnd {
        postponed.insert(index)
        continue
      }
      postponed.remove(index)
      outcomes[index] = sight.outcome
      sessions[index] = sight.session
      sceneCounts[index] = sight.sceneCount
    }
  }

  /// Observes each topic in the conditions, from its newest event.
  private mutating func observeTopics(until deadline: Int64?) throws(ControlError) {
    let topics = Set(
      conditions.compactMap { if case .topic(let name) = $0.subject { name } else { nil } })
    guard !topics.isEmpty else { return }
    let requests = topics.sorted().map { connection.post(EventObserve(topic: $0, last: 1)) }
    // Stored events precede the reply to the next request.
    let end = connection.post(Ping())
    for request in requests + [end] { _ = try connection.result(of: request, until: deadline) }
    for told in try connection.takeNotifications() {
      if case .posted(let event)? = told.content { newest[event.topic] = told.params }
    }
  }

  /// Tests each event. A condition on a topic stays true once an event has met it.
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
      // Requests that waited for the delegate continue after its launch.
      return [.joined, .left, .storage].contains(entry.event)
        || entry.callback == CallbackKind.didFinishLaunching.rawValue
    default:
      return false
    }
  }

  /// The outcome of a test, with the tested session. A session counts as a scene unless it waits
  /// for its client to resume, or has had no scene.
  private typealias Sight = (
    outcome: ConditionOutcome, session: SessionIdentifier?, sceneCount: Int64
  )

  private func look(
    at condition: Condition, until deadline: Int64?
  ) throws(ControlError) -> Sight {
    switch condition.subject {
    case .application:
      let json = try connection.result(of: connection.post(ApplicationStatus()), until: deadline)
      let document = try ControlConnection.document(json)
      let status = document.root
      return (condition.outcome(for: status), nil, status["scenes"]?.integer ?? 0)
    case .topic(let name):
      guard let event = newest[name] else { return (condition.outcome(for: nil), nil, 1) }
      return (try outcome(of: condition, in: event), nil, 1)
    case .session(let who):
      switch try connection.find([who], until: deadline).first {
      case .found(let session):
        let summary = session.details.summary
        let isKnown = summary.client != nil || summary.disconnect != nil
        return (try outcome(of: condition, in: session.json), session.identifier, isKnown ? 1 : 0)
      case .ambiguous(let reply):
        let observation = "ambiguous session prefix (\(reply.count) matches)"
        return (
          ConditionOutcome(holds: false, observations: [observation], ambiguity: reply), nil, 1
        )
      case .nothing, nil:
        return (condition.outcome(for: nil), nil, 1)
      }
    }
  }

  private func outcome(
    of condition: Condition, in json: RawJSON
  ) throws(ControlError) -> ConditionOutcome {
    let document = try ControlConnection.document(json)
    return condition.outcome(for: document.root)
  }
}

extension Condition {
  fileprivate var isAboutTopic: Bool { if case .topic = subject { true } else { false } }

  /// Whether it tests more than the phase of the application.
  fileprivate var looksIntoApplication: Bool {
    guard case .application = subject else { return false }
    return requirements.contains { if case .value = $0 { true } else { false } }
  }
}
