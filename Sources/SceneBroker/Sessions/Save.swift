import SceneJSON
import SceneModel

/// Saved activities.
extension Broker {
  mutating func saveActivity(_ message: SaveActivity, _ requester: Requester) throws(BrokerError) {
    try checkMayChange(message.session, requester)
    let generation = try save(message.activity, for: message.session, requester)
    reply(requester, SaveActivity.Reply(generation: generation), about: message.session)
  }

  /// Saves an activity, or throws and leaves the saved one. Returns the generation of the activity:
  /// the same bytes again make no new generation. Without a requester, the scene saves.
  mutating func save(
    _ activity: Activity?, for identifier: SessionIdentifier, _ requester: Requester? = nil
  ) throws(BrokerError) -> Int64 {
    if let activity { try limits.check(activity) }
    guard let session = store[identifier] else { throw absence(of: identifier) }
    let current = session.generation
    let scene = scenes[identifier]
    let isByScene = requester == nil || requester?.connection == scene?.holder
    let isRestoring = isByScene && scene?.isRestoring(current) == true
    let hold = session.hold(
      afterSaving: activity, isByScene: isByScene, isRestoring: isRestoring)
    // A first save of null is a new generation, and so is a save in the place of a withheld
    // activity.
    guard current == 0 || session.activity != activity || session.withheld != nil else {
      if let hold, hold.pinned != session.hold.pinned {
        var unpinned = session.hold
        unpinned.pinned = hold.pinned
        try clearWithholding(unpinned)
      }
      return current
    }
    if let error = store.admission(of: activity == nil ? .bounded : .growing) { throw error }
    try checkRoom(for: (activity?.byteCount ?? 0) - session.byteCountDroppedBySaving)
    let number = current + 1
    let remark = remark(on: activity, after: session)
    // Drop the second reference, so that the change does not copy the session.
    _ = consume session
    record(
      .activity(
        Generation(session: identifier, number: number, activity: activity, saved: now.wall)))
    if let hold { record(.held(hold)) }
    if isRestoring { scene?.restoredGeneration = number }
    trace(.saved, identifier, by: isByScene ? nil : requester) {
      ($0.generation, $0.detail) = (number, remark)
    }
    markChanged(identifier)
    return number
  }

  /// No new generation is saved, but a withheld one is not kept any more.
  private mutating func clearWithholding(_ hold: Hold) throws(BrokerError) {
    if let error = store.admission(of: .bounded) { throw error }
    record(.held(hold))
    markChanged(hold.session)
  }

  /// Saves an activity that comes with another request. An error refuses that request.
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

  /// The trace entry says when an activity becomes large, not at each later save.
  private func remark(on activity: Activity?, after before: StoredSession) -> String? {
    guard let activity, activity.byteCount >= limits.largeActivityBytes,
      before.activity?.byteCount ?? 0 < limits.largeActivityBytes
    else { return nil }
    return "the activity is large: \(activity.byteCount) bytes; an activity describes only where a "
      + "scene is, so store the document itself elsewhere"
  }

  // MARK: - Earlier generations

  mutating func restoreActivity(
    _ message: RestoreActivity, _ requester: Requester
  ) throws(BrokerError) {
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
    reply(requester, SaveActivity.Reply(generation: number), about: message.session)
  }

  // MARK: - The activity of a scene

  /// The reply to `stateRestorationActivity`. An activity that cannot be saved leaves the saved
  /// one.
  mutating func takeActivity(_ answer: CallbackAnswer, for identifier: SessionIdentifier) {
    dropLateActivityRequest(of: identifier)
    // The session may have been discarded since the request.
    guard let before = store[identifier]?.generation else { return }
    let activity: Activity?
    switch answer {
    case .done, .failed, .activity(.absent), .launched, .configuration: return
    case .activity(.null): activity = nil
    case .activity(.value(let value)): activity = value
    }
    do throws(BrokerError) {
      let generation = try save(activity, for: identifier)
      // The same bytes again update nothing.
      if let activity, generation != before {
        scenes[identifier]?.activityUpdates.append(activity)
      }
    } catch {
      trace(.failed, identifier) {
        $0.callback = CallbackKind.stateRestorationActivity.rawValue
        ($0.reason, $0.detail) = (error.reason.name, error.message)
      }
    }
  }

  /// A late reply must not replace a newer activity.
  private mutating func dropLateActivityRequest(of identifier: SessionIdentifier) {
    guard let scene = scenes[identifier], let callback = scene.lateActivityRequest else { return }
    scene.lateActivityRequest = nil
    clients[scene.holder]?.endCallback(callback)
  }

  // MARK: - Space

  /// Checks the limits of all sessions. The sessions that wait for their process count.
  mutating func checkRoom(for growth: Int) throws(BrokerError) {
    guard growth > 0 else { return }
    try makeRoom(for: growth) { (broker, growth) throws(BrokerError) in
      try broker.store.checkSpace(
        for: growth, pending: broker.pendingSessions.configuredByteCount,
        transient: broker.topics.byteCount)
    }
  }

  /// Bytes of everything that `totalBytes` limits.
  var totalByteCount: Int { store.byteCount + topics.byteCount + waitingByteCount }
}
