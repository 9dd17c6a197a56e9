import SceneModel

/// The application wants the scene of a session, on some occasion: wherever that is, it is brought
/// there.
extension Broker {
  /// A session that is there. Those who were `asked` about are waited for; it is tried again as
  /// `request`.
  mutating func want(
    _ identifier: SessionIdentifier, for occasion: Occasion, _ request: WaitingRequest.Request,
    _ asker: Asker, fresh: SessionIdentifier, besides asked: [ClientProcess]
  ) throws(BrokerError) {
    if let error = storageRefusal(of: .little) { throw error }
    if launches[identifier] != nil { return try joinLaunch(of: identifier, occasion, asker) }
    if let scene = scenes[identifier] {
      if scene.isLeaving {
        return try wait(for: identifier, scene.holder, request, asker, fresh)
      }
      return try wantConnected(identifier, occasion, asker)
    }
    if let holder = reserved[identifier] {
      guard asked.contains(holder) else {
        return try inquire(about: [holder], besides: asked, for: request, asker, fresh)
      }
      try wait(for: identifier, nil, request, asker, fresh)
      return watchHolders()
    }
    if mustAwaitDelegate(asker, making: false) {
      return try awaitDelegate(request, asker, fresh: fresh)
    }
    try wantUnattached(identifier, occasion, asker)
  }

  /// Waits until the session is free, or somebody else's.
  private mutating func wait(
    for identifier: SessionIdentifier, _ holder: ConnectionIdentifier?,
    _ request: WaitingRequest.Request, _ asker: Asker, _ fresh: SessionIdentifier
  ) throws(BrokerError) {
    // Its own client must acknowledge the end first, so the reply cannot wait for that.
    let isOwn = holder == asker.connection
    try wait(
      WaitingRequest(
        cause: .session(identifier), request: request,
        asker: isOwn ? Asker(connection: asker.connection, request: nil) : asker, fresh: fresh))
    if isOwn { replyActivated(asker, identifier) }
  }

  private mutating func replyActivated(_ asker: Asker, _ identifier: SessionIdentifier) {
    reply(
      asker, .activated(RequestActivation.Reply(session: identifier, isNew: false)),
      about: identifier)
  }

  private mutating func wantConnected(
    _ identifier: SessionIdentifier, _ occasion: Occasion, _ asker: Asker
  ) throws(BrokerError) {
    guard let scene = scenes[identifier], var tenure = stored[identifier]?.tenure else { return }
    var arrival = Arrival(asker: asker, answer: .activation(isNew: false))
    let callbacks = occasion.deliveries(to: identifier)
    if !callbacks.isEmpty {
      guard scene.deliveries.count < limits.deliveries else {
        throw tooManyDeliveries(to: identifier)
      }
      arrival.delivery = scenes[identifier]?.deliveries.append(callbacks)
    }
    let target: ActivationState =
      occasion.background ? max(scene.target, .background) : .foregroundActive
    aim(identifier, at: target, by: asker, reason: occasion.reason.rawValue)
    if scenes[identifier]?.target == scene.target {
      // It changes no course, but somebody asked, and what is delivered comes of it.
      tell(
        .aimed, identifier, reason: occasion.reason.rawValue, state: scene.target,
        by: asker)
      enterForeground(identifier)
    }
    touch(&tenure)
    record(.held(tenure))
    noteChange(of: identifier)
    addArrival(arrival, to: identifier)
    walk(identifier)
  }

  private mutating func wantUnattached(
    _ identifier: SessionIdentifier, _ occasion: Occasion, _ asker: Asker
  ) throws(BrokerError) {
    guard let attributes = stored[identifier]?.attributes else { throw notFound(identifier) }
    let configuration = manifest.currentConfiguration(of: attributes).configuration
    let bringing = Bringing(occasion, attributes.role, isNew: false)
    if let host = nextHost(for: identifier) { return bring(identifier, to: host, bringing, asker) }
    guard launchCommand(for: identifier) != nil else {
      throw noHost(for: configuration, identifier)
    }
    launch(identifier, bringing, asker)
  }

  /// A session that is not there yet.
  mutating func make(
    _ name: String?, role: Role?, _ configuration: String?, for occasion: Occasion,
    _ request: WaitingRequest.Request, _ asker: Asker, fresh: SessionIdentifier
  ) throws(BrokerError) {
    guard !mustAwaitDelegate(asker, making: true) else {
      return try awaitDelegate(request, asker, fresh: fresh)
    }
    try begin(
      Creation(
        identifier: fresh, name: name, role: role ?? .windowApplication,
        wantedConfiguration: configuration, userInfo: .empty, title: nil,
        purpose: .bring(occasion), asker: asker))
  }
}

extension Bringing {
  init(_ occasion: Occasion, _ role: Role, isNew: Bool) {
    self.init(
      occasion: occasion, target: occasion.background ? .background : role.ceiling, isNew: isNew,
      tried: [])
  }
}
