package import SceneModel

/// The outcome of a request for a directory.
package enum DataDirectoryOutcome: Equatable, Sendable {
  case path(String)
  /// The reason without a directory, for people.
  case refused(ErrorReason, String)
}

/// A session has a directory for data that is too large for an activity. The directory exists from
/// the first request until the session is discarded.
extension Broker {
  mutating func requestDataDirectory(
    _ message: DataDirectory, _ requester: Requester
  ) throws(BrokerError) {
    // The files of a session arrive before it is present.
    try checkMayChange(message.session, requester, evenIfAway: true)
    conditionWaiters.wait(for: .dataDirectory(message.session), requester)
    effects.commands.append(.makeDirectory(message.session))
    markDirectoryIfDiscarding(message.session)
  }

  /// The first answer of the event loop is for all waiters. Later answers find none.
  mutating func dataDirectoryMade(
    for session: SessionIdentifier, _ outcome: DataDirectoryOutcome
  ) {
    if case .path = outcome { noteDirectory(of: session) }
    for requester in conditionWaiters.complete(.dataDirectory(session)) {
      switch outcome {
      case .path(let path):
        reply(requester, DataDirectory.Reply(path: path), about: session)
      case .refused(let reason, let problem): refuse(requester, BrokerError(reason, problem))
      }
    }
  }

  /// The scene of a discarded session uses its directory until it has ended. If the broker ends
  /// first, as at an upgrade, the mark tells the next one to remove the directory.
  mutating func markDirectoryIfDiscarding(_ session: SessionIdentifier) {
    guard store.isDiscarding(session), store.state.trash[session] == nil else { return }
    effects.commands.append(.markDirectory(session, after: recordCount))
  }

  /// A session without an activity, but with a directory, is not empty.
  mutating func noteDirectory(of session: SessionIdentifier) {
    if store[session]?.generations.isEmpty == true { launches.directories.insert(session) }
  }
}
