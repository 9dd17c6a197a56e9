import SceneModel

/// `application/memoryWarning` and `application/significantTimeChange`: every client gets the
/// notification.
extension Broker {
  /// Disconnects also the scenes in the background, as far as no assertion keeps them.
  mutating func warnOfMemory(_ requester: Requester) {
    notifyAll(.memoryWarning)
    reclaim(withoutAssertion(atRestInBackground), for: requester, .empty)
  }

  mutating func announceTimeChange(_ requester: Requester) {
    notifyAll(.significantTimeChange)
    reply(requester, .empty, about: nil)
  }
}
