package import SceneModel

/// Which session a client asks to have the scene of.
public struct SceneRequest: Hashable, Sendable {
  public enum Session: Hashable, Sendable {
    /// The most recently used one that a client of this name made and nobody has; otherwise a new
    /// one.
    case mostRecent
    case new
    /// The one of this name; it is made if there is none.
    case named(String)
    case persistentIdentifier(String)
  }

  public var session: Session
  public var role: SceneSession.Role?
  /// By name; otherwise the role's first.
  public var configuration: String?
  public var title: String?
  /// For a new session only.
  public var userInfo: UserInfo?
  /// What is to be continued in the scene.
  public var userActivities: [UserActivity] = []
  /// Whether the scene stays in the background at first.
  public var background = false
  /// Whether a client that has the session loses it.
  public var takesOver = false

  public init(_ session: Session = .mostRecent) { self.session = session }

  /// As it goes over the wire.
  package var message: SceneConnect {
    get throws(SceneError) {
      var message = SceneConnect(
        takeOver: takesOver, background: background,
        role: role.map { Role(rawValue: $0.rawValue) }, configuration: configuration,
        title: title, userInfo: userInfo.map { CarriedObject(unchecked: $0.raw) })
      switch session {
      case .mostRecent: break
      case .new: message.new = true
      case .named(let name): message.name = name
      case .persistentIdentifier(let text):
        message.session = try SessionIdentifier(checking: text)
      }
      if !userActivities.isEmpty {
        var activities: [Activity] = []
        for activity in userActivities { activities.append(try activity.checked) }
        message.options = SceneModel.ConnectionOptions(userActivities: activities)
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
