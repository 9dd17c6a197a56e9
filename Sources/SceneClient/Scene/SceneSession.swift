package import SceneModel

/// A session: the part of a scene that lasts. It outlives every process, and at most one scene at a
/// time stands for it.
public struct SceneSession: Hashable, Sendable {
  /// What its scenes are for. There may be roles that this version does not know.
  public struct Role: RawRepresentable, Hashable, Sendable {
    /// As the manifest calls it.
    public let rawValue: String

    /// The role of this name, whether this version knows it or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A window of the application.
    public static let windowApplication = Role(rawValue: "windowApplication")
    /// A display that takes no input: its scenes become inactive at most.
    public static let windowExternalDisplay = Role(rawValue: "windowExternalDisplay")
  }

  /// Stays the same for as long as the session exists.
  public let persistentIdentifier: String
  /// How people and scripts call it; no two sessions have the same.
  public let name: String?
  /// What its scenes are for.
  public let role: Role
  /// What its scenes are made from.
  public let configuration: SceneConfiguration
  /// What the session was made with, or was given since. Setting it matters where a session is being
  /// made: see ``ApplicationDelegate``.
  public var userInfo: UserInfo
  /// Where the scene was: the newest that was kept, unless that was cleared or is withheld.
  public let stateRestorationActivity: UserActivity?
  /// That there is something to come back with, which is kept from the scene, or was and has not been
  /// given back since; nil for most.
  public let withheldActivity: WithheldActivity?
  /// What its scene is called in lists.
  public let title: String?
  /// What stands below the title.
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
  /// An activity that a scene is not given, because of what became of those that were. It is not lost:
  /// `scenectl restore` gives it back.
  public struct WithheldActivity: Hashable, Sendable {
    /// Why: `crashLoop`, after three processes in a row that ended without a word before their scene
    /// had arrived. There may be reasons that this version does not know.
    public let reason: String
    /// Which of the session's activities it is, as ``Scene/save(_:)`` counts them.
    public let generation: Int

    init(_ withheld: Withholding) {
      reason = withheld.reason.rawValue
      generation = Int(withheld.generation)
    }
  }
}

/// What a scene is made from: an entry of the manifest, or what the application delegate says.
public struct SceneConfiguration: Hashable, Sendable {
  /// The name that the manifest gives it. Empty for one that an application delegate makes from the
  /// default configuration of the session's role.
  public let name: String
  /// Which role it is for. One that an application delegate chooses for another than the session's is
  /// refused; nil stands for the session's.
  public let role: SceneSession.Role?
  /// Which of the application's delegates it is for, by the names that ``SceneApplication`` was
  /// given.
  public var delegateClass: String?
  /// A kind of scene that only the application understands.
  public var sceneClass: String?
  /// A reference to initial content that only the application understands.
  public var storyboard: String?

  /// One for an application delegate to choose. The manifest's configuration of that name has what is
  /// left out; without a name, the default configuration of the role does. Each text may have 256
  /// bytes.
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
  /// What a list says of a session: everything small.
  public struct Summary: Hashable, Sendable, Identifiable {
    /// Stays the same for as long as the session exists.
    public let persistentIdentifier: String
    /// How people and scripts call it.
    public let name: String?
    /// What its scene is called in lists.
    public let title: String?
    /// What its scenes are for.
    public let role: Role
    /// The name of its configuration.
    public let configuration: String
    /// Where its scene is, whichever client has it; unattached if none has.
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
