import SceneModel

/// A session that is wanted needs a process: which one is given it, and what if it does not take
/// it.
extension Broker {
  /// The connection that last held the session, if it is there; else, of those that can make such
  /// scenes, the one with the fewest.
  func nextHost(
    for delegateClass: String?, last: ConnectionIdentifier?, tried: [ConnectionIdentifier]
  ) -> ConnectionIdentifier? {
    let most = limits.scenesPerConnection
    if let last, !tried.contains(last), let peer = peers[last], peer.canHostAgain(delegateClass),
      peer.held.count < most
    {
      return last
    }
    return peers.lazy.filter {
      !tried.contains($0.key) && $0.value.canHost(delegateClass)
        && $0.value.held.count < most
    }
    .min { ($0.value.held.count, $0.key) < ($1.value.held.count, $1.key) }?.key
  }

  /// Who would be given a session that nobody has.
  func nextHost(
    for identifier: SessionIdentifier, tried: [ConnectionIdentifier] = []
  ) -> ConnectionIdentifier? {
    let configuration =
      decidedCreation(identifier)?.decision.configuration
      ?? stored[identifier].map { manifest.currentConfiguration(of: $0.attributes).configuration }
    let delegateClass = configuration?.delegateClass
    return nextHost(
      for: delegateClass, last: lastHolder(of: identifier, hosting: delegateClass), tried: tried)
  }

  /// The connection that last held a session; where the broker has been lost since, one of the same
  /// process that can have it.
  func lastHolder(
    of identifier: SessionIdentifier, hosting delegateClass: String?
  ) -> ConnectionIdentifier? {
    if let last = lastHolders[identifier], peers[last] != nil { return last }
    guard let process = stored[identifier]?.tenure.formerHolder else { return nil }
    return peers.filter { $0.value.process == process && $0.value.canHost(delegateClass) }.keys
      .min()
  }

  /// A session that is there can be connected by whoever wants it, first of all by the program that it
  /// was made for.
  func noHost(
    for configuration: SceneConfiguration, _ session: SessionIdentifier? = nil
  ) -> BrokerError {
    let delegateClass = configuration.delegateClass
    let what = delegateClass.map { "scenes of class \($0)" } ?? "it"
    let silent = peers.filter { $0.value.isSilent && $0.value.suits(delegateClass) }
    if let client = silent.min(by: { $0.key < $1.key })?.value.client {
      return BrokerError(
        .noHost,
        "no client that answers can host \(what): \(client.name.clipped(to: 100)) \(client.pid) "
          + "has not answered for too long; let it go on, or start another",
        session: session)
    }
    var advice = "start one and try again"
    if let session, let maker = stored[session]?.attributes.maker, !maker.isEmpty {
      advice = "the program of \(label(of: session)) is \(maker.clipped(to: 100))"
    }
    return BrokerError(
      .noHost, "no client is connected that can host \(what); \(advice)", session: session)
  }

  /// Gives a session to a host that did not ask for it; whoever wants it is answered when it has
  /// arrived.
  mutating func bring(
    _ identifier: SessionIdentifier, to host: ConnectionIdentifier, _ bringing: Bringing,
    _ asker: Asker
  ) {
    hand(identifier, to: host, bringing, asker)
    var arrival = Arrival(asker: asker, answer: .activation(isNew: bringing.isNew))
    let callbacks = bringing.occasion.deliveriesOnceConnected(to: identifier)
    if !callbacks.isEmpty {
      arrival.delivery = scenes[identifier]?.deliveries.append(callbacks)
    }
    addArrival(arrival, to: identifier)
  }

  /// Gives a session to a host that did not ask for it.
  mutating func hand(
    _ identifier: SessionIdentifier, to host: ConnectionIdentifier, _ bringing: Bringing,
    _ asker: Asker
  ) {
    var bringing = bringing
    bringing.tried.append(host)
    give(
      identifier, to: host,
      Entrance(
        isNew: bringing.isNew, reason: bringing.occasion.reason, target: bringing.target,
        options: bringing.occasion.options, missingConfiguration: bringing.missingConfiguration,
        bringing: bringing, by: asker))
  }

  /// A client would not have the scene.
  mutating func refused(_ identifier: SessionIdentifier) {
    guard let scene = scenes[identifier] else { return }
    let end = SessionEnd(reason: .refused)
    guard scene.bringing == nil else { return tryNextHost(identifier, end) }
    self.end(identifier, end, answered: false, abandoned: scene.isNew)
  }

  /// The client of a scene has failed it. If the scene was being brought to it, the next host is
  /// asked, and after the last the answer is no.
  mutating func tryNextHost(_ identifier: SessionIdentifier, _ end: SessionEnd) {
    guard let before = scenes[identifier], var bringing = before.bringing else {
      return self.end(identifier, end, answered: false)
    }
    guard let session = stored[identifier], before.departure == nil else {
      return self.end(identifier, end, answered: false, abandoned: bringing.isNew)
    }
    let delegateClass = manifest.currentConfiguration(of: session.attributes).configuration
      .delegateClass
    let refusal = storageRefusal(of: .little)
    guard refusal == nil, let host = nextHost(for: delegateClass, last: nil, tried: bringing.tried)
    else {
      if refusal == nil, launchInstead(identifier, after: end, before, bringing) { return }
      return self.end(
        identifier, end, answered: false, denial: refusal ?? denial(after: bringing, end),
        abandoned: bringing.isNew)
    }
    bringing.tried.append(host)
    bringing.launch = nil
    pass(identifier, to: host, bringing, before, end)
  }

  /// There is no host left to be asked.
  private func denial(after bringing: Bringing, _ end: SessionEnd) -> BrokerError {
    let isOnly = bringing.tried.count == 1
    let what =
      switch end.reason {
      case .refused, .clientRequest: "would not have \(isOnly ? "the scene" : "it")"
      // It is not its own before it has answered that.
      case .watchdog: "did not answer willConnect in time"
      default: "is gone"
      }
    return BrokerError(
      .requestDenied,
      isOnly
        ? "the host that was asked \(what)"
        : "\(bringing.tried.count) hosts were asked, and none has the scene: the last \(what)")
  }

  /// What waits for the scene waits for it at the next host.
  private mutating func pass(
    _ identifier: SessionIdentifier, to host: ConnectionIdentifier, _ bringing: Bringing,
    _ before: LiveScene, _ end: SessionEnd
  ) {
    _ = detach(identifier, end, answered: false)
    give(
      identifier, to: host,
      Entrance(
        isNew: bringing.isNew, reason: bringing.occasion.reason, target: before.target,
        options: bringing.occasion.options, missingConfiguration: bringing.missingConfiguration,
        bringing: bringing))
    scenes[identifier]?.deliveries = before.deliveries
    scenes[identifier]?.mustRefresh = before.mustRefresh
    for arrival in before.arrivals { addArrival(arrival, to: identifier) }
  }
}
