package import SceneModel

/// The end of the application: all scenes disconnect, then the delegate terminates.
extension Broker {
  /// The time for all scenes to disconnect.
  package static let shutdownTime = Interval.seconds(4)

  mutating func terminate() {
    guard !isShuttingDown else { return }
    isShuttingDown = true
    endResumption()
    effects.timers.append(.set(.shutdown, Self.shutdownTime))
    refuseWaiting(.shuttingDown)
    let leaving = store.inOrderOfUse(scenes.all.keys)
    for identifier in leaving {
      setTarget(
        of: identifier, to: .unattached, intent: DisconnectIntent(reason: .shutdown), by: nil)
    }
    for identifier in leaving { advanceLifecycle(of: identifier) }
    stopIfDone()
  }

  /// Refuses the requests that wait, except for scenes. No event reports a clock, a disk or an
  /// upgrade any more. The event loop still answers the requests that wait for the manifest or a
  /// directory.
  mutating func refuseWaiting(_ error: BrokerError) {
    refuseDeferred(error)
    refusePendingSessions(error)
    failLaunches(error)
    let requesters =
      conditionWaiters.fail(.clock)
      + conditionWaiters.fail(.disk(isFull: true), .disk(isFull: false))
      + conditionWaiters.fail(.settled, .upgrade)
    for requester in requesters { refuse(requester, error) }
  }

  mutating func disconnectRemaining() {
    for identifier in store.inOrderOfUse(scenes.all.keys) {
      disconnectImmediately(identifier, DisconnectOutcome(reason: .shutdown))
    }
  }

  /// The broker does not wait for clients without a scene.
  mutating func stopIfDone() {
    guard isShuttingDown, scenes.all.isEmpty, !isDelegateTerminating() else { return }
    effects.timers.append(.cancel(.shutdown))
    effects.isStopping = true
  }
}
