/// A session in the agent.
struct AgentSession {
  enum Local {
    case unknown
    case absent
    case present(SessionContent)
    case away(SessionContent)
  }

  /// The request whose reply the session awaits.
  enum Step: Equatable {
    case idle
    // At the broker
    case showing
    case releasing(to: String)
    case confirming
    case adopting(fence: Int64)
    case saving(AgentView.Conflict)
    case discarding
    // At the engine
    case publishing(generation: Int64, digest: Int64, isFirst: Bool)
    case requesting
    case taking
    case reclaiming
    case reading(fence: Int64, from: String)
    case refusing
    case transferring(SessionContent, to: String)
    case keepingConflict(digest: Int64)
    case deleting
    /// With `isOwn`, this host's content stays current.
    case readingConflict(AgentView.Conflict, isOwn: Bool)
    case deletingConflict

    var isAtBroker: Bool {
      switch self {
      case .showing, .releasing, .confirming, .adopting, .saving, .discarding: true
      case .idle, .publishing, .requesting, .taking, .reclaiming, .reading, .refusing,
        .transferring, .keepingConflict, .deleting, .readingConflict, .deletingConflict:
        false
      }
    }
  }

  enum Wish: Equatable {
    /// `isRequested` after the request is in the engine.
    case take(seen: Int64?, forced: Bool, isRequested: Bool = false)
    case keep(host: String)
  }

  var local = Local.unknown
  /// Whether the local content may have changed.
  var isStale = true
  var step = Step.idle
  /// The revision that the view must reach before the next step.
  var awaited: Int64 = 0
  /// The earliest time of the next publication.
  var publishTime: Int64 = 0
  /// The time of another attempt.
  var retryTime: Int64 = 0
  /// The request of a person, and its number.
  var wish: (number: UInt64, wish: Wish, deadline: Int64)?
  /// Whether the owner deleted the session's keys while this agent watched.
  var isDeletedByOwner = false
  /// Why the session stays local or is not adopted.
  var problem: String?
}
