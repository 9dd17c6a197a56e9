package import SceneModel

/// Observing topics: what was observed when the broker was lost is observed with the next one, from
/// where the program had come.
extension ClientMachine {
  mutating func observe(_ source: EventSource, after position: EventPosition?) {
    guard observations[source] == nil else { return }
    guard link != .stopped, !isStopping, source.session.map({ scenes[$0] != nil }) ?? true else {
      return actions.append(.hand(source, .ended))
    }
    observations[source] = ObservedEvents(position: position)
    askToObserve(source)
  }

  mutating func cease(_ source: EventSource) {
    guard let observed = observations.removeValue(forKey: source), observed.isAsked else { return }
    waiting.removeAll { $0 == .observe(source) }
    guard link.isOpen else { return }
    submit(
      .program(
        ProgramRequest(
          ticket: nil,
          request: .ceaseEvents(EventCease(topic: source.topic, session: source.session)))))
  }

  private mutating func askToObserve(_ source: EventSource) {
    let isAttached = source.session.map { scenes[$0]?.standing.isAttached == true } ?? true
    guard link.isOpen, isAttached, observations[source]?.isAsked == false else { return }
    observations[source]?.isAsked = true
    submit(.observe(source))
  }

  /// What is tied to a scene waits until that goes on.
  mutating func observeAgain(_ session: SessionIdentifier?) {
    for source in observations.keys.filter({ $0.session == session }).sorted() {
      askToObserve(source)
    }
  }

  /// What was asked of a broker that is gone is to be asked again. It may have begun to observe without
  /// the answer having come; then what the next one begins with is not what comes next.
  mutating func forgetAskedObservations() {
    for (source, observed) in observations where observed.isAsked {
      observations[source]?.isAsked = false
      if observed.position == nil { observations[source]?.mayHaveMissed = true }
    }
  }

  /// What is tied to a scene ends with it.
  mutating func endObservations(of session: SessionIdentifier) {
    for source in observations.keys.filter({ $0.session == session }).sorted() { end(source) }
  }

  mutating func endObservations() {
    for source in observations.keys.sorted() { end(source) }
  }

  private mutating func end(_ source: EventSource) {
    observations[source] = nil
    actions.append(.hand(source, .ended))
  }

  mutating func finishObserving(
    _ source: EventSource, _ result: Result<BrokerReply, SceneError>
  ) {
    guard observations[source] != nil else { return }
    switch result {
    case .success(.observed(let reply)):
      let mayHaveMissed = observations[source]?.mayHaveMissed ?? false
      observations[source]?.position = reply.position
      observations[source]?.mayHaveMissed = false
      actions.append(.hand(source, .began(reply.position)))
      if reply.gap || mayHaveMissed { actions.append(.hand(source, .gap)) }
    case .success: end(source)
    case .failure(let error):
      actions.append(.hand(source, .refused(error)))
      end(source)
    }
  }

  mutating func take(_ event: EventPosted) {
    let source = EventSource(topic: event.topic, session: event.session)
    // It may have been ceased while this was on its way.
    guard observations[source]?.isAsked == true else { return }
    observations[source]?.position = event.position
    if event.gap { actions.append(.hand(source, .gap)) }
    actions.append(.hand(source, .event(event)))
  }
}

/// Where events come from: a topic, and the scene that the observation is tied to.
package struct EventSource: Hashable, Comparable, Sendable {
  package var topic: String
  package var session: SessionIdentifier?

  package init(topic: String, session: SessionIdentifier? = nil) {
    self.topic = topic
    self.session = session
  }

  package static func < (one: Self, other: Self) -> Bool {
    (one.topic, one.session ?? .none) < (other.topic, other.session ?? .none)
  }
}

/// How far the program has come with what it observes.
struct ObservedEvents: Equatable {
  /// Nil for what comes from now on.
  var position: EventPosition?
  /// Whether the broker that is there was asked.
  var isAsked = false
  /// Whether one that is gone was asked for what comes from then on, and did not say where that is.
  var mayHaveMissed = false
}

/// What a program is told of what it observes.
package enum EventNews: Equatable, Sendable {
  /// Where the next event comes from.
  case began(EventPosition)
  case event(EventPosted)
  /// Events before the next one may be missing.
  case gap
  case refused(SceneError)
  /// The last thing.
  case ended
}
