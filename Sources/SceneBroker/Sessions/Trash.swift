import SceneModel

/// The trash: a discard stores the session for some time, in which it can be undone.
///
/// A session in the trash is no session for any request but `session/undiscard`, a discard with
/// `now` and a list of the trash. Its files stay in their place.
extension Broker {
  /// The time of a discarded session in the trash; 0 for none. An application delegate learns of a
  /// discard at the end of the session, so the default leaves such an application without a trash.
  private var trashTime: Interval {
    manifest.policies.trash ?? (keepsDiscards ? .seconds(0) : Trash.standardTime)
  }

  /// The end of the time in the trash for a session that is discarded now; nil without a trash.
  var endInTrash: Int64? {
    let time = trashTime
    return time > .seconds(0) ? now.wall + time.nanoseconds / 1_000_000 : nil
  }

  /// Whether a discard loses content, so that the session goes to the trash.
  func hasContent(_ session: StoredSession) -> Bool {
    !session.generations.isEmpty
      || launches.directories.contains(session.attributes.identifier)
  }

  // MARK: - The end of the time

  /// Removes the sessions whose time is over, and waits for the next one.
  mutating func emptyTrashOnTime() {
    let due = store.state.trash.values.filter { $0.until <= now.wall }
    guard due.isEmpty || store.admission(of: .bounded) == nil else {
      return effects.timers.append(.set(.trash, .seconds(60)))
    }
    removeFromTrash(due)
    awaitTrash()
  }

  /// The clock that people see can change, so the broker looks at it once an hour.
  private mutating func awaitTrash() {
    guard let next = store.state.trash.values.lazy.map(\.until).min() else { return }
    let pause = min(max(0, next - now.wall), 3_600_000)
    effects.timers.append(.set(.trash, .milliseconds(pause)))
  }

  /// Ends sessions in the trash. The application delegate learns of them now.
  mutating func removeFromTrash(
    _ trashed: some Collection<TrashedSession>, by requester: Requester? = nil
  ) {
    guard !trashed.isEmpty else { return }
    let isReporting = manifest.applicationDelegate != .builtIn
    let isReported = { (trashed: TrashedSession) in isReporting && trashed.discard.report != nil }
    let ordered = trashed.inOrderOfEnd
    let silent = ordered.filter { !isReported($0) }.map { Discard(session: $0.discard.session) }
    let reported = ordered.filter(isReported).map(\.session)
    let request = reported.isEmpty ? nil : identifiers.next()
    let reports = request.map { Discard.all(reported, request: $0, limits: limits) } ?? []
    let names = Dictionary(
      uniqueKeysWithValues: ordered.map { ($0.discard.session, $0.session.attributes.name) })
    for discard in silent + reports {
      record(.discard(discard))
      trace(.discarded, discard.session, by: requester) {
        ($0.name, $0.detail) = (names[discard.session] ?? nil, "out of the trash")
      }
      markDirectoryIfDiscarding(discard.session)
      if !store.isDiscarding(discard.session) { removeCaches(of: discard.session) }
    }
    if let request { dropOldReports(keeping: request, count: reports.count) }
  }

  // MARK: - Space

  /// New sessions in the trash replace the oldest ones.
  mutating func limitTrash() {
    let excess = { (state: StoredState, limit: Int) in
      state.trash.count > Trash.mostSessions || state.trashByteCount > limit
    }
    let limit = limits.storedBytes / Trash.fraction
    if excess(store.state, limit) {
      for trashed in store.state.trash.values.inOrderOfEnd where excess(store.state, limit) {
        removeFromTrash([trashed])
      }
    }
    awaitTrash()
  }

  /// The disk is full, so the sessions in the trash end.
  mutating func emptyTrashForSpace() {
    guard store.isDiskFull, store.admission(of: .bounded) == nil else { return }
    removeFromTrash(store.state.trash.values)
  }

  /// Removes the oldest sessions from the trash until the growth passes the check. If the trash is
  /// too small for that, all stay.
  mutating func makeRoom(
    for growth: Int, _ check: (borrowing Broker, Int) throws(BrokerError) -> Void
  ) throws(BrokerError) {
    do throws(BrokerError) {
      return try check(self, growth)
    } catch {
      guard (try? check(self, growth - store.state.trashByteCount)) != nil else { throw error }
    }
    for trashed in store.state.trash.values.inOrderOfEnd {
      removeFromTrash([trashed])
      if (try? check(self, growth)) != nil { return }
    }
    try check(self, growth)
  }

  // MARK: - The way back

  mutating func undiscard(
    _ message: SessionUndiscard, _ requester: Requester
  ) throws(BrokerError) {
    let identifier = message.session
    guard !isShuttingDown else { throw BrokerError.shuttingDown }
    guard !store.isDiscarding(identifier) else {
      throw BrokerError(
        .sessionInUse, "the scene of \(label(of: identifier)) has not ended yet", retry: .later)
    }
    guard let session = store.state.trash[identifier]?.session else {
      throw BrokerError(.sessionNotFound, "\(identifier) is not in the trash")
    }
    try limits.check(name: message.name)
    var attributes = session.attributes
    attributes.name = message.name ?? attributes.name
    if let name = attributes.name { try checkIsFree(name) }
    try checkMayAdd(0, attributes.role)
    try checkIsOnly(attributes.configuration, attributes.role)
    try store.checkSpace(
      for: attributes.byteCount - session.attributes.byteCount,
      pending: pendingSessions.configuredByteCount, transient: topics.byteCount)
    // An older broker has only these records, not the trash.
    record(.session(attributes))
    for generation in session.generations { record(.activity(generation)) }
    record(.held(session.hold))
    trace(.undiscarded, identifier, by: requester)
    markChanged(identifier)
    reply(
      requester, SessionUndiscard.Reply(session: identifier, name: attributes.name),
      about: identifier)
  }

  private func checkIsFree(_ name: String) throws(BrokerError) {
    guard pendingSessions.isTaken(name) || store.listed(named: name) != nil else { return }
    throw BrokerError(
      .nameInUse,
      "another session is called \(name.clipped(to: 100)); choose another name with --name")
  }
}
