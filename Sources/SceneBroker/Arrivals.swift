import SceneModel

/// A request that is answered when a scene has come where it was sent, was diverted, or went.
struct Arrival: Equatable {
  let asker: Asker
  let answer: Answer
  /// What it wants delivered as well, until that is acknowledged.
  var delivery: Int64?
  /// Whether the scene was sent elsewhere, so that only the delivery is waited for.
  var isDiverted = false

  /// From so many at one scene on, each time they have doubled, those of connections that are gone
  /// are dropped.
  static func areSwept(at count: Int) -> Bool { count >= 256 && count & (count - 1) == 0 }

  enum Answer: Equatable {
    /// `scene/transition`: the state.
    case transition
    /// An activation: the session.
    case activation(isNew: Bool)
    /// One of a group: see `Broker.groups`.
    case group(UInt64)
    /// The same, and what it waits for is that the scene was refreshed, wherever it goes.
    case refresh(UInt64)
  }

  var isActivation: Bool { if case .activation = answer { true } else { false } }
  var isRefresh: Bool { if case .refresh = answer { true } else { false } }

  /// Whether it waits for something that comes about wherever the scene goes.
  var staysWhenDiverted: Bool { delivery != nil || isRefresh }

  /// Which group it is one of.
  var group: UInt64? {
    switch answer {
    case .group(let number), .refresh(let number): number
    case .transition, .activation: nil
    }
  }
}

extension Broker {
  /// Lets a request wait for a scene to arrive, or first for the process that is started for it. One
  /// about the asker's own scene is answered at once, with what is so now: it must not wait for what
  /// its own client has to acknowledge.
  mutating func addArrival(_ arrival: Arrival, to identifier: SessionIdentifier) {
    guard arrival.asker.request != nil else { return }
    if let count = launches[identifier]?.arrivals.count {
      if Arrival.areSwept(at: count) { dropArrivalsOfGone(at: identifier) }
      launches[identifier]?.arrivals.append(arrival)
    } else if let scene = scenes[identifier] {
      guard scene.holder != arrival.asker.connection else {
        return answer(arrival, identifier, state: scene.state)
      }
      if Arrival.areSwept(at: scene.arrivals.count) { dropArrivalsOfGone(at: identifier) }
      scenes[identifier]?.arrivals.append(arrival)
    }
  }

  /// A stuck scene must not gather the requests of ever new connections that are gone.
  private mutating func dropArrivalsOfGone(at identifier: SessionIdentifier) {
    let isLaunched = launches[identifier] != nil
    let all = (isLaunched ? launches[identifier]?.arrivals : scenes[identifier]?.arrivals) ?? []
    let kept = all.filter { peers[$0.asker.connection] != nil }
    if isLaunched {
      launches[identifier]?.arrivals = kept
    } else {
      scenes[identifier]?.arrivals = kept
    }
    for arrival in all where peers[arrival.asker.connection] == nil {
      if let number = arrival.group {
        _ = groups.arrive(number, identifier, isGone: true)
      }
    }
  }

  /// The scene is at rest where it was sent: everybody who waits is told.
  mutating func answerArrivals(of identifier: SessionIdentifier) {
    guard let scene = scenes[identifier], !scene.arrivals.isEmpty else { return }
    scenes[identifier]?.arrivals = []
    for arrival in scene.arrivals { answer(arrival, identifier, state: scene.state) }
  }

  /// The target was moved: who waited for the old one is told where the scene is. What is still to
  /// be delivered for somebody is waited for, because it may yet have to be refused.
  mutating func divertArrivals(of identifier: SessionIdentifier) {
    guard let scene = scenes[identifier], !scene.arrivals.isEmpty else { return }
    scenes[identifier]?.arrivals = scene.arrivals.filter { $0.staysWhenDiverted }.map {
      var arrival = $0
      arrival.isDiverted = arrival.delivery != nil
      return arrival
    }
    for arrival in scene.arrivals where !arrival.staysWhenDiverted {
      answer(arrival, identifier, state: scene.state)
    }
  }

  /// The scene is on its way to an end that nothing turns: an activation that was overtaken by that
  /// has not come about.
  mutating func refuseActivations(of identifier: SessionIdentifier, _ error: BrokerError) {
    guard let scene = scenes[identifier], !scene.arrivals.isEmpty else { return }
    scenes[identifier]?.arrivals.removeAll(where: \.isActivation)
    for arrival in scene.arrivals where arrival.isActivation { refuse(arrival.asker, error) }
  }

  /// A delivery is acknowledged: its requester no longer waits for it.
  mutating func delivered(_ delivery: Int64, to identifier: SessionIdentifier) {
    guard let index = scenes[identifier]?.arrivals.firstIndex(where: { $0.delivery == delivery })
    else { return }
    scenes[identifier]?.arrivals[index].delivery = nil
    guard let scene = scenes[identifier], scene.arrivals[index].isDiverted else { return }
    scenes[identifier]?.arrivals.remove(at: index)
    answer(scene.arrivals[index], identifier, state: scene.state)
  }

  private mutating func answer(
    _ arrival: Arrival, _ identifier: SessionIdentifier, state: ActivationState
  ) {
    switch arrival.answer {
    case .transition:
      reply(arrival.asker, .moved(SceneTransition.Reply(state: state)), about: identifier)
    case .activation(let isNew):
      reply(
        arrival.asker, .activated(RequestActivation.Reply(session: identifier, isNew: isNew)),
        about: identifier)
    case .group(let number), .refresh(let number):
      arrive(at: number, identifier, isGone: state == .unattached)
    }
  }

  private mutating func arrive(
    at group: UInt64, _ identifier: SessionIdentifier, isGone: Bool
  ) {
    guard let done = groups.arrive(group, identifier, isGone: isGone) else { return }
    replyAboutAll(done.asker, done.reply)
  }

  /// The scene went before it arrived; somebody else's may be in its place.
  mutating func answerGone(
    _ arrival: Arrival, _ identifier: SessionIdentifier, isHeldAgain: Bool = false
  ) {
    switch arrival.answer {
    case .transition: answer(arrival, identifier, state: .unattached)
    case .group(let number): arrive(at: number, identifier, isGone: !isHeldAgain)
    case .refresh(let number): arrive(at: number, identifier, isGone: true)
    case .activation:
      refuse(
        arrival.asker,
        BrokerError(
          .sessionNotHeld, "\(label(of: identifier))'s scene went before it arrived",
          retry: .now))
    }
  }
}
