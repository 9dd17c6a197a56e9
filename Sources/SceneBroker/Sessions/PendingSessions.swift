import SceneModel

/// Sessions that do not exist yet. Their names are in use.
///
/// A session is undecided while the application delegate decides on its configuration. It is
/// configured while it waits for the process that it begins with.
///
/// - No two of them have the same identifier or the same name.
struct PendingSessions {
  private var undecided: [PendingSession] = []
  private var configuredSessions: [SessionIdentifier: ConfiguredSession] = [:]

  // MARK: - Undecided sessions

  mutating func add(_ session: PendingSession) { undecided.append(session) }

  /// Removes an undecided session, whose configuration is decided.
  mutating func decide(_ identifier: SessionIdentifier) -> PendingSession? {
    let index = undecided.firstIndex { $0.identifier == identifier }
    return index.map { undecided.remove(at: $0) }
  }

  /// Removes the sessions whose scene a closed connection was to become, and returns them. The
  /// others outlive their requester.
  mutating func removeConnecting(of connection: ConnectionIdentifier) -> [SessionIdentifier] {
    var removed: [SessionIdentifier] = []
    undecided.removeAll { session in
      guard session.requester.connection == connection, case .connect = session.purpose
      else { return false }
      removed.append(session.identifier)
      return true
    }
    return removed
  }

  /// Whether the connection is to become the scene of an undecided session.
  func isConnecting(_ connection: ConnectionIdentifier) -> Bool {
    undecided.contains { session in
      guard session.requester.connection == connection, case .connect = session.purpose
      else { return false }
      return true
    }
  }

  mutating func removeUndecided() -> [PendingSession] {
    defer { undecided = [] }
    return undecided
  }

  /// The oldest undecided session.
  var firstUndecided: PendingSession? { undecided.first }

  func hasUndecided(named name: String) -> Bool { undecided.contains { $0.name == name } }

  func isUndecided(_ identifier: SessionIdentifier) -> Bool {
    undecided.contains { $0.identifier == identifier }
  }

  func undecided(_ role: Role) -> SessionIdentifier? {
    undecided.first { $0.role == role }?.identifier
  }

  // MARK: - Configured sessions

  mutating func add(_ session: ConfiguredSession) {
    configuredSessions[session.pending.identifier] = session
  }

  mutating func removeConfigured(_ identifier: SessionIdentifier) -> ConfiguredSession? {
    configuredSessions.removeValue(forKey: identifier)
  }

  var configured: [ConfiguredSession] { Array(configuredSessions.values) }

  var configuredByteCount: Int { configured.reduce(0) { $0 + $1.attributes.byteCount } }

  func configured(_ identifier: SessionIdentifier) -> ConfiguredSession? {
    configuredSessions[identifier]
  }

  func configured(named name: String) -> SessionIdentifier? {
    configuredSessions.first { $0.value.pending.name == name }?.key
  }

  // MARK: - All

  /// Whether a session has this name.
  func isTaken(_ name: String) -> Bool {
    hasUndecided(named: name) || configured(named: name) != nil
  }

  var count: Int { undecided.count + configuredSessions.count }

  subscript(identifier: SessionIdentifier) -> PendingSession? {
    undecided.first { $0.identifier == identifier } ?? configuredSessions[identifier]?.pending
  }

  // MARK: - Invariants

  /// The names in use.
  var names: [String] { all.compactMap(\.name) }

  private var all: [PendingSession] { undecided + configuredSessions.values.map(\.pending) }

  /// Every invariant of this part that does not hold, as a sentence.
  var flaws: [String] {
    var flaws: [String] = []
    if Set(all.map(\.identifier)).count != count { flaws.append("a session is pending twice") }
    if Set(names).count != names.count { flaws.append("two pending sessions have one name") }
    for (identifier, session) in configuredSessions where session.pending.identifier != identifier {
      flaws.append("\(identifier) is pending as another session")
    }
    return flaws
  }
}

/// A new session whose configuration is not decided.
struct PendingSession: Equatable {
  let identifier: SessionIdentifier
  let name: String?
  let role: Role
  /// The name of the requested configuration.
  let wantedConfiguration: String?
  let userInfo: OpaqueObject
  let title: String?
  var program: SessionProgram?
  let purpose: Purpose
  let requester: Requester

  enum Purpose: Equatable {
    /// The requester becomes the scene.
    case connect(ActivationState?, ConnectionOptions)
    /// The broker chooses a host. Another session can get the content of the request.
    case activate(ActivationReason, DeferredRequest.Request)
  }

  /// The connection options of the scene.
  var options: ConnectionOptions {
    switch purpose {
    case .connect(_, let options): options
    case .activate(let activation, _): activation.options
    }
  }
}

/// A new session that waits for the process that it begins with.
struct ConfiguredSession: Equatable {
  let pending: PendingSession
  let resolved: ResolvedConfiguration

  /// The attributes of the session, without its creator and time of pending.
  var attributes: SessionAttributes {
    var attributes = SessionAttributes(
      identifier: pending.identifier, name: pending.name, role: pending.role,
      configuration: resolved.configuration, userInfo: resolved.userInfo, title: pending.title,
      program: pending.program)
    attributes.isConfiguredByDelegate = resolved.isDescribed
    return attributes
  }
}

/// The content of a new session, by the manifest or the application delegate.
struct ResolvedConfiguration: Equatable {
  var configuration: SceneConfiguration
  /// Whether the application delegate described it, so that no manifest has it.
  var isDescribed = false
  /// The configuration that was wanted, if there is none of that name.
  var missing: String?
  /// The kind that the application delegate named, if this version does not know it.
  var unknownKind: String?
  var userInfo: OpaqueObject
}
