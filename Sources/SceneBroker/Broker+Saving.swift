import JSON
import SceneModel

/// What clients have kept for them.
extension Broker {
  mutating func saveActivity(_ message: SaveActivity, _ asker: Asker) {
    do throws(BrokerError) {
      _ = try sessionToChange(message.session, asker)
      let generation = try saveIfPossible(message.activity, for: message.session)
      reply(asker, .saved(SaveActivity.Reply(generation: generation)), about: message.session)
    } catch {
      refuse(asker, error)
    }
  }

  /// Saves, or says why not. A failed save leaves what was saved before.
  mutating func saveIfPossible(
    _ activity: Activity?, for identifier: SessionIdentifier
  ) throws(BrokerError) -> Int64 {
    if let activity { try check(activity) }
    guard stored[identifier] != nil else { throw notFound(identifier) }
    if let error = storageRefusal(growing: activity != nil) { throw error }
    if let activity, stored.byteCount + activity.byteCount > limits.storedBytes {
      throw BrokerError(
        .storageFull, "all sessions together have \(limits.storedBytes) bytes; discard some")
    }
    return save(activity, for: identifier)
  }

  /// The generation that the activity is now; the same bytes again make no new one.
  mutating func save(_ activity: Activity?, for identifier: SessionIdentifier) -> Int64 {
    guard let session = stored[identifier] else { return 0 }
    guard session.activity != activity else { return session.generation }
    let generation = Generation(
      session: identifier, number: session.generation + 1, activity: activity, saved: now.wall)
    record(.activity(generation))
    tell(.saved, identifier, generation: generation.number)
    noteChange(of: identifier)
    return generation.number
  }

  /// What a scene answered when it was asked. What cannot be saved leaves what was saved before.
  mutating func takeActivity(_ answer: CallbackAnswer, for identifier: SessionIdentifier) {
    scenes[identifier]?.lateAsk = nil
    let activity: Activity?
    switch answer {
    case .done, .failed, .activity(.absent): return
    case .activity(.null): activity = nil
    case .activity(.value(let value)): activity = value
    }
    do throws(BrokerError) {
      _ = try saveIfPossible(activity, for: identifier)
    } catch {
      tell(
        .failed, identifier, callback: .stateRestorationActivity, reason: error.reason.name,
        detail: error.message)
    }
  }

  // MARK: - What a session says of itself

  mutating func update(_ message: SceneUpdate, _ asker: Asker) {
    change(message.session, asker) { broker, attributes throws(BrokerError) in
      try broker.check(title: message.title.text, "title")
      try broker.check(title: message.subtitle.text, "subtitle")
      if let text = message.snapshot.text, text.utf8.count > broker.limits.snapshotBytes {
        throw broker.tooLarge("snapshot", broker.limits.snapshotBytes)
      }
      message.title.change(&attributes.title)
      message.subtitle.change(&attributes.subtitle)
      message.snapshot.change(&attributes.snapshot)
    }
  }

  mutating func setUserInfo(_ message: SetUserInfo, _ asker: Asker) {
    change(message.session, asker) { broker, attributes throws(BrokerError) in
      try broker.check(message.userInfo)
      attributes.userInfo = message.userInfo
    }
  }

  mutating func setName(_ message: SetName, _ asker: Asker) {
    change(message.session, asker) { broker, attributes throws(BrokerError) in
      try broker.check(name: message.name)
      if let name = message.name, name != attributes.name {
        let isTaken =
          broker.session(named: name) != nil
          || broker.creations.values.contains { $0.name == name }
        guard !isTaken else {
          throw BrokerError(.nameInUse, "another session is called \(name)")
        }
      }
      attributes.name = message.name
    }
  }

  private mutating func change(
    _ identifier: SessionIdentifier, _ asker: Asker,
    _ body: (Broker, inout SessionAttributes) throws(BrokerError) -> Void
  ) {
    do throws(BrokerError) {
      let session = try sessionToChange(identifier, asker)
      guard departing[identifier] == nil else { throw notFound(identifier) }
      if let error = storageRefusal(growing: true) { throw error }
      var attributes = session.attributes
      try body(self, &attributes)
      if attributes != session.attributes {
        record(.session(attributes))
        noteChange(of: identifier)
      }
      reply(asker, .empty, about: identifier)
    } catch {
      refuse(asker, error)
    }
  }

  // MARK: - Limits

  func check(_ activity: Activity) throws(BrokerError) {
    guard activity.byteCount <= limits.activityBytes else {
      throw tooLarge("activity", limits.activityBytes)
    }
  }

  func check(_ userInfo: CarriedObject) throws(BrokerError) {
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
    guard !name.isEmpty else {
      throw BrokerError(.invalidParams, "name: is empty; leave it out, or give a name")
    }
    guard !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw BrokerError(.invalidParams, "name: has a control character in it") }
    try check(title: name, "name")
  }
}

extension Presence<String> {
  fileprivate var text: String? {
    switch self {
    case .absent, .null: nil
    case .value(let text): text
    }
  }

  /// Nothing leaves the member as it is, null takes it away.
  fileprivate func change(_ member: inout String?) {
    switch self {
    case .absent: break
    case .null: member = nil
    case .value(let text): member = text
    }
  }
}
