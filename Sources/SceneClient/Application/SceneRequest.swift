package import SceneModel

/// The request of a client for the scene of a session. Corresponds to
/// `UISceneSessionActivationRequest`.
public struct SceneRequest: Hashable, Sendable {
  /// The choice of the session.
  public enum Session: Hashable, Sendable {
    /// The most recently used session of a client with this name that no client has; otherwise a
    /// new one.
    case mostRecent
    /// A new session. The request is sent once: if the broker is lost before its reply, that is an
    /// error, and the session may exist.
    case new
    /// The session of this name, at most 1 KiB. The broker makes it if it does not exist.
    case named(String)
    /// The existing session of this identifier.
    case persistentIdentifier(String)
  }

  /// The choice of the requested session. Corresponds to `UISceneSessionActivationRequest.session`.
  public var session: Session
  /// The role of the requested session. Nil is `windowApplication` for a new session, and any role
  /// for an existing one. Corresponds to `UISceneSessionActivationRequest.role`.
  public var role: SceneSession.Role?
  /// The configuration of a new session, or of the most recent one, by its name in the manifest, at
  /// most 256 bytes. Nil is the first of the role, or any.
  public var configuration: String?
  /// The command that opens the session again; nil leaves it.
  package var program: SessionProgram?
  /// The activities to continue in the scene; together at most 256 KiB by default. Corresponds to
  /// `UISceneSessionActivationRequest.userActivity`.
  public var userActivities: [UserActivity] = []
  /// The URLs to open in the scene; part of the same 256 KiB.
  public var urlContexts: [OpenURLContext] = []
  /// Whether the scene starts in the background.
  public var staysInBackground = false
  /// Whether to take the session from another client. That client's scene ends as
  /// ``Scene/DisconnectReason/replaced``.
  public var takesOver = false

  /// Makes a request for a session, by default for the most recent one. Corresponds to
  /// `UISceneSessionActivationRequest.init(session:)`.
  ///
  /// - Parameter session: the choice of the session.
  public init(_ session: Session = .mostRecent) { self.session = session }

  /// The request in wire form.
  package var message: SceneConnect {
    get throws(SceneError) {
      var message = SceneConnect(
        takeOver: takesOver, background: staysInBackground,
        role: role, configuration: configuration,
        program: program)
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
  /// Parses a persistent identifier.
  package init(checking text: String) throws(SceneError) {
    guard let identifier = SessionIdentifier(text) else {
      throw SceneError(.invalidParams, "\"\(text)\" is not a session's persistent identifier")
    }
    self = identifier
  }
}
