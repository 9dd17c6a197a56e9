import SceneModel

/// The end of sessions.
extension Broker {
  mutating func destroy(_ message: RequestDestruction, _ requester: Requester) throws(BrokerError) {
    guard message.sessions.count <= Discard.mostOfOneRequest else {
      throw BrokerError(
        .tooMany,
        "one request discards at most \(Discard.mostOfOneRequest) sessions; send several requests",
        retry: .never)
    }
    try limits.check(text: message.dismissalAnimation?.rawValue, "dismissalAnimation")
    let trash = message.now ? store.state.trash : [:]
    for identifier in message.sessions
    where !store.contains(identifier) && trash[identifier] == nil {
      throw absence(of: identifier)
    }
    if let error = store.admission(of: .bounded) { throw error }
    let request = identifiers.next()
    let wanted = Set(message.sessions).sorted()
    let sessions = wanted.filter { store.contains($0) && (!message.unattached || isUnused($0)) }
    let awaited = sessions.filter { scenes.isAwaited($0, by: requester) }
    let until = message.now ? nil : endInTrash
    let kept =
      until == nil ? [] : sessions.filter { store[$0].map { hasContent($0) } == true }
    if let until, !kept.isEmpty {
      for var discard in discards(of: kept, request: identifiers.next()) {
        discard.until = until
        begin(discard, message.dismissalAnimation, requester)
      }
      limitTrash()
    }
    let ended = kept.isEmpty ? sessions : sessions.filter { store.contains($0) }
    for discard in discards(of: ended, request: request) {
      begin(discard, message.dismissalAnimation, requester)
    }
    removeFromTrash(wanted.compactMap { trash[$0] }, by: requester)
    dropOldReports(keeping: request, count: ended.count)
    let isInTrash = kept.contains { store.state.trash[$0] != nil }
    let reply = BrokerReply(RequestDestruction.Reply(until: isInTrash ? until : nil))
    let waits = addBatch(requester, reply, to: awaited)
    for identifier in sessions { finishDiscard(identifier) }
    if !waits { replyAboutAll(requester, reply.content) }
  }

  /// Removes the session, or puts it into the trash. The session stays listed until its scene has
  /// ended.
  private mutating func begin(
    _ discard: Discard, _ dismissal: DismissalAnimation?, _ requester: Requester
  ) {
    let identifier = discard.session
    guard let session = store[identifier] else { return }
    if scenes[identifier] != nil { store.keepListed(session) }
    let waiting = waitingHolder(of: session)
    record(.discard(discard))
    markDirectoryIfDiscarding(identifier)
    let time = discard.until.map { Interval.milliseconds($0 - now.wall) }
    trace(.discarded, identifier, by: requester) {
      $0.name = session.attributes.name
      $0.reason = time.map { _ in "trash" }
      $0.detail = time.map { "in the trash for \($0.phrase)" }
    }
    if let waiting, !changes.observers.contains(waiting) {
      send(.notification(.sessionDiscarded(identifier)), to: waiting, about: identifier)
    }
    clients.reservations[identifier] = nil
    // An upgrade can follow before the scene has ended.
    forgetCrashes(of: identifier)
    failLaunch(of: identifier, .noSession(identifier), isTraced: false)
    markChanged(identifier)
    var intent = DisconnectIntent(reason: .discarded)
    intent.dismissalAnimation = dismissal
    setTarget(of: identifier, to: .unattached, intent: intent, by: requester)
  }

  /// The client that had the session's last scene, and may wait to be its scene again.
  private func waitingHolder(of session: StoredSession) -> ConnectionIdentifier? {
    let identifier = session.attributes.identifier
    guard scenes[identifier] == nil else { return nil }
    let configuration = manifest.currentConfiguration(of: session.attributes).configuration
    let previous = previousHolder(of: identifier, hosting: configuration.delegateClass)
    return previous.flatMap { clients[$0]?.isOpen == true ? $0 : nil }
  }

  /// Whether no client holds the session or waits for it.
  private func isUnused(_ identifier: SessionIdentifier) -> Bool {
    guard let session = store[identifier] else { return false }
    return session.hold.holder == nil && waitingHolder(of: session) == nil
  }

  private mutating func finishDiscard(_ identifier: SessionIdentifier) {
    guard scenes[identifier] == nil else { return advanceLifecycle(of: identifier) }
    removeCaches(of: identifier)
    deferred.fulfill(.session(identifier))
  }

  /// Discards a new session whose scene never connected, unless a client saved in it.
  mutating func discardUnused(_ identifier: SessionIdentifier, _ reason: DisconnectReason) {
    guard let session = store[identifier], session.generations.isEmpty else { return }
    record(.discard(Discard(session: identifier)))
    trace(.discarded, identifier) {
      ($0.name, $0.reason) = (session.attributes.name, reason.rawValue)
    }
    markChanged(identifier)
    removeCaches(of: identifier)
  }

  /// The files and the reasons of a session stay while it is in the trash.
  mutating func removeCaches(of identifier: SessionIdentifier) {
    forgetCrashes(of: identifier)
    clients.previousHolders[identifier] = nil
    guard store.state.trash[identifier] == nil else { return }
    effects.commands.append(.removeDirectory(identifier, after: recordCount))
    launches.directories.remove(identifier)
    traceBuffer.forget(identifier)
  }

  // MARK: - Reports to the delegate

  /// Whether the broker stores discarded sessions until the delegate has confirmed the report.
  var keepsDiscards: Bool {
    switch manifest.applicationDelegate {
    case .builtIn: false
    case .optional: store.state.hasHadDelegate || delegate.connection != nil
    case .required: true
    }
  }

  /// From the first delegate on, discards wait for one.
  mutating func rememberDelegate() {
    guard delegate.connection != nil, manifest.applicationDelegate != .builtIn,
      !store.state.hasHadDelegate, store.admission(of: .bounded) == nil
    else { return }
    record(.delegateKnown)
  }

  /// The records of one request: its sessions in parts that each fit a frame.
  private func discards(
    of sessions: [SessionIdentifier], request: SessionIdentifier
  ) -> [Discard] {
    guard keepsDiscards else { return sessions.map { Discard(session: $0) } }
    return Discard.all(sessions.compactMap { store[$0] }, request: request, limits: limits)
  }

  /// The next report for the delegate.
  var nextReport: DidDiscardSceneSessions? {
    guard manifest.applicationDelegate != .builtIn, delegate.connection != nil else { return nil }
    return store.nextReport(excluding: delegate.sentReports)
  }

  /// Drops the oldest reports while the reports for an optional delegate exceed their limit, so
  /// that an application without a delegate does not fill its storage. The reports of `newest`,
  /// which has discarded `count` sessions, stay.
  mutating func dropOldReports(keeping newest: SessionIdentifier, count: Int) {
    guard manifest.applicationDelegate == .optional, delegate.connection == nil else { return }
    var room = count * Discard.mostDropsOfOne
    while room > 0, !store.isExhausted, let report = store.reportBeyondLimit,
      report.request != newest
    {
      room -= 1
      record(.discardReported(DiscardReported(report: report)))
      trace(.failed) {
        $0.callback = CallbackKind.didDiscardSceneSessions.rawValue
        $0.reason = "dropped"
        $0.detail =
          "report \(report) is dropped: no application delegate is connected, and discarded "
          + "sessions exceed discardBytes; start a delegate, or start scened with "
          + "--application-delegate builtIn"
      }
    }
  }

  /// The delegate has acknowledged a report. If the disk cannot take that, the next delegate gets
  /// the report again.
  mutating func acknowledge(_ report: ReportIdentifier) {
    guard store.hasReport(report), !store.isExhausted else { return }
    record(.discardReported(DiscardReported(report: report)))
  }
}
