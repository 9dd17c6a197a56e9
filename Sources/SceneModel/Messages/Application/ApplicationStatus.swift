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

    package init() {}

    package mutating func visitMembers<Visitor: MemberVisitor>(
      _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
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
    }
  }
}
