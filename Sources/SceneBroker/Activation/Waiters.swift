import SceneModel

/// Requests that wait for a scene.
extension Broker {
  /// Lets a request wait for the scene of a session, or for its launch. A waiter of the scene's own
  /// client gets its reply now: it must not wait for what its own client has to acknowledge.
  mutating func addWaiter(_ waiter: ActivationWaiter, to identifier: SessionIdentifier) {
    guard waiter.requester.request != nil else { return }
    if !launches.contains(identifier) {
      guard let scene = scenes[identifier] else { return }
      guard scene.holder != waiter.requester.connection else {
        return send(pending.reply(to: waiter, identifier, in: scene.state), about: identifier)
      }
    }
    if pending.mustSweep(identifier) {
      pending.removeWaiters(of: identifier) { [clients] in clients.isConnected($0) }
    }
    pending.add(waiter, to: identifier)
  }

  /// Whether the request waits for the end of the scene. A request of the scene's own client does
  /// not.
  func isAwaited(_ identifier: SessionIdentifier, by requester: Requester) -> Bool {
    guard requester.request != nil, let holder = scenes.holder(of: identifier) else { return false }
    return holder != requester.connection
  }

  /// Sends the replies that are due. `error` is for activations that have failed.
  mutating func send(
    _ replies: some Sequence<WaiterReply>, about identifier: SessionIdentifier,
    failure error: BrokerError? = nil
  ) {
    for due in replies {
      switch due.content {
      case .reply(let reply): self.reply(due.requester, reply, about: identifier)
      case .batch(let reply): replyAboutAll(due.requester, reply)
      case .failed: refuse(due.requester, error ?? .endedEarly(label(of: identifier)))
      }
    }
  }

  mutating func send(_ reply: WaiterReply?, about identifier: SessionIdentifier) {
    if let reply { send(CollectionOfOne(reply), about: identifier) }
  }

  /// Whether the scene is at its target and has nothing left to do.
  func isAtRest(_ identifier: SessionIdentifier) -> Bool {
    scenes.isAtTarget(identifier) && !pending.hasCallbacks(for: identifier)
  }
}
