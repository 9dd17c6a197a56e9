// The values of public members are of types of SceneModel, so a program needs no second import.
@_exported public import SceneModel
import ScenePlatform
import Synchronization

/// A session: the lasting part of a scene. Corresponds to `UISceneSession`.
///
/// A session outlives every process, and has at most one scene at a time. ``Scene/session`` is
/// current: it shows the changes that its scene makes. Any other session shows the state from when
/// it was read. Sessions are equal if their identifiers are equal. Any thread can use a session.
public final class SceneSession: Sendable {
  /// The role of the scenes of a session. Corresponds to `UISceneSession.Role`.
  ///
  /// A newer broker may have other roles.
  public typealias Role = SceneModel.Role

  private struct Content {
    var name: String?
    var title: String?
    var subtitle: String?
    /// The last userInfo that the broker stored.
    var storedUserInfo: UserInfo
    /// The last assigned value, while an assignment has no reply.
    var assignedUserInfo: UserInfo?
    /// The number of assignments without a reply.
    var assignments = 0
    var stateRestorationActivity: UserActivity?

    var userInfo: UserInfo { assignedUserInfo ?? storedUserInfo }
  }

  /// The identifier, which never changes. Corresponds to `UISceneSession.persistentIdentifier`.
  public let persistentIdentifier: String
  /// The role of the session's scenes. Corresponds to `UISceneSession.role`.
  public let role: Role
  /// The configuration of the session's scenes. Corresponds to `UISceneSession.configuration`.
  public let configuration: SceneConfiguration
  /// Why the broker withheld the saved activity when the session was read; nil for most sessions.
  /// `crashLoop` after three consecutive processes that lost their connection before their scene
  /// reached its state. `scenectl restore` gives the activity back.
  public let withheldReason: String?
  let identifier: SessionIdentifier
  /// The client that changes the session; nil if changes only concern this object.
  private let client: Client?
  private let content: Mutex<Content>

  package init(
    _ record: SceneSessionRecord, withheld: Withholding? = nil, client: Client? = nil
  ) {
    identifier = record.persistentIdentifier
    persistentIdentifier = identifier.description
    role = record.role
    configuration = SceneConfiguration(record.configuration, for: role)
    withheldReason = withheld?.reason.rawValue
    self.client = client
    content = Mutex(
      Content(
        name: record.name, title: record.title, subtitle: record.subtitle,
        storedUserInfo: UserInfo(unchecked: record.userInfo.json),
        stateRestorationActivity: record.stateRestorationActivity.map(UserActivity.init)))
  }

  /// The name for users and scripts; unique in the application. ``Scene/setName(_:)`` changes it.
  public var name: String? { content.withLock { $0.name } }

  /// The title in lists; by default the command that opens the session again. ``Scene/title``
  /// changes it. Corresponds to `UIScene.title`.
  public internal(set) var title: String? {
    get { content.withLock { $0.title } }
    set { content.withLock { $0.title = newValue } }
  }

  package internal(set) var subtitle: String? {
    get { content.withLock { $0.subtitle } }
    set { content.withLock { $0.subtitle = newValue } }
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
  /// value, the library logs the reason, and the session has its last stored value again. An
  /// application delegate assigns it to a new session, and the broker stores it with the session.
  public var userInfo: UserInfo? {
    get { content.withLock { $0.userInfo.isEmpty ? nil : $0.userInfo } }
    set { changeUserInfo { $0 = newValue ?? [:] } }
  }

  func changeUserInfo(_ change: (inout UserInfo) -> Void) {
    guard let client else { return content.withLock { change(&$0.storedUserInfo) } }
    let changed = content.withLock { content in
      var userInfo = content.userInfo
      change(&userInfo)
      content.assignedUserInfo = userInfo
      content.assignments += 1
      return userInfo
    }
    let sent = ConditionMutex(changed)
    let completion: Client.Completion = { [self] in finish(sent.withLock { $0 }, $0) }
    // The newest value of several threads is sent last.
    client.request((completion, RequestToken.next())) {
      let userInfo = content.withLock { $0.userInfo }
      sent.withLock { $0 = userInfo }
      return SetUserInfo(session: identifier, userInfo: OpaqueObject(unchecked: userInfo.raw))
    }
  }

  private func finish(_ userInfo: UserInfo, _ result: Result<BrokerReply, SceneError>) {
    content.withLock { content in
      if case .success = result { content.storedUserInfo = userInfo }
      content.assignments -= 1
      if content.assignments == 0 { content.assignedUserInfo = nil }
    }
    if case .failure(let error) = result {
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
