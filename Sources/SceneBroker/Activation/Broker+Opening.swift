import SceneModel

/// `application/open`: something is handed to the scene that it is for.
extension Broker {
  mutating func open(_ message: ApplicationOpen, _ attempt: Attempt) {
    do throws(BrokerError) {
      let content = try content(of: message)
      guard !isShuttingDown else { throw shuttingDown }
      let target = message.targetContentIdentifier ?? content.targetContentIdentifier
      let occasion = Occasion(content)
      guard let identifier = try session(for: target, role: nil) else {
        return try make(
          nil, role: nil, message.configuration, for: occasion, .open(message), attempt)
      }
      try want(identifier, for: occasion, .open(message), attempt)
    } catch {
      refuse(attempt.requester, error)
    }
  }

  private func content(of message: ApplicationOpen) throws(BrokerError) -> OpenedContent {
    guard let content = message.content else {
      throw BrokerError(
        .invalidParams,
        "urlContexts, userActivity, notificationResponse, shortcutItem: give exactly one")
    }
    guard !message.handoff || message.userActivity != nil else {
      throw BrokerError(.invalidParams, "handoff: allowed only with userActivity")
    }
    if let activity = message.userActivity { try check(activity) }
    try check(content.options)
    return content
  }
}
