package import SceneModel

/// A session: the lasting part of a scene. It outlives every process, and has at most one scene at
/// a time.
public struct SceneSession: Hashable, Sendable {
  /// The role of the scenes of a session. A newer broker may have other roles.
  public struct Role: RawRepresentable, Hashable, Sendable {
    /// The name in the manifest.
    public let rawValue: String

    /// A role by its name, also an unknown one.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A window of the application.
    public static let windowApplication = Role(rawValue: "windowApplication")
    /// A display without input: its scenes become at most inactive.
    public static let windowExternalDisplay = Role(rawValue: "windowExternalDisplay")
  }

  /// The identifier, which never changes.
  public let persistentIdentifier: String
  /// The name for users and scripts; unique in the application.
  public let name: String?
  /// The role of its scenes.
  public let role: Role
  /// The configuration of its scenes.
  public let configuration: SceneConfiguration
  /// The userInfo from the creation, or the last one set. It can be changed while the session is
  /// made: see ``ApplicationDelegate``.
  public var userInfo: UserInfo
  /// The last saved activity, unless it was removed or is withheld.
  public let stateRestorationActivity: UserActivity?
  /// The withheld activity, until it is restored; nil for most sessions.
  public let withheldActivity: WithheldActivity?
  /// The title in lists.
  public let title: String?
  /// The subtitle in lists.
  public let subtitle: String?

  package init(_ record: SceneSessionRecord, withheld: Withholding? = nil) {
    persistentIdentifier = record.persistentIdentifier.description
    name = record.name
    role = Role(rawValue: record.role.rawValue)
    configuration = SceneConfiguration(record.configuration, for: role)
    userInfo = UserInfo(unchecked: record.userInfo.json)
    stateRestorationActivity = record.stateRestorationActivity.map(UserActivity.init)
    title = record.title
    subtitle = record.subtitle
    withheldActivity = withheld.map(WithheldActivity.init)
  }
}

extension SceneSession: Identifiable {
  public var id: String { persistentIdentifier }
}

extension SceneSession {
  /// An activity that the broker withholds from the scene. `scenectl restore` gives it back.
  public struct WithheldActivity: Hashable, Sendable {
    /// The reason: `crashLoop` after three consecutive processes that lost their connection before
    /// their scene reached its state. A newer broker may have other reasons.
    public let reason: String
    /// The generation of the activity, as in ``Scene/save(_:)``.
    public let generation: Int

    init(_ withheld: Withholding) {
      reason = withheld.reason.rawValue
      generation = Int(withheld.generation)
    }
  }
}

/// The configuration of a scene: an entry of the manifest, or the choice of the application
/// delegate.
public struct SceneConfiguration: Hashable, Sendable {
  /// The name in the manifest. Empty if an application delegate changes the default configuration
  /// of the role.
  public let name: String
  /// The role; nil for the role of the session. The broker refuses a choice with another role than
  /// the session's.
  public let role: SceneSession.Role?
  /// The name of the delegate class, as passed to ``SceneApplication``.
  public var delegateClass: String?
  /// A kind of scene that only the application understands.
  public var sceneClass: String?
  /// A reference to initial content that only the application understands.
  public var storyboard: String?

  /// Makes a configuration for an application delegate to choose. The manifest's configuration of
  /// that name adds the other members; without a name, the default configuration of the role does.
  /// Each text has at most 256 bytes.
  public init(
    name: String = "", sessionRole: SceneSession.Role? = nil, delegateClass: String? = nil,
    sceneClass: String? = nil, storyboard: String? = nil
  ) {
    self.name = name
    role = sessionRole
    self.delegateClass = delegateClass
    self.sceneClass = sceneClass
    self.storyboard = storyboard
  }

  package init(_ configuration: SceneModel.SceneConfiguration, for role: SceneSession.Role) {
    name = configuration.name
    self.role = role
    delegateClass = configuration.delegateClass
    sceneClass = configuration.sceneClass
    storyboard = configuration.storyboard
  }
}

extension SceneSession {
  /// A short description of a session, for lists.
  public struct Summary: Hashable, Sendable, Identifiable {
    /// The identifier, which never changes.
    public let persistentIdentifier: String
    /// The name for users and scripts.
    public let name: String?
    /// The title in lists.
    public let title: String?
    /// The role of its scenes.
    public let role: Role
    /// The name of its configuration.
    public let configuration: String
    /// The state of its scene in any client; unattached without a scene.
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
