/// Returns the status of the application and its broker.
package struct ApplicationStatus: ParameterlessRequest {
  package static var method: StaticString { "application/status" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  package init() {}

  /// All sessions.
  package struct Reply: JSONStructure, Equatable, Sendable {
    package var name: String = ""
    package var phase: ApplicationPhase = .background
    package var sessions: Int = 0
    /// Sessions that a client holds.
    package var scenes: Int = 0
    package var connections: Int = 0
    package var durability: String = ""
    /// The manifest's file, or `built-in`.
    package var manifest: String = ""
    /// Milliseconds since 1970, like all times of the application.
    package var startedAt: Int64 = 0
    /// The time of the application's clock, real or virtual.
    package var now: Int64 = 0
    package var version: String = ""
    package var instance: String = ""
    package var pid: Int64 = 0
    /// ok, full, exhausted or behind.
    package var storage: String = ""
    /// real or virtual.
    package var clock: String = ""
    /// Bytes that the broker stores, and the limit `totalBytes`.
    package var bytes: Int?
    package var byteLimit: Int?
    /// The connected application delegate.
    package var delegate: ClientReference?
    /// The number of requests that wait for the application delegate; absent if none does.
    package var awaitingDelegate: Int?
    /// The application's display name and version from the manifest.
    package var bundleName: String?
    package var bundleVersion: String?
    /// The broker before the upgrade that started this one; absent otherwise.
    package var previous: PreviousBroker?
    /// Whether the broker watches memory pressure, or why not; absent if the manifest does not ask.
    package var pressure: String?

    package init() {}

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.required("name", &name)
      try visitor.required("phase", &phase)
      try visitor.required("sessions", &sessions)
      try visitor.required("scenes", &scenes)
      try visitor.required("connections", &connections)
      try visitor.required("durability", &durability)
      try visitor.required("manifest", &manifest)
      try visitor.required("startedAt", &startedAt)
      try visitor.required("now", &now)
      try visitor.required("version", &version)
      try visitor.required("instance", &instance)
      try visitor.required("pid", &pid)
      try visitor.required("storage", &storage)
      try visitor.required("clock", &clock)
      try visitor.optional("bytes", &bytes)
      try visitor.optional("byteLimit", &byteLimit)
      try visitor.optional("delegate", &delegate)
      try visitor.optional("awaitingDelegate", &awaitingDelegate)
      try visitor.optional("bundleName", &bundleName)
      try visitor.optional("bundleVersion", &bundleVersion)
      try visitor.optional("previous", &previous)
      try visitor.optional("pressure", &pressure)
    }
  }
}

/// Returns the manifest that is in use.
package struct ApplicationManifest: ParameterlessRequest {
  package static var method: StaticString { "application/manifest" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  package init() {}

  package struct Reply: JSONStructure, Equatable, Sendable {
    /// The manifest's file, or `built-in`.
    package var source: String = ""
    /// The manifest as a JSON file, with all defaults.
    package var manifest: OpaqueObject = .empty

    package init() {}

    package init(source: String, manifest: OpaqueObject) {
      self.source = source
      self.manifest = manifest
    }

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.required("source", &source)
      try visitor.required("manifest", &manifest)
    }
  }
}

/// Gives the broker variables of the user's login, for the programs that it starts. Null removes a
/// variable.
package struct UpdateEnvironment: RequestMessage {
  package static var method: StaticString { "application/updateEnvironment" }
  package static var permission: Permission { .controls }
  package var isIdempotent: Bool { true }

  package var environment = LoginEnvironment()

  package init() {}

  package init(_ environment: LoginEnvironment) { self.environment = environment }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("environment", &environment)
  }
}

/// Sends a memory warning to all clients, and disconnects all scenes in the background without an
/// assertion. The broker answers when they are unattached.
package struct MemoryWarning: RequestMessage {
  package static var method: StaticString { "application/memoryWarning" }
  package static var permission: Permission { .controls }

  /// Whether the broker takes one step, as when the system reports memory pressure.
  package var pressure = false

  package init() {}

  package init(pressure: Bool) { self.pressure = pressure }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.optional("pressure", &pressure, otherwise: false)
  }
}

/// Notifies all clients of a new day, a new time zone or a new clock time.
package struct SignificantTimeChange: ParameterlessRequest {
  package static var method: StaticString { "application/significantTimeChange" }
  package static var permission: Permission { .controls }
  package var isIdempotent: Bool { true }

  package init() {}
}

/// Ends the application in order, after all scenes have disconnected.
package struct Terminate: ParameterlessRequest {
  package static var method: StaticString { "application/terminate" }
  package static var permission: Permission { .controls }

  package init() {}
}

/// Reads the manifest's file again and applies it. If the file has errors, the error lists them and
/// the manifest stays.
package struct Reload: ParameterlessRequest {
  package static var method: StaticString { "broker/reload" }
  package static var permission: Permission { .controls }
  package var isIdempotent: Bool { true }

  package init() {}
}

/// Replaces the broker's program by the one that is now at its path, in the same process. Clients
/// resume their scenes. The reply comes when the new program has accepted the state of this one.
package struct BrokerUpgrade: RequestMessage {
  package static var method: StaticString { "broker/upgrade" }
  package static var permission: Permission { .controls }

  /// Whether the broker only checks the new program.
  package var dryRun = false

  package init() {}

  package init(dryRun: Bool) { self.dryRun = dryRun }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.optional("dryRun", &dryRun, otherwise: false)
  }

  /// The broker that is replaced.
  package struct Reply: JSONStructure, Equatable, Sendable {
    package var version = ""
    package var instance = ""

    package init() {}

    package init(version: String, instance: String) {
      self.version = version
      self.instance = instance
    }

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.required("version", &version)
      try visitor.required("instance", &instance)
    }
  }
}

/// The broker before an upgrade.
package struct PreviousBroker: JSONStructure, Equatable, Sendable {
  package var version = ""
  package var instance = ""
  /// Why the upgrade failed, so that the program before it goes on; nil after a success.
  package var problem: String?
  /// The number of sessions whose scenes can resume; nil from an older program.
  package var scenes: Int64?

  package init() {}

  package init(version: String, instance: String, problem: String? = nil) {
    self.version = version
    self.instance = instance
    self.problem = problem
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("version", &version)
    try visitor.required("instance", &instance)
    try visitor.optional("problem", &problem)
    try visitor.optional("scenes", &scenes)
  }
}

/// Disconnects scenes in the background, the least recently used first. The broker answers when
/// they are unattached.
package struct Reclaim: RequestMessage {
  package static var method: StaticString { "application/reclaim" }
  package static var permission: Permission { .controls }
  package var isIdempotent: Bool { true }

  /// Nil for the scenes that exceed the policy, or all without a policy.
  package var sessions: [SessionIdentifier]?
  /// Whether the broker only lists the scenes.
  package var dryRun: Bool = false

  package init() {}

  package init(sessions: [SessionIdentifier]? = nil, dryRun: Bool = false) {
    self.sessions = sessions
    self.dryRun = dryRun
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.optional("sessions", &sessions)
    try visitor.optional("dryRun", &dryRun, otherwise: false)
  }

  /// The sessions of these scenes.
  package struct Reply: JSONStructure, Equatable, Sendable {
    package var sessions: [SessionIdentifier] = []

    package init() {}

    package init(sessions: [SessionIdentifier] = []) {
      self.sessions = sessions
    }

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.required("sessions", &sessions)
    }
  }
}
