import SceneModel

/// The dispatch of requests, and the requests that only read state.
extension Broker {
  mutating func dispatch(
    _ request: ClientRequest, _ method: RequestMethod, _ requester: Requester
  ) {
    guard let client = clients.received(from: requester.connection) else { return }
    if case .initialize(let message) = request {
      return initialize(message, attempt(by: requester))
    }
    guard client.isInitialized else {
      return refuse(
        requester, BrokerError(.notInitialized, "send initialize before \(method)"))
    }
    if let error = refusal(of: method, by: client.kind) { return refuse(requester, error) }
    switch request {
    case .initialize: preconditionFailure("answered above")
    case .connect(let message): connect(message, attempt(by: requester))
    case .disconnect(let message): disconnect(message, requester)
    case .transition(let message): transition(message, requester)
    case .update(let message): update(message, requester)
    case .extend(let message): extend(message, requester)
    case .beginAssertion(let message): beginAssertion(message, requester)
    case .endAssertion(let message): endAssertion(message, requester)
    case .signal(let message): signal(message, requester)
    case .saveActivity(let message): saveActivity(message, requester)
    case .setUserInfo(let message): setUserInfo(message, requester)
    case .setName(let message): setName(message, requester)
    case .list(let message): list(message, requester)
    case .show(let message): show(message, requester)
    case .resolve(let message): resolve(message, requester)
    case .history(let message): history(message, requester)
    case .restore(let message): restoreActivity(message, requester)
    case .dataDirectory(let message): requestDataDirectory(message, requester)
    case .observe: observe(requester)
    case .activate(let message): activate(message, attempt(by: requester))
    case .destroy(let message): destroy(message, requester)
    case .refresh(let message): refresh(message, attempt(by: requester))
    case .open(let message): open(message, attempt(by: requester))
    case .route(let message): route(message, requester)
    case .status: status(requester)
    case .manifest: showManifest(requester)
    case .reclaim(let message): reclaim(message, requester)
    case .memoryWarning: warnOfMemory(requester)
    case .timeChange: announceTimeChange(requester)
    case .terminate:
      reply(requester, .empty, about: nil)
      terminate()
    case .post(let message): post(message, requester)
    case .observeEvents(let message): observe(message, requester)
    case .ceaseEvents(let message): cease(message, requester)
    case .listTopics(let message): listTopics(message, requester)
    case .trace(let message): observeTrace(message, requester)
    case .ping: reply(requester, .empty, about: nil)
    case .describe:
      reply(requester, .described(ProtocolDescription.json(limits: limits)), about: nil)
    case .settle(let message): settle(message, requester)
    case .reload: reload(requester)
    case .advanceClock(let message): advanceClock(message, requester)
    case .fault(let message): injectFault(message, requester)
    case .returnError(let message): returnError(message, requester)
    }
  }

  private func refusal(of method: RequestMethod, by kind: ClientKind) -> BrokerError? {
    switch (method.permission, kind) {
    case (.anyone, _), (.controls, .control),
      (.changers, .scene), (.changers, .control), (.changers, .applicationDelegate):
      nil
    case (.changers, .observer):
      BrokerError(
        .notPermitted, "\(method) is for scenes and controls; this client only observes")
    case (.controls, .scene), (.controls, .observer), (.controls, .applicationDelegate):
      BrokerError(
        .notPermitted,
        "\(method) is for controls; this client is connected as \(kind.rawValue)")
    }
  }

  private mutating func attempt(by requester: Requester) -> Attempt {
    Attempt(requester: requester, identifier: identifiers.next())
  }

  // MARK: - The connection

  mutating func initialize(_ message: Initialize, _ attempt: Attempt) {
    let requester = attempt.requester
    guard !clients.isInitialized(requester.connection) else {
      return refuse(
        requester, BrokerError(.alreadyInitialized, "this connection is already initialized"))
    }
    guard let version = ProtocolRange.spoken.newest(with: message.protocolRange) else {
      let (ours, theirs) = (ProtocolRange.spoken, message.protocolRange)
      refuse(
        requester,
        BrokerError(
          .unsupportedProtocol,
          "no common protocol version: the broker supports \(ours.min) to \(ours.max), "
            + "the client \(theirs.min) to \(theirs.max)"))
      return close(requester.connection)
    }
    guard message.client.name.utf8.count <= limits.titleBytes,
      message.client.version.utf8.count <= limits.titleBytes
    else { return refuse(requester, .tooLarge("client", limit: limits.titleBytes)) }
    let hostBytes = message.hosts.reduce(0) { $0 + $1.utf8.count + 16 }
    guard hostBytes <= limits.userInfoBytes else {
      return refuse(requester, .tooLarge("hosts", limit: limits.userInfoBytes))
    }
    var launch: LaunchIdentifier?
    if let token = message.launch {
      do throws(BrokerError) {
        launch = try launches.launch(showing: token, as: message.kind)
      } catch {
        return refuse(requester, error)
      }
    }
    if message.kind == .applicationDelegate {
      do throws(BrokerError) {
        guard try mayBeDelegate(message, attempt) else { return }
      } catch {
        return refuse(requester, error)
      }
    }
    clients.initialize(requester.connection, message)
    replyInitialized(requester, version)
    trace(.joined, client: requester.connection)
    if message.kind == .applicationDelegate { admitDelegate(requester.connection) }
    if let launch { launchConnected(launch, on: requester.connection) }
  }

  private mutating func replyInitialized(_ requester: Requester, _ version: Int64) {
    var answer = Initialize.Reply()
    answer.version = version
    answer.broker = identity
    answer.application.name = application
    answer.application.phase = phase
    answer.application.classic = manifest.isClassic
    answer.application.bundleName = manifest.bundleName
    answer.application.bundleVersion = manifest.bundleVersion
    answer.limits.frameBytes = limits.frameBytes
    answer.limits.activityBytes = limits.activityBytes
    reply(requester, .initialized(answer), about: nil)
  }

  private mutating func returnError(_ message: ReturnError, _ requester: Requester) {
    guard let reason = ErrorReason.named(message.reason) else {
      return refuse(
        requester,
        BrokerError(
          .invalidParams,
          "reason: there is no error \"\(message.reason.clipped(to: 100))\"; see broker/describe"))
    }
    refuse(requester, BrokerError(reason, "\(reason.name), as requested"))
  }

  // MARK: - Sessions of a request

  /// The session, if it exists and the requester can change it.
  func sessionToChange(
    _ identifier: SessionIdentifier, _ requester: Requester
  ) throws(BrokerError) -> StoredSession {
    try checkMayChange(identifier, requester)
    guard let session = store.listed(identifier) else { throw BrokerError.noSession(identifier) }
    return session
  }

  /// A client of the kind scene can change the sessions that it holds, a control can change all.
  func checkMayChange(
    _ identifier: SessionIdentifier, _ requester: Requester
  ) throws(BrokerError) {
    guard store.isListed(identifier) else { throw BrokerError.noSession(identifier) }
    guard clients.kind(of: requester.connection) == .scene,
      scenes.holder(of: identifier) != requester.connection
    else { return }
    throw BrokerError(
      .sessionNotHeld, "\(label(of: identifier)) is not held by this client; connect to it first")
  }

  /// The name of a session for messages, or the beginning of its identifier.
  func label(of identifier: SessionIdentifier) -> String {
    let name = store.listed(identifier)?.attributes.name ?? pendingSessions[identifier]?.name
    return name?.clipped(to: 100) ?? identifier.short
  }
}
