package import SceneModel

/// A session: the part of a scene that lasts. It outlives every process, and at most one scene at a
/// time stands for it.
public struct SceneSession: Hashable, Sendable {
  /// What its scenes are for. There may be roles that this version does not know.
  public struct Role: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let windowApplication = Role(rawValue: "windowApplication")
    /// A display that takes no input: its scenes become inactive at most.
    public static let windowExternalDisplay = Role(rawValue: "windowExternalDisplay")
  }

  /// Stays the same for as long as the session exists.
  public let persistentIdentifier: String
  /// How people and scripts call it.
  public let name: String?
  public let role: Role
  public let configuration: SceneConfiguration
  /// What the session was made with, or was given since.
  public let userInfo: UserInfo
  /// Where the scene was.
  public let stateRestorationActivity: UserActivity?
  public let title: String?
  public let subtitle: String?

  package init(_ record: SceneSessionRecord) {
    persistentIdentifier = record.persistentIdentifier.description
    name = record.name
    role = Role(rawValue: record.role.rawValue)
    configuration = SceneConfiguration(record.configuration)
    userInfo = UserInfo(unchecked: record.userInfo.json)
    stateRestorationActivity = record.stateRestorationActivity.map(UserActivity.init)
    title = record.title
    subtitle = record.subtitle
  }
}

extension SceneSession: Identifiable {
  public var id: String { persistentIdentifier }
}

/// What a scene is made from: an entry of the manifest.
public struct SceneConfiguration: Hashable, Sendable {
  public let name: String
  /// Which of the application's delegates it is for.
  public let delegateClass: String?
  public let sceneClass: String?
  /// A reference to initial content that only the application understands.
  public let storyboard: String?

  package init(_ configuration: SceneModel.SceneConfiguration) {
    name = configuration.name
    delegateClass = configuration.delegateClass
    sceneClass = configuration.sceneClass
    storyboard = configuration.storyboard
  }
}

extension SceneSession {
  /// What a list says of a session.
  public struct Summary: Hashable, Sendable, Identifiable {
    public let persistentIdentifier: String
    public let name: String?
    public let title: String?
    public let role: Role
    /// The name of its configuration.
    public let configuration: String
    /// Whichever client has its scene.
    public let activationState: Scene.ActivationState

    public var id: String { persistentIdentifier }

    package init(_ summary: SessionSummary) {
      persistentIdentifier = summary.session.description
      name = summary.name
      title = summary.title
      role = Role(rawValue: summary.role.rawValue)
      configuration = summary.configuration
      activationState = Scene.ActivationState(summary.state)
    }
  }
}
