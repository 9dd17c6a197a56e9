import JSON
import SceneModel

/// What clients have kept for them.
extension Broker {
  mutating func saveActivity(_ message: SaveActivity, _ requester: Requester) {
    do throws(BrokerError) {
      try checkMayChange(message.session, requester)
      let generation = try save(message.activity, for: message.session, requester)
      reply(requester, .saved(SaveActivity.Reply(generation: generation)), about: message.session)
    } catch {
      refuse(requester, error)
    }
  }

  /// Saves, or says why not; a failed save leaves what was saved before. Gives the generation that
  /// the activity is now: the same bytes again make no new one. Without a requester it is the scene's
  /// own.
  mutating func save(
    _ activity: Activity?, for identifier: SessionIdentifier, _ requester: Requester? = nil
  ) throws(BrokerError) -> Int64 {
    if let activity { try check(activity) }
    guard let session = store[identifier] else { throw notFound(identifier) }
    let current = session.generation
    let isByScene = requester == nil || requester?.connection == scenes[identifier]?.holder
    let continuesTry = isByScene && scenes[identifier]?.isTrying(current) == true
    let tenure = session.tenure(
      afterSaving: activity, isByScene: isByScene, continuesTry: continuesTry)
    // What was never saved is not the same as null, and what is withheld is not what counts.
    guard current == 0 || session.activity != activity || session.withheld != nil else {
      if let tenure, tenure.pinned != session.tenure.pinned {
        var unpinned = session.tenure
        unpinned.pinned = tenure.pinned
        try letGo(unpinned)
      }
      return current
    }
    if let error = store.admission(of: activity == nil ? .little : .growing) { throw error }
    try checkRoom(for: (activity?.byteCount ?? 0) - session.byteCountDroppedBySaving)
    let number = current + 1
    let remark = remark(on: activity, after: session)
    // Drop the second reference, so that the change does not copy the session.
    _ = consume session
    record(
      .activity(
        Generation(session: identifier, number: number, activity: activity, saved: now.wall)))
    if let tenure { record(.held(tenure)) }
    if continuesTry { scenes[identifier]?.replaceGivenGeneration(with: number) }
    tell(
      .saved, identifier, generation: number, by: isByScene ? nil : requester, detail: remark)
    noteChange(of: identifier)
    return number
  }

  /// Nothing is saved, and what was withheld is let go all the same.
  private mutating func letGo(_ tenure: Tenure) throws(BrokerError) {
    if let error = store.admission(of: .little) { throw error }
    record(.held(tenure))
    noteChange(of: tenure.session)
  }

  // MARK: - What was saved earlier

  mutating func restoreActivity(_ message: RestoreActivity, _ requester: Requester) {
    do throws(BrokerError) {
      let session = try sessionToChange(message.session, requester)
      guard let generation = session.generations.first(where: { $0.number == message.generation })
      else {
        let numbers = session.generations.map { "\($0.number)" }
        let noun = numbers.count == 1 ? "generation" : "generations"
        throw BrokerError(
          .invalidParams,
          "generation \(message.generation) is not stored: \(label(of: message.session)) has "
            + (numbers.isEmpty
              ? "no saved activity" : "\(noun) \(numbers.joined(separator: ", "))"))
      }
      let number = try save(generation.activity, for: message.session, requester)
      reply(requester, .saved(SaveActivity.Reply(generation: number)), about: message.session)
    } catch {
      refuse(requester, error)
    }
  }

  /// Saves what goes along with a request. What cannot be saved refuses that before anything is
  /// changed, and says so.
  mutating func saveFirst(
    _ activity: Activity?, of identifier: SessionIdentifier, _ requester: Requester? = nil,
    orElse advice: String
  ) throws(BrokerError) {
    do throws(BrokerError) {
      _ = try save(activity, for: identifier, requester)
    } catch {
      throw BrokerError(
        error.reason, "activity: \(error.message); \(advice)", retry: error.retry,
        speaksOfSessions: error.speaksOfSessions)
    }
  }

  /// Said when an activity becomes large, not each time it is saved from then on.
  private func remark(on activity: Activity?, after before: StoredSession) -> String? {
    guard let activity, activity.byteCount >= limits.largeActivityBytes,
      before.activity?.byteCount ?? 0 < limits.largeActivityBytes
    else { return nil }
    return "the activity is large: \(activity.byteCount) bytes; an activity describes only where a "
      + "scene is, so store the document itself elsewhere"
  }

  /// Checks the limits of all sessions. The sessions that wait for their process count.
  func checkRoom(for growth: Int) throws(BrokerError) {
    guard growth > 0 else { return }
    try store.checkSpace(
      for: growth, pending: pendingSessions.configuredByteCount, transient: topics.byteCount)
  }

  /// Bytes of everything that `totalBytes` limits.
  package var totalByteCount: Int { store.byteCount + topics.byteCount + waitingByteCount }

  /// Whether what a session says of itself may take the place of what it said before.
  func checkRoom(
    for attributes: SessionAttributes, after before: SessionAttributes
  ) throws(BrokerError) {
    let growth = attributes.byteCount - before.byteCount
    if let error = store.admission(of: growth > 0 ? .growing : .little) { throw error }
    try checkRoom(for: growth)
  }

  /// What a scene answered when it was asked. What cannot be saved leaves what was saved before.
  mutating func takeActivity(_ answer: CallbackAnswer, for identifier: SessionIdentifier) {
    dropLateActivityRequest(of: identifier)
    // It may have been discarded since it was asked.
    guard store[identifier] != nil else { return }
    let activity: Activity?
    switch answer {
    case .done, .failed, .activity(.absent), .launched, .configuration: return
    case .activity(.null): activity = nil
    case .activity(.value(let value)): activity = value
    }
    do throws(BrokerError) {
      let before = store[identifier]?.generation
      let generation = try save(activity, for: identifier)
      // The same bytes again update nothing.
      if let activity, generation != before {
        scenes[identifier]?.queueActivityUpdate(activity)
      }
    } catch {
      tell(
        .failed, identifier, callback: .stateRestorationActivity, reason: error.reason.name,
        detail: error.message)
    }
  }

  /// A late reply must not replace a newer activity.
  private mutating func dropLateActivityRequest(of identifier: SessionIdentifier) {
    guard let holder = scenes[identifier]?.holder,
      let callback = scenes[identifier]?.takeLateActivityRequest()
    else { return }
    clients.endCallback(callback, on: holder)
  }

  // MARK: - What a session says of itself

  mutating func update(_ message: SceneUpdate, _ requester: Requester) {
    change(message.session, requester) { broker, attributes throws(BrokerError) in
      try broker.check(title: message.title.text, "title")
      try broker.check(title: message.subtitle.text, "subtitle")
      if let text = message.snapshot.text, text.utf8.count > broker.limits.snapshotBytes {
        throw broker.tooLarge("snapshot", broker.limits.snapshotBytes)
      }
      message.title.change(&attributes.title)
      message.subtitle.change(&attributes.subtitle)
      message.snapshot.change(&attributes.snapshot)
      try broker.change(&attributes.activationConditions, message.activationConditions)
    }
  }

  mutating func setUserInfo(_ message: SetUserInfo, _ requester: Requester) {
    change(message.session, requester) { broker, attributes throws(BrokerError) in
      try broker.check(message.userInfo)
      attributes.userInfo = message.userInfo
    }
  }

  mutating func setName(_ message: SetName, _ requester: Requester) {
    change(message.session, requester) { broker, attributes throws(BrokerError) in
      try broker.check(name: message.name)
      if let name = message.name, name != attributes.name {
        let isTaken =
          broker.store.listed(named: name) != nil
          || broker.pendingSessions.hasUndecided(named: name)
          || broker.toBeLaunched(named: name) != nil
        guard !isTaken else {
          throw BrokerError(.nameInUse, "another session is called \(name)")
        }
      }
      attributes.name = message.name
    }
  }

  private mutating func change(
    _ identifier: SessionIdentifier, _ requester: Requester,
    _ body: (borrowing Broker, inout SessionAttributes) throws(BrokerError) -> Void
  ) {
    do throws(BrokerError) {
      let session = try sessionToChange(identifier, requester)
      guard !store.isDiscarding(identifier) else { throw notFound(identifier) }
      var attributes = session.attributes
      try body(self, &attributes)
      if attributes != session.attributes {
        try checkRoom(for: attributes, after: session.attributes)
        record(.session(attributes))
        noteChange(of: identifier)
      }
      reply(requester, .empty, about: identifier)
    } catch {
      refuse(requester, error)
    }
  }

  // MARK: - Limits

  func check(_ activity: Activity) throws(BrokerError) {
    guard activity.byteCount <= limits.activityBytes else {
      throw tooLarge("activity", limits.activityBytes)
    }
  }

  func check(_ userInfo: OpaqueObject) throws(BrokerError) {
    guard userInfo.byteCount <= limits.userInfoBytes else {
      throw tooLarge("userInfo", limits.userInfoBytes)
    }
  }

  func check(_ options: ConnectionOptions) throws(BrokerError) {
    guard options.byteCount <= limits.optionsBytes else {
      throw tooLarge("options", limits.optionsBytes)
    }
  }

  func check(title: String?, _ what: String) throws(BrokerError) {
    guard title?.utf8.count ?? 0 <= limits.titleBytes else {
      throw tooLarge(what, limits.titleBytes)
    }
  }

  func check(title: String?) throws(BrokerError) { try check(title: title, "title") }

  func check(name: String?) throws(BrokerError) {
    guard let name else { return }
    try check(title: name, "name")
    if let problem = SessionName.problem(with: name) {
      throw BrokerError(.invalidParams, "the name \"\(name)\" \(problem)")
    }
  }
}

extension Patch<String> {
  /// Nothing leaves the member as it is, null takes it away.
  fileprivate func change(_ member: inout String?) {
    switch self {
    case .absent: break
    case .null: member = nil
    case .value(let text): member = text
    }
  }
}
