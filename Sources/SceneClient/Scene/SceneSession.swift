package import SceneModel
import ScenePlatform
import Synchronization

/// A session: the lasting part of a scene. Corresponds to `UISceneSession`.
///
/// A session outlives every process, and has at most one scene at a time. ``Scene/session`` is
/// current: it shows the changes that its scene makes. Any other session shows the state from when
/// it was read. Sessions are equal if their identifiers are equal. Any thread can use a session.
public final class SceneSession: Sendable, UserInfoCarrier {
  /// The role of the scenes of a session. Corresponds to `UISceneSession.Role`.
  ///
  /// A newer broker may have other roles.
  public struct Role: RawRepresentable, Hashable, Sendable {
    /// The name of the role in the manifest and in the protocol. Corresponds to
    /// `UISceneSession.Role.rawValue`.
    public let rawValue: String

    /// Makes a role from its name, also an unknown one. Corresponds to
    /// `UISceneSession.Role.init(rawValue:)`.
    ///
    /// - Parameter rawValue: the name in the manifest.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A window of the application. Corresponds to `UISceneSession.Role.windowApplication`.
    public static let windowApplication = Role(rawValue: "windowApplication")
    /// A display without input: its scenes become at most inactive. Corresponds to
    /// `UISceneSession.Role.windowExternalDisplayNonInteractive`.
    public static let windowExternalDisplay = Role(rawValue: "windowExternalDisplay")
  }

  private struct Content {
    var name: String?
    var title: String?
    var subtitle: String?
    var program: Program?
    /// The last userInfo that the broker stored.
    var storedUserInfo: UserInfo
    /// The assigned values without a reply, in order.
    var assigned: [(number: Int, userInfo: UserInfo)] = []
    var lastAssignment = 0
    var stateRestorationActivity: UserActivity?

    var userInfo: UserInfo { assigned.last?.userInfo ?? storedUserInfo }

    mutating func assign(_ userInfo: UserInfo) -> Int {
      lastAssignment += 1
      assigned.append((lastAssignment, userInfo))
      return lastAssignment
    }
  }

  /// The identifier, which never changes. Corresponds to `UISceneSession.persistentIdentifier`.
  public let persistentIdentifier: String
  /// The role of the session's scenes. Corresponds to `UISceneSession.role`.
  public let role: Role
  /// The configuration of the session's scenes. Corresponds to `UISceneSession.configuration`.
  public let configuration: SceneConfiguration
  /// The activity that the broker withheld when the session was read; nil for most sessions.
  public let withheldActivity: WithheldActivity?
  let identifier: SessionIdentifier
  /// The client that changes the session; nil if changes only concern this object.
  private let client: Client?
  private let content: Mutex<Content>

  package init(
    _ record: SceneSessionRecord, withheld: Withholding? = nil, client: Client? = nil
  ) {
    identifier = record.persistentIdentifier
    persistentIdentifier = identifier.description
    role = Role(rawValue: record.role.rawValue)
    configuration = SceneConfiguration(record.configuration, for: role)
    withheldActivity = withheld.map(WithheldActivity.init)
    self.client = client
    content = Mutex(
      Content(
        name: record.name, title: record.title, subtitle: record.subtitle,
        program: record.program.map(Program.init),
        storedUserInfo: UserInfo(unchecked: record.userInfo.json),
        stateRestorationActivity: record.stateRestorationActivity.map(UserActivity.init)))
  }

  /// The name for users and scripts; unique in the application. ``Scene/setName(_:)`` changes it.
  public var name: String? { content.withLock { $0.name } }

  /// The title in lists; by default the command of ``program``. ``Scene/title`` changes it.
  /// Corresponds to `UIScene.title`.
  public internal(set) var title: String? {
    get { content.withLock { $0.title } }
    set { content.withLock { $0.title = newValue } }
  }

  /// The subtitle in lists. ``Scene/subtitle`` changes it. Corresponds to `UIScene.subtitle`.
  public internal(set) var subtitle: String? {
    get { content.withLock { $0.subtitle } }
    set { content.withLock { $0.subtitle = newValue } }
  }

  /// The command that opens the session again. ``Scene/program`` changes it.
  public internal(set) var program: Program? {
    get { content.withLock { $0.program } }
    set { content.withLock { $0.program = newValue } }
  }

  /// The last saved activity, unless it was removed or is withheld. Corresponds to
  /// `UISceneSession.stateRestorationActivity`.
  public var stateRestorationActivity: UserActivity? {
    content.withLock { $0.stateRestorationActivity }
  }

  /// The program's own state, at most 64 KiB by default; nil if it is empty. Corresponds to
  /// `UISceneSession.userInfo`.
  ///
  /// Assigning it to the session of a scene also sends it to the broker. If the broker refuses the
  /// value, the library logs the reason, and the session has its last stored value again.
  /// ``setUserInfo(_:)`` throws the refusal instead. An application delegate assigns it to a new
  /// session, and the broker stores it with the session.
  public var userInfo: UserInfo? {
    get { content.withLock { $0.userInfo.isEmpty ? nil : $0.userInfo } }
    set {
      let userInfo = newValue ?? [:]
      guard let client else { return content.withLock { $0.storedUserInfo = userInfo } }
      let number = content.withLock { $0.assign(userInfo) }
      let sent = ConditionMutex(userInfo)
      let completion: Client.Completion = { [self] in
        finish(number, sent.withLock { $0 }, $0)
      }
      // The newest value of several threads is sent last.
      client.request((completion, RequestToken.next())) {
        let userInfo = content.withLock { $0.userInfo }
        sent.withLock { $0 = userInfo }
        return userInfoRequest(userInfo)
      }
    }
  }

  /// Sets the program's own state, and returns when the broker has stored it. Corresponds to
  /// `UISceneSession.userInfo`. If the task is cancelled after the request was sent, the broker may
  /// store the state, but ``userInfo`` here keeps the former one.
  ///
  /// - Parameter userInfo: the state, at most 64 KiB by default; nil for an empty one.
  /// - Throws: ``SceneError/Code/tooLarge`` for a larger state, ``SceneError/Code/storageFull``,
  ///   ``SceneError/Code/tooMany`` while the disk is behind, ``SceneError/Code/sessionNotHeld`` if
  ///   this process does not have the scene of the session, ``SceneError/Code/sessionNotFound`` if
  ///   the session is being discarded, and the common errors of ``SceneError``. The session then
  ///   keeps its value.
  public func setUserInfo(_ userInfo: UserInfo?) async throws(SceneError) {
    guard let client else {
      throw SceneError(
        .sessionNotHeld, "userInfo of session \(identifier.short) not set: it has no scene here")
    }
    let userInfo = userInfo ?? [:]
    try await client.reply(to: userInfoRequest(userInfo)) { [self] _ in didStore(userInfo) }
  }

  /// Runs in the order of the replies. A value that was assigned meanwhile stays.
  private func didStore(_ userInfo: UserInfo) {
    content.withLock { $0.storedUserInfo = userInfo }
  }

  private func userInfoRequest(_ userInfo: UserInfo) -> SetUserInfo {
    SetUserInfo(session: identifier, userInfo: OpaqueObject(unchecked: userInfo.raw))
  }

  private func finish(
    _ number: Int, _ userInfo: UserInfo, _ result: Result<BrokerReply, SceneError>
  ) {
    content.withLock { $0.assigned.removeAll { $0.number == number } }
    switch result {
    case .success: didStore(userInfo)
    case .failure(let error):
      client?.settings.log(error.record("userInfo of session \(identifier.short) not saved"))
    }
  }

  func didSetName(_ name: String?) { content.withLock { $0.name = name } }

  func didSave(_ activity: UserActivity?) {
    content.withLock { $0.stateRestorationActivity = activity }
  }
}

extension SceneSession: Hashable {
  public static func == (one: SceneSession, other: SceneSession) -> Bool {
    one.identifier == other.identifier
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

extension SceneSession: Identifiable {
  public var id: String { persistentIdentifier }
}

extension UserInfoCarrier where Self == SceneSession {
  /// Sets the state from a dictionary. Corresponds to `UISceneSession.userInfo`.
  @_disfavoredOverload
  public var userInfo: [String: any UserInfoValue]? {
    @available(*, unavailable)
    get { fatalError("unavailable") }
    nonmutating set { self.userInfo = newValue.map(UserInfo.init(_:)) }
  }
}

extension SceneSession {
  /// An activity that the broker withholds from the scene. `scenectl restore` gives it back.
  public struct WithheldActivity: Hashable, Sendable {
    /// The reason: `crashLoop` after three consecutive processes that lost their connection before
    /// their scene reached its state. A newer broker may have other reasons.
    public let reason: String
    /// The generation of the activity: the number that ``Scene/save(_:)`` returned for it.
    public let generation: Int

    init(_ withheld: Withholding) {
      reason = withheld.reason.rawValue
      generation = Int(withheld.generation)
    }
  }
}

extension SceneSession {
  /// A short description of a session, for lists: an element of ``SceneApplication/openSessions``.
  public struct Summary: Hashable, Sendable, Identifiable {
    /// The identifier, which never changes. Corresponds to
    /// `UISceneSession.persistentIdentifier`.
    public let persistentIdentifier: String
    /// The name for users and scripts; nil if the session has none.
    public let name: String?
    /// The title in lists; nil if the session has none. Corresponds to `UIScene.title`.
    public let title: String?
    /// The role of the session's scenes. Corresponds to `UISceneSession.role`.
    public let role: Role
    /// The name of the session's configuration. Corresponds to `UISceneConfiguration.name`.
    public let configuration: String
    /// The state of the session's scene in any client; unattached without a scene. Corresponds to
    /// `UIScene.activationState`.
    public let activationState: Scene.ActivationState
    /// The command that opens the session again; nil if the session has none.
    public let program: Program?

    public var id: String { persistentIdentifier }

    package init(_ summary: SessionSummary) {
      persistentIdentifier = summary.session.description
      name = summary.name
      title = summary.title
      role = Role(rawValue: summary.role.rawValue)
      configuration = summary.configuration
      activationState = Scene.ActivationState(summary.state)
      program = summary.program.map(Program.init)
    }
  }
}
