import SceneModel

/// How sessions end for good.
extension Broker {
  mutating func destroy(_ message: RequestDestruction, _ asker: Asker) {
    do throws(BrokerError) {
      for identifier in message.sessions where !stored.contains(identifier) {
        throw notFound(identifier)
      }
      if let error = storageRefusal(of: .little) { throw error }
    } catch {
      return refuse(asker, error)
    }
    let sessions = Set(message.sessions).sorted()
    let awaited = sessions.filter { isAwaited($0, by: asker) }
    for identifier in sessions { beginDiscard(identifier, asker) }
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
  private mutating func beginDiscard(_ identifier: SessionIdentifier, _ asker: Asker) {
    guard let session = stored[identifier] else { return }
    if scenes[identifier] != nil { departing.insert(session) }
    record(.discard(Discard(session: identifier)))
    tell(.discarded, identifier, gone: session, by: asker)
    reserved[identifier] = nil
    noteChange(of: identifier)
    aim(identifier, at: .unattached, departure: Departure(reason: .discarded), by: asker)
  }

  private mutating func finishDiscard(_ identifier: SessionIdentifier) {
    guard scenes[identifier] == nil else { return walk(identifier) }
    forget(identifier)
    retryWaiting(for: identifier)
  }
}
