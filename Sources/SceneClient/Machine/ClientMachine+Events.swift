package import SceneModel

/// The observed topics. After a loss of the broker, the client observes them again from the last
/// position.
extension ClientMachine {
  mutating func observe(_ source: EventSource, after position: EventPosition?) {
    guard observations[source] == nil else { return }
    guard link != .stopped, !isStopping, source.session.map({ scenes[$0] != nil }) ?? true else {
      return actions.append(.deliver(source, .ended))
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
          token: nil,
          request: ClientRequest(EventCease(topic: source.topic, session: source.session)))))
  }

  private mutating func askToObserve(_ source: EventSource) {
    let isHeld = source.session.map { scenes[$0]?.holdState.isHeld == true } ?? true
    guard link.isOpen, isHeld, observations[source]?.isAsked == false else { return }
    observations[source]?.isAsked = true
    submit(.observe(source))
  }

  /// An observation of a scene waits until the broker has resumed the scene.
  mutating func observeAgain(_ session: SessionIdentifier?) {
    for source in observations.keys.filter({ $0.session == session }).sorted() {
      askToObserve(source)
    }
  }

  /// Marks the observations of a lost broker for a new request. If the broker began to observe
  /// without a reply, the position is unknown, and the next broker may skip events.
  mutating func forgetAskedObservations() {
    for (source, observed) in observations where observed.isAsked {
      observations[source]?.isAsked = false
      if observed.position == nil { observations[source]?.mayHaveMissed = true }
    }
  }

  /// Ends the observations of a scene.
  mutating func endObservations(of session: SessionIdentifier) {
    for source in observations.keys.filter({ $0.session == session }).sorted() { end(source) }
  }

  mutating func endObservations() {
    for source in observations.keys.sorted() { end(source) }
  }

  private mutating func end(_ source: EventSource) {
    observations[source] = nil
    actions.append(.deliver(source, .ended))
  }

  mutating func finishObserving(
    _ source: EventSource, _ result: Result<BrokerReply, SceneError>
  ) {
    guard observations[source] != nil else { return }
    switch result.reply(to: EventObserve.self) {
    case .success(let reply):
      let mayHaveMissed = observations[source]?.mayHaveMissed ?? false
      observations[source]?.position = reply.position
      observations[source]?.mayHaveMissed = false
      actions.append(.deliver(source, .began(reply.position)))
      if reply.gap || mayHaveMissed { actions.append(.deliver(source, .gap)) }
    case .failure(let error):
      actions.append(.deliver(source, .refused(error)))
      end(source)
    }
  }

  mutating func takeEvent(_ event: EventPosted) {
    let source = EventSource(topic: event.topic, session: event.session)
    // The program may have ended the observation meanwhile.
    guard observations[source]?.isAsked == true else { return }
    observations[source]?.position = event.position
    if event.gap { actions.append(.deliver(source, .gap)) }
    actions.append(.deliver(source, .event(event)))
  }
}

/// A topic, and the scene of the observation.
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

/// The progress of an observation.
struct ObservedEvents: Equatable {
  /// The last position; nil to begin now.
  var position: EventPosition?
  /// Whether the current broker was asked.
  var isAsked = false
  /// Whether a lost broker may have begun the observation without a reply.
  var mayHaveMissed = false
}

/// A message about an observation.
package enum ObservationUpdate: Equatable, Sendable {
  /// The position before the next event.
  case began(EventPosition)
  case event(EventPosted)
  /// Events before the next one may be missing.
  case gap
  case refused(SceneError)
  /// The end of the observation.
  case ended
}
