import SceneModel

/// What a request comes to, one method for each; those that do more than look have files of their
/// own.
extension Broker {
  mutating func take(_ request: ClientRequest, _ asker: Asker, fresh: SessionIdentifier) {
    guard let peer = peers[asker.connection]?.standing, !peer.isLeft else { return }
    if peer.isSilent { peers[asker.connection]?.isSilent = false }
    if case .initialize(let message) = request {
      return initialize(message, asker, fresh: fresh, besides: [])
    }
    guard peer.isKnown else {
      return refuse(
        asker, BrokerError(.notInitialized, "say initialize first, then \(request.method)"))
    }
    if let error = refusal(of: request, by: peer.kind) { return refuse(asker, error) }
    switch request {
    case .initialize: preconditionFailure("answered above")
    case .connect(let message): connect(message, asker, fresh: fresh)
    case .disconnect(let message): disconnect(message, asker)
    case .transition(let message): transition(message, asker)
    case .update(let message): update(message, asker)
    case .extend(let message): extend(message, asker)
    case .beginAssertion(let message): beginAssertion(message, asker)
    case .endAssertion(let message): endAssertion(message, asker)
    case .signal(let message): signal(message, asker)
    case .saveActivity(let message): saveActivity(message, asker)
    case .setUserInfo(let message): setUserInfo(message, asker)
    case .setName(let message): setName(message, asker)
    case .list(let message): list(message, asker)
    case .show(let message): show(message, asker)
    case .history(let message): history(message, asker)
    case .restore(let message): restoreActivity(message, asker)
    case .dataDirectory(let message): askForDataDirectory(message, asker)
    case .observe: observe(asker)
    case .activate(let message): activate(message, asker, fresh: fresh)
    case .destroy(let message): destroy(message, asker, fresh: fresh)
    case .refresh(let message): refresh(message, asker, fresh: fresh)
    case .open(let message): open(message, asker, fresh: fresh)
    case .route(let message): route(message, asker)
    case .status: status(asker)
    case .manifest: tellManifest(asker)
    case .reclaim(let message): reclaim(message, asker)
    case .memoryWarning: warnOfMemory(asker)
    case .timeChange: tellOfTimeChange(asker)
    case .terminate:
      reply(asker, .empty, about: nil)
      terminate()
    case .post(let message): post(message, asker)
    case .observeEvents(let message): observe(message, asker)
    case .ceaseEvents(let message): cease(message, asker)
    case .listTopics(let message): listTopics(message, asker)
    case .trace(let message): trace(message, asker)
    case .ping: reply(asker, .empty, about: nil)
    case .describe: reply(asker, .described(ProtocolDescription.json(limits: limits)), about: nil)
    case .settle(let message): settle(message, asker)
    case .reload: reload(asker)
    case .advanceClock(let message): advanceClock(message, asker)
    case .fault(let message): injectFault(message, asker)
    case .returnError(let message): returnError(message, asker)
    }
  }

  private func refusal(of request: ClientRequest, by kind: ClientKind) -> BrokerError? {
    switch (request.method.message.permission, kind) {
    case (.anyone, _), (.controls, .control),
      (.changers, .scene), (.changers, .control), (.changers, .applicationDelegate):
      nil
    case (.changers, .observer):
      BrokerError(
        .notPermitted, "\(request.method) is for scenes and controls; this client only observes")
    case (.controls, .scene), (.controls, .observer), (.controls, .applicationDelegate):
      BrokerError(
        .notPermitted,
        "\(request.method) is for controls; this client is connected as \(kind.rawValue)")
    }
  }

  // MARK: - The conversation itself

  /// Tried again when a delegate that was in the way may be gone.
  mutating func initialize(
    _ message: Initialize, _ asker: Asker, fresh: SessionIdentifier,
    besides asked: [ClientProcess]
  ) {
    guard peers[asker.connection]?.client == nil else {
      return refuse(asker, BrokerError(.alreadyInitialized, "initialize is said once"))
    }
    guard let version = ProtocolRange.spoken.newest(with: message.protocolRange) else {
      let (ours, theirs) = (ProtocolRange.spoken, message.protocolRange)
      refuse(
        asker,
        BrokerError(
          .unsupportedProtocol,
          "no version in common: the broker speaks \(ours.min) to \(ours.max), "
            + "the client \(theirs.min) to \(theirs.max)"))
      return leave(asker.connection)
    }
    guard message.client.name.utf8.count <= limits.titleBytes,
      message.client.version.utf8.count <= limits.titleBytes
    else { return refuse(asker, tooLarge("client", limits.titleBytes)) }
    let hostBytes = message.hosts.reduce(0) { $0 + $1.utf8.count + 16 }
    guard hostBytes <= limits.userInfoBytes else {
      return refuse(asker, tooLarge("hosts", limits.userInfoBytes))
    }
    var launch: LaunchIdentifier?
    if let token = message.launch {
      do throws(BrokerError) {
        launch = try self.launch(showing: token, as: message.kind)
      } catch {
        return refuse(asker, error)
      }
    }
    if message.kind == .applicationDelegate {
      do throws(BrokerError) {
        guard try mayBeDelegate(message, asker, fresh: fresh, besides: asked) else { return }
      } catch {
        return refuse(asker, error)
      }
    }
    peers[asker.connection]?.introduce(message)
    replyInitialized(asker, version)
    tell(.joined, client: asker.connection)
    if message.kind == .applicationDelegate { admitDelegate(asker.connection) }
    if let launch { arrive(launch, on: asker.connection) }
  }

  private mutating func replyInitialized(_ asker: Asker, _ version: Int64) {
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
    reply(asker, .initialized(answer), about: nil)
  }

  private mutating func returnError(_ message: ReturnError, _ asker: Asker) {
    guard let reason = ErrorReason.named(message.reason) else {
      return refuse(
        asker,
        BrokerError(
          .invalidParams,
          "reason: no error is called \(message.reason.clipped(to: 100)); see broker/describe"))
    }
    refuse(asker, BrokerError(reason, "\(reason.name), as was asked for"))
  }

  func tooLarge(_ what: String, _ limit: Int) -> BrokerError {
    BrokerError(.tooLarge, "\(what) is larger than the \(limit) bytes it may have")
  }

  // MARK: - Who may act on what

  /// The session, if it is there and the asker may act on it.
  func sessionToChange(
    _ identifier: SessionIdentifier, _ asker: Asker
  ) throws(BrokerError) -> StoredSession {
    try checkMayChange(identifier, asker)
    guard let session = session(identifier) else { throw notFound(identifier) }
    return session
  }

  /// Clients that are scenes may act on what they hold, controls on everything.
  func checkMayChange(
    _ identifier: SessionIdentifier, _ asker: Asker
  ) throws(BrokerError) {
    guard stored.contains(identifier) || departing.contains(identifier) else {
      throw notFound(identifier)
    }
    guard peers[asker.connection]?.kind == .scene,
      scenes[identifier]?.holder != asker.connection
    else { return }
    throw BrokerError(
      .sessionNotHeld, "\(label(of: identifier)) is not held by this client; connect to it first")
  }

  /// What people call a session: its name, else the beginning of its identifier.
  func label(of identifier: SessionIdentifier) -> String {
    let name = session(identifier)?.attributes.name ?? nameToBe(of: identifier)
    return name?.clipped(to: 100) ?? identifier.short
  }

  func notFound(_ identifier: SessionIdentifier) -> BrokerError {
    BrokerError(.sessionNotFound, "no session \(identifier) here")
  }

  /// Why a request that needs a record cannot have one now. A full disk may be behind as well.
  func storageRefusal(of writing: Writing) -> BrokerError? {
    if disk.room.refusal(of: writing) == .storageFull { return storageFull }
    guard isBehind || disk.room == .behind else { return nil }
    return BrokerError(.tooMany, "the disk is behind; too much waits for it", retry: .now)
  }

  /// What there is room for now.
  package var room: RecordRoom { disk.room == .ok && isBehind ? .behind : disk.room }

  private var isBehind: Bool { unsynced.byteCount > limits.unsyncedBytes }

  private var storageFull: BrokerError {
    let problem = disk.problem ?? "the disk is full"
    let rest =
      disk.room == .exhausted
      ? "what the journal has left is only enough for scenes to end"
      : "what the journal has left is kept for moving, closing and discarding"
    return BrokerError(
      .storageFull, "\(problem); \(rest); free some room and try again")
  }
}
