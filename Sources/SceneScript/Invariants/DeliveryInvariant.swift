import SceneModel

/// An observer of a topic receives each event once and in order, unless the broker declares a gap.
///
/// At a settle point each observer has the newest event. An observer in a background scene waits,
/// and a refresh brings it up to date. An observer that returns continues at its last event.
struct DeliveryInvariant: Invariant {
  private struct Observer: Hashable {
    let process: Int64
    let topic: String
    let session: SessionIdentifier?
  }

  private struct Observation {
    let label: String
    /// The last position; several if the process has several connections.
    var positions: [EventPosition]
    /// Whether an unknown one of the process's connections has closed.
    var isDoubtful = false
    /// The position that a refresh must deliver.
    var due: EventPosition?
  }

  /// The events of clients that resume at their last event.
  private let receivedEvents: [RunHistory.TopicObserver: Set<EventPosition>]
  private var observations: [Observer: Observation] = [:]
  /// The last positions of observers whose connection or scene has ended.
  private var gone: [Observer: EventPosition] = [:]
  private var heads = TopicHeads()
  /// The newest events at the last settle point.
  private var headsAtRest = TopicHeads()
  private var connections = ProcessConnections()
  private var scenes: [SessionIdentifier: ScenePlace] = [:]

  init(_ history: RunHistory) { receivedEvents = history.contents.receivedEvents }

  mutating func begin(_ run: RunHistory.BrokerRun) {
    forget { _ in true }
    (connections, scenes) = (ProcessConnections(), [:])
    heads.begin(run)
    headsAtRest = heads
  }

  mutating func check(_ entry: TraceEntry) -> String? {
    if let session = entry.session { scenes[session, default: ScenePlace()].check(entry) }
    switch entry.event {
    case .joined:
      if let pid = entry.client?.pid { connections.join(pid) }
    case .left:
      if let pid = entry.client?.pid { leave(pid) }
    case .disconnected:
      if let session = entry.session { forget { $0.session == session } }
    case .callback where entry.callback == CallbackKind.refresh.rawValue:
      for observer in observations.keys where observer.session == entry.session {
        observations[observer]?.due = headsAtRest[observer.topic]
      }
    case .posted:
      guard let topic = entry.topic, let position = entry.position else { return nil }
      return heads.check(position, of: topic)
    case .observed, .ceased, .delivered:
      guard let topic = entry.topic, let client = entry.client else { return nil }
      let observer = Observer(process: client.pid, topic: topic, session: entry.session)
      guard let position = entry.position else {
        observations[observer] = nil
        return nil
      }
      return entry.event == .observed
        ? observe(observer, client, from: position, entry)
        : deliver(position, to: observer, isDeclared: entry.reason == Self.gap)
    default: break
    }
    return nil
  }

  private static let gap = "gap"

  private mutating func forget(_ isGone: (Observer) -> Bool) {
    for (observer, observation) in observations where isGone(observer) {
      observations[observer] = nil
      if !observation.isDoubtful { gone[observer] = observation.positions.last }
    }
  }

  private mutating func leave(_ pid: Int64) {
    if connections.leave(pid) { return forget { $0.process == pid } }
    for observer in observations.keys where observer.process == pid {
      observations[observer]?.isDoubtful = true
    }
  }

  private mutating func observe(
    _ observer: Observer, _ client: ClientReference, from position: EventPosition,
    _ entry: TraceEntry
  ) -> String? {
    let before = gone.removeValue(forKey: observer)
    if observations[observer] == nil || connections[observer.process] == 1 {
      observations[observer] = Observation(label: client.label, positions: [position])
    } else {
      observations[observer]?.positions.append(position)
    }
    if let problem = heads.problem(withBeginning: position, of: observer.topic) { return problem }
    let listener = RunHistory.TopicObserver(process: observer.process, topic: observer.topic)
    // A killed broker may not have recorded its last deliveries.
    guard entry.reason != Self.gap, let before, let receivedEvents = receivedEvents[listener],
      position.isAhead(of: before), !receivedEvents.contains(position)
    else { return nil }
    return "\(client.label) observes \(observer.topic) from \(position); its last event was "
      + "\(before), and the broker declared no gap"
  }

  private mutating func deliver(
    _ position: EventPosition, to observer: Observer, isDeclared: Bool
  ) -> String? {
    guard let known = observations[observer]?.positions, let last = known.last else {
      return "the client received an event of \(observer.topic) but does not observe the topic"
    }
    if let place = known.firstIndex(where: { position.isNext(after: $0) }) {
      observations[observer]?.positions[place] = position
      return nil
    }
    if isDeclared {
      observations[observer]?.positions = [position]
      return nil
    }
    observations[observer]?.positions[known.count - 1] = position
    return "event \(position) of \(observer.topic) followed \(last), and the broker declared no gap"
  }

  mutating func didSettle(at point: RunHistory.SettlePoint) -> [SessionProblem] {
    headsAtRest = heads
    var problems: [SessionProblem] = []
    for (observer, observation) in observations
    where !observation.isDoubtful && !point.silent.contains(observer.process) {
      // The trace does not contain the end of a connection whose begin it does not contain.
      guard connections[observer.process] != nil,
        let wanted = isListening(observer) ? heads[observer.topic] : observation.due,
        observation.positions.contains(where: { wanted.isAhead(of: $0) })
      else { continue }
      // Reports each missing event once.
      observations[observer]?.positions = [wanted]
      problems.append(
        (
          observer.session,
          "event \(wanted) of \(observer.topic) did not reach its observer \(observation.label)"
        ))
    }
    return problems.sorted { $0.1 < $1.1 }
  }

  private func isListening(_ observer: Observer) -> Bool {
    observer.session.map { scenes[$0]?.isListening ?? false } ?? true
  }
}

/// The state of a scene, as far as it decides about delivery.
private struct ScenePlace {
  private var state = ActivationState.unattached
  private var isCalled = false

  mutating func check(_ entry: TraceEntry) {
    switch entry.event {
    case .connected:
      let isResumed = entry.reason == ConnectReason.resume.rawValue
      state = isResumed ? entry.state ?? .unattached : .unattached
      isCalled = false
    case .disconnected: self = ScenePlace()
    case .callback: isCalled = true
    case .acknowledged, .failed, .overran:
      // An entry with a reason is about the answer's effect, not about the callback.
      guard entry.reason == nil else { return }
      isCalled = false
      let kind = entry.sceneCallback
      state = kind.flatMap(StateTransition.init)?.arrival ?? state
    default: break
    }
  }

  /// During a transition a scene may receive events, but need not.
  var isListening: Bool { state > .background && !isCalled }
}

extension EventPosition {
  fileprivate func isNext(after other: EventPosition) -> Bool {
    origin == other.origin && number == other.number + 1
  }

  /// Whether this position includes an event that `other` does not include. A different origin
  /// counts as ahead.
  fileprivate func isAhead(of other: EventPosition) -> Bool {
    origin != other.origin || number > other.number
  }
}
