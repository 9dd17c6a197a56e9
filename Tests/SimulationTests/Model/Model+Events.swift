import SceneJSON
import SceneModel
import SceneWire

/// Checks each message when it leaves the broker. A recorded version of the session must confirm
/// the message, and this version must be on disk.
extension Model {
  func listen(to heard: ReceivedMessage, on wire: Wire) {
    switch heard {
    case .reply(let said, let reply): listen(to: reply, to: said, on: wire)
    case .refusal(let said, let refusal): listen(to: refusal, to: said, on: wire)
    case .farewell: break
    case .callback(_, let callback): listen(to: callback, on: wire)
    case .notification(let notification): listen(to: notification, on: wire)
    }
  }

  /// Checks a statement about a session: a version on disk must confirm the statement. Without
  /// `isStory`, the version must not be older than the last one that this wire mentioned.
  private func claim(
    _ session: SessionIdentifier, on wire: Wire, _ what: String, isStory: Bool = false,
    where isTrue: (Ledger.Version) -> Bool
  ) {
    noteTold(of: session)
    let known = isStory ? 0 : wire.versionsTold[session] ?? 0
    guard let number = ledger.version(of: session, from: known, where: isTrue) else {
      return complain(
        "wire \(wire.number): \(session.short) \(what): not true since record \(known); "
          + "the session is \(String(describing: ledger.state[session]))")
    }
    check(
      number <= synced,
      "wire \(wire.number): \(session.short) \(what): needs record \(number), "
        + "synced is \(synced)"
    )
    ledger.promise(number)
    if !isStory { wire.versionsTold[session] = number }
  }

  private func claimGone(_ session: SessionIdentifier, on wire: Wire, isStory: Bool = false) {
    // A report of a discard can follow the session's return from another host.
    guard !saves.ignored.contains(session) else { return }
    claim(session, on: wire, "is gone", isStory: isStory) { $0.session == nil }
  }

  // MARK: - Replies

  private func listen(to reply: BrokerReply, to said: SentRequest, on wire: Wire) {
    guard let request = said.request else { return }
    switch (request, reply.content) {
    case (let message as SceneConnect, let reply as SceneConnect.Reply):
      if reply.isNew { checkStray(reply.session, message, said, on: wire) }
      noteHold(reply.hold, of: reply.session, by: wire.process)
      claim(reply.session, on: wire, "is held with \(reply.hold)") { version in
        guard let session = version.session else { return false }
        return session.hold.number == reply.hold && session.hold.holder == wire.process
          && (message.activity == nil || session.activity == message.activity)
      }
    case (let save as SaveActivity, let reply as SaveActivity.Reply):
      learn(reply.generation, save.activity, of: save.session)
      claim(save.session, on: wire, "has generation \(reply.generation)") {
        $0.session?.generation == reply.generation && $0.session?.activity == save.activity
      }
    case (let message as RestoreActivity, let reply as SaveActivity.Reply):
      claim(message.session, on: wire, "has generation \(reply.generation)") {
        $0.session?.generation == reply.generation && $0.session?.withheld == nil
      }
    case (let message as SceneDisconnect, _):
      claim(message.session, on: wire, "was disconnected") { version in
        // The broker saves nothing for a session that is being discarded.
        guard let session = version.session else { return version.last != nil }
        return session.hold.holder == nil && message.activity.isEqual(to: session.activity)
      }
    case (let message as SetName, _):
      claim(message.session, on: wire, "is called \(message.name ?? "nothing")") {
        $0.session?.attributes.name == message.name
      }
    case (let message as SetUserInfo, _):
      claim(message.session, on: wire, "has userInfo") {
        $0.session?.attributes.userInfo == message.userInfo
      }
    case (let message as SceneUpdate, _):
      claim(message.session, on: wire, "is updated") { version in
        guard let session = version.session else { return false }
        let attributes = session.attributes
        return message.title.isEqual(to: attributes.title)
          && message.subtitle.isEqual(to: attributes.subtitle)
          && message.snapshot.isEqual(to: attributes.snapshot)
          && message.program.isEqual(to: attributes.program)
      }
    case (let message as SessionRelease, let details as SessionDetails):
      saw("released")
      let away = details.summary.away
      check(
        away?.to == message.to && away?.fence == message.fence,
        "wire \(wire.number): the release of \(message.session.short) is answered with "
          + String(describing: away))
      listen(to: details, on: wire)
    case (let message as SessionAdopt, let reply as SessionAdopt.Reply):
      saw(message.arriving ? "arriving" : reply.adopted ? "adopted" : "adopted before")
      claim(reply.session, on: wire, "is adopted under \(message.fence)") { version in
        guard let session = version.session else { return false }
        return session.isPresent == !message.arriving
          || !reply.adopted
            && session.fence == message.fence
      }
    case (let message as RequestDestruction, _):
      // The reply waits for the scenes of all sessions. A session without one can be back before.
      let isStory = message.sessions.count > 1
      for session in message.sessions { claimGone(session, on: wire, isStory: isStory) }
    case (let message as EventPost, let reply as EventPost.Reply):
      claimEvent(message.topic, reply.position, on: wire)
    case (let message as EventObserve, let reply as EventObserve.Reply):
      if let problem = topics.begin(message, reply, on: wire.number) {
        complain("wire \(wire.number): \(message.topic) \(problem)")
      }
    case (_, let reply as RequestActivation.Reply):
      claim(reply.session, on: wire, "is there") { $0.last != nil }
    case (_, let reply as SessionList.Reply):
      for summary in reply.sessions { listen(to: summary, on: wire) }
    case (_, let details as SessionDetails): listen(to: details, on: wire)
    case (let message as SessionResolve, let reply as SessionResolve.Reply):
      guard let details = reply.details else { return }
      listen(to: details, on: wire)
      claim(details.summary.session, on: wire, "is called \(message.word)") { version in
        guard let session = version.last else { return false }
        return session.attributes.name == message.word
          || session.attributes.identifier.description == message.word
      }
    case (let message as SessionHistory, let reply as SessionHistory.Reply):
      for generation in reply.generations {
        learn(generation.number, generation.activity, of: message.session)
      }
      claim(message.session, on: wire, "has \(reply.generations.count) generations") {
        $0.last?.generations == reply.generations
      }
    default: break
    }
  }

  /// A message about an event of a durable topic leaves after the event is on disk. The event is
  /// then never lost.
  private func claimEvent(_ topic: String, _ position: EventPosition, on wire: Wire) {
    guard let (record, _) = ledger.event(topic, position.number),
      ledger.state.topics[topic]?.attributes.origin == position.origin
    else {
      return check(
        ledger.state.topics[topic]?.attributes.origin != position.origin,
        "wire \(wire.number): \(topic) \(position) has no record")
    }
    check(
      record <= synced,
      "wire \(wire.number): \(topic) \(position): needs record \(record), synced is \(synced)")
    ledger.promise(record)
  }

  private func learn(_ generation: Int64, _ activity: Activity?, of session: SessionIdentifier) {
    if let problem = saves.learn(generation, activity, of: session) {
      complain("\(session.short), generation \(generation): \(problem)")
    }
  }

  private func listen(to refusal: RemoteError, to said: SentRequest, on wire: Wire) {
    saw("refused: \(refusal.reason)")
    checkDying(refusal, said)
    if refusal.isOfUpgrade { checkLeft(said) }
    guard refusal.reason == ErrorReason.sessionNotFound.name else { return }
    // For some requests a session that is being discarded no longer exists. For other requests it
    // still exists.
    switch said.request {
    case let message as SceneConnect: message.session.map { claimGone($0, on: wire, isStory: true) }
    case let message as SaveActivity: claimGone(message.session, on: wire, isStory: true)
    case let message as SessionShow: message.session.map { claimGone($0, on: wire, isStory: true) }
    case let message as SceneTransition: claimGone(message.session, on: wire, isStory: true)
    case let message as RequestActivation:
      message.session.map { claimGone($0, on: wire, isStory: true) }
    default: break
    }
  }

  /// The next program gets the request, so this one has not performed it.
  private func checkLeft(_ said: SentRequest) {
    saw("left to the next program")
    switch said.request {
    case let message as RequestActivation: checkNotDelivered(message.userActivity)
    case let message as ApplicationOpen: checkNotDelivered(message.userActivity)
    case is SceneConnect, is RequestRefresh, is SceneTransition, is Reclaim, is MemoryWarning,
      is SessionPing, is Settle, is Initialize, is Terminate:
      break
    case let request: complain("\(request as Any) was left to the next program")
    }
  }

  private func checkNotDelivered(_ activity: Activity?) {
    guard let activity else { return }
    // The next host gets the content of a host that has failed.
    let wire = delivered["\(activity.json)"]
    check(
      wire?.clientEnd != .open || wire?.isClosedByBroker == true,
      "the content \(activity.json) has arrived, and is left to the next program")
  }

  private func noteDelivery(_ callback: Callback, on wire: Wire) {
    var contents = callback.content.map { [$0] } ?? []
    if let message = callback.message as? WillConnect { contents += message.options.contents }
    for case .activity(let activity) in contents { delivered["\(activity.json)"] = wire }
  }

  func forgetDeliveries(on wire: Wire) { delivered = delivered.filter { $0.value !== wire } }

  // MARK: - Dying processes

  /// The broker does not refuse a session because its holder was killed before the request.
  private func checkDying(_ refusal: RemoteError, _ said: SentRequest) {
    guard let message = said.request as? SceneConnect, message.resume == nil,
      refusal.reason == ErrorReason.sessionInUse.name,
      let session = message.session ?? message.name.flatMap({ ledger.state.names[$0] }),
      let holder = ledger.state[session]?.hold.holder,
      refusal.message.contains(" \(holder.pid)"),
      processes.wasDying(holder, before: said.tick, now: now)
    else { return }
    complain("\(session.short) is refused because of a dying process: \(refusal.message)")
  }

  /// The broker does not create a session if a dying process holds a suitable one. This is not
  /// checked with a delegate, because other sessions can appear while the broker asks the delegate.
  private func checkStray(
    _ made: SessionIdentifier, _ message: SceneConnect, _ said: SentRequest, on wire: Wire
  ) {
    guard message.session == nil, message.name == nil, !message.new, !asksDelegate else { return }
    for identifier in ledger.state.sessions.keys {
      guard let session = ledger.session(identifier, whenMade: made) else { continue }
      let attributes = session.attributes
      let name = attributes.configuration.name
      if attributes.maker == wire.clientName, attributes.role == message.role ?? .windowApplication,
        name == message.configuration ?? name, let holder = session.hold.holder,
        processes.wasDying(holder, before: said.tick, now: now)
      {
        complain("a session was created although a dying process holds \(identifier.short)")
      }
    }
  }

  // MARK: - Messages without a request

  private func listen(to message: WillConnect, on wire: Wire) {
    noteHold(message.hold, of: message.session, by: wire.process)
    let record = message.sceneSession
    claim(message.session, on: wire, "is connected as \(record)") { version in
      guard let session = version.last, session.hold.number == message.hold else { return false }
      var expected = SceneSessionRecord(session)
      expected.configuration = record.configuration
      if record.configuration.kind == .settings || session.withheld != nil {
        expected.stateRestorationActivity = nil
      }
      if message.withheld != session.withheld { return false }
      return expected == record && session.hold.holder == wire.process
    }
  }

  private func listen(to details: SessionDetails, on wire: Wire) {
    listen(to: details.summary, on: wire)
    claim(details.summary.session, on: wire, "is shown") { version in
      guard let session = version.last else { return false }
      return SceneSessionRecord(session) == details.sceneSession
        && session.attributes.snapshot == details.snapshot
    }
  }

  private func listen(to summary: SessionSummary, on wire: Wire) {
    claim(summary.session, on: wire, "is listed as \(summary)") { version in
      guard let session = version.last else { return false }
      let attributes = session.attributes
      return attributes.name == summary.name && session.shownTitle == summary.title
        && attributes.role == summary.role
        && attributes.configuration.name == summary.configuration
        && session.hold.used == summary.lastUsed && session.generation == summary.generation
        && attributes.away == summary.away && attributes.program == summary.program
        && (summary.client != nil || version.session == nil
          || session.hold.end == summary.disconnect)
    }
  }

  private func listen(to notification: BrokerNotification, on wire: Wire) {
    switch notification {
    case .sessionChanged(let summary): listen(to: summary, on: wire)
    case .sessionDiscarded(let session): claimGone(session, on: wire)
    case .posted(let event):
      saw(event.gap ? "event behind a gap" : "event")
      if event.session != nil { saw("event for a scene") }
      claimEvent(event.topic, event.position, on: wire)
      if let problem = topics.take(event, on: wire.number) {
        complain("wire \(wire.number): \(event.topic): \(problem)")
      }
    case .phaseChanged, .memoryWarning, .significantTimeChange, .activated: break
    case .trace(let entry): listen(to: entry, on: wire)
    case .sceneConnected(let message):
      claim(message.session, on: wire, "has a scene", isStory: true) {
        $0.session?.hold.holder != nil
      }
    case .sceneDisconnected(let message):
      claim(message.session, on: wire, "has no scene any more", isStory: true) {
        $0.session == nil || $0.session?.hold.end?.reason == message.reason
      }
    case .sceneExited(let message):
      claim(message.session, on: wire, "is known to have exited", isStory: true) {
        $0.session == nil || $0.session?.hold.end?.exit == message.exit
      }
    case .overran: saw("overrun of the delegate")
    }
  }

  private func listen(to callback: Callback, on wire: Wire) {
    if callback.kind.isOfDelegate { saw("callback: \(callback.kind)") }
    noteDelivery(callback, on: wire)
    switch callback.message {
    case let message as WillConnect: listen(to: message, on: wire)
    case let question as ConfigurationForConnecting:
      let session = question.sceneSession.persistentIdentifier
      if let problem = delegates.ask(about: session) {
        complain("\(session.short): \(problem)")
      }
    case let report as DidDiscardSceneSessions:
      if let problem = delegates.tell(report) { complain(problem) }
      for session in report.sceneSessions {
        claimGone(session.persistentIdentifier, on: wire, isStory: true)
        let last = ledger.discarded(session.persistentIdentifier)
        check(
          last.map(SceneSessionRecord.init) == session
            || saves.ignored.contains(session.persistentIdentifier),
          "\(session.persistentIdentifier.short) is reported as \(session)")
      }
    default: break
    }
  }

  private func listen(to entry: TraceEntry, on wire: Wire) {
    saw("\(entry.event)\(entry.reason.map { " (\($0))" } ?? "")")
    guard let session = entry.session, entry.number > lastCarriedEntry else { return }
    switch entry.event {
    case .created: claim(session, on: wire, "was created", isStory: true) { $0.session != nil }
    case .saved:
      claim(session, on: wire, "was saved", isStory: true) {
        $0.session?.generation == entry.generation
      }
    case .discarded: claimGone(session, on: wire, isStory: true)
    case .disconnected:
      claim(session, on: wire, "was disconnected", isStory: true) {
        $0.session == nil || $0.session?.hold.end?.reason.rawValue == entry.reason
      }
    default: break
    }
  }
}

extension Patch where Value: Equatable {
  /// Whether `value` is the result of this patch. An absent member allows any value.
  fileprivate func isEqual(to value: Value?) -> Bool {
    switch self {
    case .absent: true
    case .null: value == nil
    case .value(let wanted): value == wanted
    }
  }
}
