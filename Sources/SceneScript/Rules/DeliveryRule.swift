import SceneModel

/// Whoever observes a topic is sent its events in their order, each once, and none is missing unless
/// a gap is declared; when nothing is under way, it has the newest.
///
/// What is tied to a scene waits while that is in the background, and a refresh brings it up to then.
/// Who comes back goes on where it was.
struct DeliveryRule: StandingRule {
  private struct Observer: Hashable {
    let process: Int64
    let topic: String
    let session: SessionIdentifier?
  }

  private struct Observation {
    let label: String
    /// How far it has come; more than one where a process has several connections.
    var positions: [EventPosition]
    /// Whether a connection of its process has gone, and nobody knows which.
    var isDoubtful = false
    /// What a refresh was to bring.
    var due: EventPosition?
  }

  /// What the clients that say where they left off have had.
  private let heard: [StagedStory.Listener: Set<EventPosition>]
  private var observations: [Observer: Observation] = [:]
  /// How far those had come whose connection or scene has gone.
  private var gone: [Observer: EventPosition] = [:]
  private var heads = TopicHeads()
  /// What was newest when nothing was under way.
  private var headsAtRest = TopicHeads()
  private var connections = ProcessConnections()
  private var scenes: [SessionIdentifier: ScenePlace] = [:]

  init(_ story: StagedStory) { heard = story.contents.heard }

  mutating func begin(_ life: StagedStory.Life) {
    forget { _ in true }
    (connections, scenes) = (ProcessConnections(), [:])
    heads.begin(life)
    headsAtRest = heads
  }

  mutating func take(_ entry: TraceEntry) -> String? {
    if let session = entry.session { scenes[session, default: ScenePlace()].take(entry) }
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
      return heads.take(position, of: topic)
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
    let listener = StagedStory.Listener(observer.process, topic: observer.topic)
    // What a broker has sent just before it died, it may not have told of.
    guard entry.reason != Self.gap, let before, let heard = heard[listener],
      position.isAhead(of: before), !heard.contains(position)
    else { return nil }
    return "\(client.label) observes \(observer.topic) from \(position) on; it had come to "
      + "\(before), and no gap was declared"
  }

  private mutating func deliver(
    _ position: EventPosition, to observer: Observer, isDeclared: Bool
  ) -> String? {
    guard let known = observations[observer]?.positions, let last = known.last else {
      return "an event of \(observer.topic) came to who does not observe it"
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
    return "the event \(position) of \(observer.topic) came behind \(last), and no gap was declared"
  }

  mutating func rest(_ rest: StagedStory.Rest) -> [(SessionIdentifier?, String)] {
    headsAtRest = heads
    var problems: [(SessionIdentifier?, String)] = []
    for (observer, observation) in observations
    where !observation.isDoubtful && !rest.silent.contains(observer.process) {
      // Of those whose coming is no part of the story, nobody is told that they go.
      guard connections[observer.process] != nil,
        let wanted = isListening(observer) ? heads[observer.topic] : observation.due,
        observation.positions.contains(where: { wanted.isAhead(of: $0) })
      else { continue }
      // It is told once.
      observations[observer]?.positions = [wanted]
      problems.append(
        (
          observer.session,
          "the event \(wanted) of \(observer.topic) has not come to \(observation.label), which "
            + "observes it"
        ))
    }
    return problems.sorted { $0.1 < $1.1 }
  }

  private func isListening(_ observer: Observer) -> Bool {
    observer.session.map { scenes[$0]?.isListening ?? false } ?? true
  }
}

/// Where a scene is, as far as it is listened there.
private struct ScenePlace {
  private var state = ActivationState.unattached
  private var isCalled = false

  mutating func take(_ entry: TraceEntry) {
    switch entry.event {
    case .connected:
      let isResumed = entry.reason == ConnectReason.resume.rawValue
      state = isResumed ? entry.state ?? .unattached : .unattached
      isCalled = false
    case .disconnected: self = ScenePlace()
    case .callback: isCalled = true
    case .acknowledged, .failed, .overran:
      // With a reason it is not the callback that failed, but what was to be done with its answer.
      guard entry.reason == nil else { return }
      isCalled = false
      let kind = entry.callback.flatMap(CallbackKind.init(rawValue:))
      state = kind.flatMap(LineStep.init)?.arrival ?? state
    default: break
    }
  }

  /// What is on its way up or down may or may not listen.
  var isListening: Bool { state > .background && !isCalled }
}

extension EventPosition {
  fileprivate func isNext(after other: EventPosition) -> Bool {
    origin == other.origin && number == other.number + 1
  }

  /// Whether one who is there has what one who is at the other has not; of another origin it has.
  fileprivate func isAhead(of other: EventPosition) -> Bool {
    origin != other.origin || number > other.number
  }
}
