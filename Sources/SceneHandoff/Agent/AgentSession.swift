import SceneModel

/// A session in the agent.
struct AgentSession {
  enum Local {
    case unknown
    case absent
    case present(SessionContent)
    case away(SessionContent)

    init(_ content: SessionContent?) {
      self = content.map { $0.away == nil ? .present($0) : .away($0) } ?? .absent
    }

    var content: SessionContent? {
      switch self {
      case .present(let content), .away(let content): content
      case .unknown, .absent: nil
      }
    }
  }

  /// The request of a person.
  struct Wish {
    var question: HandoffQuestion
    let deadline: Int64
    /// The host from which a take takes the session.
    var host: String?
    /// Whether the request for the session, or the removal of the conflict, was sent to the engine.
    var isRequested = false
  }

  var local = Local.unknown
  /// Whether the local content may have changed.
  var isStale = true
  /// Whether the session awaits a reply of the broker or the engine.
  var isBusy = false
  /// The revision that the view must reach before the next step.
  var awaited: Int64 = 0
  /// The earliest time of the next publication.
  var publishTime: Int64 = 0
  /// The time of another attempt.
  var retryTime: Int64 = 0
  var wish: Wish?
  /// Whether the owner discarded the session while this agent watched.
  var isDiscardedByOwner = false
  /// Why the session stays local or is not adopted.
  var problem: String?
}
