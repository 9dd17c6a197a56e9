import SceneModel

/// How sessions end for good.
extension Broker {
  mutating func destroy(
    _ message: RequestDestruction, _ asker: Asker, fresh: SessionIdentifier
  ) {
    do throws(BrokerError) {
      guard message.sessions.count <= Discard.mostOfOneRequest else {
        throw BrokerError(
          .tooMany,
          "one request discards at most \(Discard.mostOfOneRequest) sessions; ask in parts",
          retry: .never)
      }
      for identifier in message.sessions where !stored.contains(identifier) {
        throw notFound(identifier)
      }
      if let error = storageRefusal(of: .little) { throw error }
    } catch {
      return refuse(asker, error)
    }
    let sessions = Set(message.sessions).sorted()
    let awaited = sessions.filter { isAwaited($0, by: asker) }
    for discard in discards(of: sessions, request: fresh) { begin(discard, asker) }
    dropOldReports(besides: fresh, count: sessions.count)
    guard !awaited.isEmpty else {
      for identifier in sessions { finishDiscard(identifier) }
      return replyAboutAll(asker, .empty)
    }
    let group = groups.open(asker, .empty, count: awaited.count)
    for identifier in awaited {
      addArrival(Arrival(asker: asker, answer: .group(group)), to: identifier)
    }
    for identifier in sessions { finishDiscard(identifier) }
  }

  /// Whether somebody has to wait until a scene is gone: not for those of the asker's own.
  func isAwaited(_ identifier: SessionIdentifier, by asker: Asker) -> Bool {
    guard asker.request != nil, let scene = scenes[identifier] else { return false }
    return scene.holder != asker.connection
  }

  /// From here on the session is gone from the disk. While its scene goes down the line it is still
  /// listed.
  private mutating func begin(_ discard: Discard, _ asker: Asker) {
    let identifier = discard.session
    guard let session = stored[identifier] else { return }
    if scenes[identifier] != nil { departing.insert(session) }
    let waiting = lastHolder(of: session)
    record(.discard(discard))
    tell(.discarded, identifier, gone: session, by: asker)
    if let waiting, !sessionObservers.contains(waiting) {
      send(.notification(.sessionDiscarded(identifier)), to: waiting, about: identifier)
    }
    reserved[identifier] = nil
    giveUpLaunch(of: identifier, notFound(identifier), isTold: false)
    noteChange(of: identifier)
    aim(identifier, at: .unattached, departure: Departure(reason: .discarded), by: asker)
  }

  /// Who had the session's last scene, and may wait to be its scene again.
  private func lastHolder(of session: StoredSession) -> ConnectionIdentifier? {
    let identifier = session.attributes.identifier
    guard scenes[identifier] == nil else { return nil }
    let configuration = manifest.currentConfiguration(of: session.attributes).configuration
    let last = lastHolder(of: identifier, hosting: configuration.delegateClass)
    return last.flatMap { peers[$0]?.isLeft == false ? $0 : nil }
  }

  private mutating func finishDiscard(_ identifier: SessionIdentifier) {
    guard scenes[identifier] == nil else { return walk(identifier) }
    forget(identifier)
    retryWaiting(for: identifier)
  }
}
