package import SceneModel

/// Which session a client asks to have the scene of, and how.
public struct SceneRequest: Hashable, Sendable {
  /// Which session.
  public enum Session: Hashable, Sendable {
    /// The most recently used one that a client of this name made and nobody has; otherwise a new
    /// one.
    case mostRecent
    /// A new one. It is never asked for twice: if the broker is lost before it answers, that is an
    /// error, and the session may have been made.
    case new
    /// The one of this name, of at most 1 KiB; it is made if there is none.
    case named(String)
    /// The one of this identifier. There must be one.
    case persistentIdentifier(String)
  }

  /// Which session.
  public var session: Session
  /// What its scenes are for. Nil stands for `windowApplication`, and for any role where a session
  /// of the name or the identifier is there.
  public var role: SceneSession.Role?
  /// The configuration by its name in the manifest, of a new session or of the most recent one that
  /// is looked for; otherwise the role's first, or any.
  public var configuration: String?
  /// What the scene is called in lists, of at most 1 KiB; nil leaves the session's title.
  public var title: String?
  /// What a new session is to remember, of at most 64 KiB; it does not apply to one that is there.
  public var userInfo: UserInfo?
  /// What is to be continued in the scene; together at most 256 KiB.
  public var userActivities: [UserActivity] = []
  /// What is to be opened in the scene; counts towards the same.
  public var urlContexts: [OpenURLContext] = []
  /// Whether the scene stays in the background at first.
  public var staysInBackground = false
  /// Whether a client that has the session loses it: its scene ends as
  /// ``Scene/DisconnectReason/replaced``.
  public var takesOver = false

  /// Asks for the most recent session, unless another is named.
  public init(_ session: Session = .mostRecent) { self.session = session }

  /// As it goes over the wire.
  package var message: SceneConnect {
    get throws(SceneError) {
      var message = SceneConnect(
        takeOver: takesOver, background: staysInBackground,
        role: role.map { Role(rawValue: $0.rawValue) }, configuration: configuration,
        title: title, userInfo: userInfo.map { CarriedObject(unchecked: $0.raw) })
      switch session {
      case .mostRecent: break
      case .new: message.new = true
      case .named(let name): message.name = name
      case .persistentIdentifier(let text):
        message.session = try SessionIdentifier(checking: text)
      }
      if !userActivities.isEmpty || !urlContexts.isEmpty {
        var activities: [Activity] = []
        for activity in userActivities { activities.append(try activity.checked) }
        var options = SceneModel.ConnectionOptions(userActivities: activities)
        options.urlContexts = urlContexts.map(\.message)
        message.options = options
      }
      return message
    }
  }
}

extension SessionIdentifier {
  /// Reads what a program passes as a persistent identifier.
  package init(checking text: String) throws(SceneError) {
    guard let identifier = SessionIdentifier(text) else {
      throw SceneError(.invalidParams, "\"\(text)\" is not a session's persistent identifier")
    }
    self = identifier
  }
}
