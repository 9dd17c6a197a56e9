import SceneModel

/// A session in the agent.
struct AgentSession {
  enum Local {
    case unknown
    case absent
    case present(SessionContent)
    case away(SessionContent)

    var content: SessionContent? {
      switch self {
      case .present(let content), .away(let content): content
      case .unknown, .absent: nil
      }
    }
  }

  /// The request whose reply the session awaits.
  enum Step: Equatable {
    case idle
    // At the broker
    case showing
    case releasing(to: String)
    case confirming
    case adopting(fence: Int64, files: Int64)
    case copying(SessionIdentifier)
    case saving(AgentView.Conflict)
    case discarding
    // At the engine
    /// `base` is that of the owner that the transaction writes; nil if the owner stays.
    case publishing(generation: Int64, digest: Int64, files: Int64, base: Int64?)
    case requesting
    case taking
    case reclaiming
    case reading(fence: Int64, from: String)
    case readingCopy(from: String)
    case refusing
    case transferring(SessionContent)
    case keepingConflict(digest: Int64)
    case deleting
    /// With `isOwn`, this host's content stays current.
    case readingConflict(AgentView.Conflict, isOwn: Bool)
    case deletingConflict

    var isCopying: Bool { if case .copying = self { true } else { false } }

    /// Whether the reply has content of the engine.
    var isReading: Bool {
      switch self {
      case .reading, .readingCopy, .readingConflict: true
      default: false
      }
    }

    var isAtBroker: Bool {
      switch self {
      case .showing, .releasing, .confirming, .adopting, .copying, .saving, .discarding: true
      case .idle, .publishing, .requesting, .taking, .reclaiming, .reading, .readingCopy,
        .refusing, .transferring, .keepingConflict, .deleting, .readingConflict, .deletingConflict:
        false
      }
    }
  }

  enum Wish: Equatable {
    /// `isRequested` after the request is in the engine.
    case take(seen: Int64?, forced: Bool, isRequested: Bool = false)
    case copy
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
