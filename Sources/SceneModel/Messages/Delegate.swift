package import SceneJSON

/// Launches the application delegate, before any scene, with the reason of the launch.
package struct DidFinishLaunching: CallbackMessage {
  package var options: ConnectionOptions = .none

  package init() {}

  package init(options: ConnectionOptions) { self.options = options }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("options", &options)
  }

  /// Whether the delegate accepts the options; default true.
  package struct Answer: JSONStructure, Equatable, Sendable {
    package var accepted = true

    package init() {}

    package init(accepted: Bool) { self.accepted = accepted }

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.optional("accepted", &accepted, otherwise: true)
    }
  }
}

/// Asks the application delegate for the configuration of a new session. The session's record has
/// the configuration that the manifest would choose.
package struct ConfigurationForConnecting: CallbackMessage {
  package var sceneSession = SceneSessionRecord()
  package var options: ConnectionOptions = .none

  package init() {}

  package init(sceneSession: SceneSessionRecord, options: ConnectionOptions) {
    self.sceneSession = sceneSession
    self.options = options
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("sceneSession", &sceneSession)
    try visitor.required("options", &options)
  }

  /// The delegate's choice. The manifest or the client determines absent members.
  package struct Answer: JSONStructure, Equatable, Sendable {
    package var configuration: ConfigurationChoice?
    package var userInfo: OpaqueObject?

    package init() {}

    package init(configuration: ConfigurationChoice?, userInfo: OpaqueObject? = nil) {
      self.configuration = configuration
      self.userInfo = userInfo
    }

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.optional("configuration", &configuration)
      try visitor.optional("userInfo", &userInfo)
    }
  }
}

/// A configuration in a delegate's answer.
package enum ConfigurationChoice: Equatable, Sendable {
  /// A configuration of the manifest.
  case named(String)
  case described(ConfigurationDescription)
}

/// A configuration described by its members. Absent members come from the manifest's configuration
/// with this name, or without a name from the default of the role.
package struct ConfigurationDescription: JSONStructure, Equatable, Sendable {
  package var name: String?
  /// The role, if the delegate gives one.
  package var role: Role?
  package var delegateClass: String?
  package var sceneClass: String?
  package var storyboard: String?
  package var kind: ConfigurationKindName?

  package init() {}

  package init(
    name: String?, role: Role? = nil, delegateClass: String? = nil, sceneClass: String? = nil,
    storyboard: String? = nil, kind: ConfigurationKind? = nil
  ) {
    self.name = name
    self.role = role
    self.delegateClass = delegateClass
    self.sceneClass = sceneClass
    self.storyboard = storyboard
    self.kind = kind.map { ConfigurationKindName(rawValue: $0.rawValue) }
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.optional("name", &name)
    try visitor.optional("role", &role)
    try visitor.optional("delegateClass", &delegateClass)
    try visitor.optional("sceneClass", &sceneClass)
    try visitor.optional("storyboard", &storyboard)
    try visitor.optional("kind", &kind)
  }

  /// The configuration, with absent members taken from `known`.
  package func applied(to known: SceneConfiguration) -> SceneConfiguration {
    SceneConfiguration(
      name: name ?? known.name, delegateClass: delegateClass ?? known.delegateClass,
      sceneClass: sceneClass ?? known.sceneClass, storyboard: storyboard ?? known.storyboard,
      kind: kind?.kind ?? known.kind, retry: known.retry)
  }
}

/// A kind in a delegate's answer.
package struct ConfigurationKindName: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static var expectation: String { ConfigurationKind.expectation }

  package var isKnown: Bool { ConfigurationKind(rawValue: rawValue) != nil }

  /// An unknown kind counts as `group`.
  package var kind: ConfigurationKind { ConfigurationKind(rawValue: rawValue) ?? .group }
}

extension ConfigurationChoice: JSONCodable {
  package static var expectation: String { "a configuration's name, or an object" }

  package init(reading value: JSONValue) throws(MemberError) {
    switch value.kind {
    case .string: self = .named(try String(reading: value))
    case .object: self = .described(try ConfigurationDescription(reading: value))
    case .null, .bool, .number, .array: throw .expected(Self.self, found: value)
    }
  }

  package func write(to writer: inout JSONWriter) {
    switch self {
    case .named(let name): writer.string(name)
    case .described(let description): description.write(to: &writer)
    }
  }
}

/// Reports discarded sessions to the application delegate. The broker repeats the report, with the
/// same identifier, until the delegate answers.
package struct DidDiscardSceneSessions: CallbackMessage {
  package var report = ReportIdentifier(request: .none, part: 1)
  package var sceneSessions: [SceneSessionRecord] = []
  /// Whether another report of the same request follows.
  package var more = false

  package init() {}

  package init(report: ReportIdentifier, sceneSessions: [SceneSessionRecord], more: Bool) {
    self.report = report
    self.sceneSessions = sceneSessions
    self.more = more
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("report", &report)
    try visitor.required("sceneSessions", &sceneSessions)
    try visitor.optional("more", &more, otherwise: false)
  }
}

/// The identifier of a report of discards: the request, and the part of its sessions. Clients treat
/// it as an opaque string.
package struct ReportIdentifier: Hashable, Sendable {
  package let request: SessionIdentifier
  /// Counts from 1.
  package let part: Int

  package init(request: SessionIdentifier, part: Int) {
    self.request = request
    self.part = part
  }
}

extension ReportIdentifier: LosslessStringConvertible {
  package init?(_ text: String) {
    let words = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard words.count == 2, let request = SessionIdentifier(String(words[0])),
      let part = Int(words[1]), part > 0
    else { return nil }
    self.init(request: request, part: part)
  }

  package var description: String { "\(request).\(part)" }
}

extension ReportIdentifier: JSONCodable {
  package static var expectation: String { "a report's identifier" }

  package init(reading value: JSONValue) throws(MemberError) {
    guard let identifier = Self(try String(reading: value)) else {
      throw .expected(Self.self, found: value)
    }
    self = identifier
  }

  package func write(to writer: inout JSONWriter) { writer.string(description) }
}

/// The application delegate exceeded its budget. The broker no longer waits for this answer.
package struct DelegateOverrun: JSONStructure, Equatable, Sendable {
  package var callback = ""
  /// The number of the callback.
  package var id: Int64 = 0

  package init() {}

  package init(callback: CallbackKind, id: Int64) {
    self.callback = callback.rawValue
    self.id = id
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("callback", &callback)
    try visitor.required("id", &id)
  }
}

/// Tells the application delegate that a scene has connected.
package struct SceneConnected: JSONStructure, Equatable, Sendable {
  package var session: SessionIdentifier = .none
  package var isNew = false
  package var reason: ConnectReason = .launch

  package init() {}

  package init(session: SessionIdentifier, isNew: Bool, reason: ConnectReason) {
    self.session = session
    self.isNew = isNew
    self.reason = reason
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
    try visitor.required("isNew", &isNew)
    try visitor.required("reason", &reason)
  }
}

/// Tells the application delegate that a scene has disconnected. The session stays.
package struct SceneDisconnected: JSONStructure, Equatable, Sendable {
  package var session: SessionIdentifier = .none
  package var reason: DisconnectReason = .connectionLost
  /// The callback that exceeded its budget, if that was the reason.
  package var callback: String?

  package init() {}

  package init(session: SessionIdentifier, end: DisconnectOutcome) {
    self.session = session
    reason = end.reason
    callback = end.callback
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
    try visitor.required("reason", &reason)
    try visitor.optional("callback", &callback)
  }
}

/// Tells how the process of a lost scene ended, if the broker had started it.
package struct SceneExited: JSONStructure, Equatable, Sendable {
  package var session: SessionIdentifier = .none
  package var exit = ClientExit()

  package init() {}

  package init(session: SessionIdentifier, exit: ClientExit) {
    self.session = session
    self.exit = exit
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
    try visitor.required("exit", &exit)
  }
}
