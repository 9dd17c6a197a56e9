import SceneModel

/// `application/open`: something is handed to the scene that it is for.
extension Broker {
  /// Tried again when what stood in the way may be gone, and then it may be for another session.
  mutating func open(
    _ message: ApplicationOpen, _ asker: Asker, fresh: SessionIdentifier,
    besides asked: [ClientProcess] = []
  ) {
    do throws(BrokerError) {
      let content = try content(of: message)
      guard !isShuttingDown else { throw shuttingDown }
      let target = message.targetContentIdentifier ?? content.targetContentIdentifier
      let occasion = Occasion(content)
      guard let identifier = try session(for: target, role: nil) else {
        return try make(
          nil, role: nil, message.configuration, for: occasion, .open(message), asker,
          fresh: fresh)
      }
      try want(identifier, for: occasion, .open(message), asker, fresh: fresh, besides: asked)
    } catch {
      refuse(asker, error)
    }
  }

  private func content(of message: ApplicationOpen) throws(BrokerError) -> OpenedContent {
    guard let content = message.content else {
      throw BrokerError(
        .invalidParams,
        "urlContexts, userActivity, notificationResponse, shortcutItem: give one of them")
    }
    guard !message.handoff || message.userActivity != nil else {
      throw BrokerError(.invalidParams, "handoff: goes with userActivity")
    }
    if let activity = message.userActivity { try check(activity) }
    try check(content.options)
    return content
  }
}
