import SceneModel

/// How sessions end for good.
extension Broker {
  mutating func destroy(_ message: RequestDestruction, _ requester: Requester) {
    do throws(BrokerError) {
      guard message.sessions.count <= Discard.mostOfOneRequest else {
        throw BrokerError(
          .tooMany,
          "one request discards at most \(Discard.mostOfOneRequest) sessions; send several requests",
          retry: .never)
      }
      for identifier in message.sessions where !store.contains(identifier) {
        throw notFound(identifier)
      }
      if let error = store.admission(of: .little) { throw error }
    } catch {
      return refuse(requester, error)
    }
    let request = identifiers.next()
    let sessions = Set(message.sessions).sorted()
    let awaited = sessions.filter { isAwaited($0, by: requester) }
    for discard in discards(of: sessions, request: request) { begin(discard, requester) }
    dropOldReports(keeping: request, count: sessions.count)
    guard !awaited.isEmpty else {
      for identifier in sessions { finishDiscard(identifier) }
      return replyAboutAll(requester, .empty)
    }
    let batch = pending.openBatch(requester, .empty, count: awaited.count)
    for identifier in awaited {
      addWaiter(ActivationWaiter(requester: requester, kind: .batch(batch)), to: identifier)
    }
    for identifier in sessions { finishDiscard(identifier) }
  }

  /// Whether the request waits for the end of the scene. A request of the scene's own client does
  /// not.
  func isAwaited(_ identifier: SessionIdentifier, by requester: Requester) -> Bool {
    guard requester.request != nil, let holder = scenes.holder(of: identifier) else { return false }
    return holder != requester.connection
  }

  /// From here on the session is gone from the disk. While its scene goes down the line it is still
  /// listed.
  private mutating func begin(_ discard: Discard, _ requester: Requester) {
    let identifier = discard.session
    guard let session = store[identifier] else { return }
    if scenes.contains(identifier) { store.keepListed(session) }
    let waiting = previousHolder(of: session)
    record(.discard(discard))
    tell(.discarded, identifier, gone: session, by: requester)
    if let waiting, !changes.observers.contains(waiting) {
      send(.notification(.sessionDiscarded(identifier)), to: waiting, about: identifier)
    }
    clients.removeReservation(of: identifier)
    giveUpLaunch(of: identifier, notFound(identifier), isTold: false)
    noteChange(of: identifier)
    setTarget(
      of: identifier, to: .unattached, departure: Departure(reason: .discarded), by: requester)
  }

  /// Who had the session's last scene, and may wait to be its scene again.
  private func previousHolder(of session: StoredSession) -> ConnectionIdentifier? {
    let identifier = session.attributes.identifier
    guard !scenes.contains(identifier) else { return nil }
    let configuration = manifest.currentConfiguration(of: session.attributes).configuration
    let previous = previousHolder(of: identifier, hosting: configuration.delegateClass)
    return previous.flatMap { clients.isOpen($0) ? $0 : nil }
  }

  private mutating func finishDiscard(_ identifier: SessionIdentifier) {
    guard !scenes.contains(identifier) else { return advanceLifecycle(of: identifier) }
    forget(identifier)
    deferred.fulfill(.session(identifier))
  }
}
