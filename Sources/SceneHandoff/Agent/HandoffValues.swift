package import SceneJSON
package import SceneModel
import ScenePlatform

/// The presence of an agent, as long as its lease.
package struct HostPresence: JSONStructure, Equatable, Sendable {
  /// The random number of the agent's state file.
  package var number: Int64 = 0

  package init() {}

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("number", &number)
  }
}

/// The owner of a session.
package struct SessionOwner: JSONStructure, Equatable, Sendable {
  package var host = ""
  /// The owner before.
  package var from: String?
  /// Identifies the attempt that wrote the owner.
  package var nonce = ""
  /// Whether the owner's user has discarded the session. The deletion of its keys follows.
  package var isDiscarded = false
  /// The fence is the sum of this number and of the key's revision. The revisions of a new database
  /// are lower than the fences of older sessions.
  package var base: Int64 = 0

  package init() {}

  init(host: String, from: String? = nil, nonce: String, base: Int64 = 0) {
    self.host = host
    self.from = from
    self.nonce = nonce
    self.base = base
  }

  var isValid: Bool {
    HostName.problem(with: host) == nil && from.map { HostName.problem(with: $0) == nil } ?? true
      && 0...1 << 52 ~= base
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("host", &host)
    try visitor.optional("from", &from)
    try visitor.required("nonce", &nonce)
    try visitor.optional("base", &base, otherwise: 0)
    try visitor.optional("discarded", &isDiscarded, otherwise: false)
  }
}

/// The short properties of a published session.
package struct SessionEntry: JSONStructure, Equatable, Sendable {
  package var name: String?
  package var title: String?
  package var role = Role.windowApplication
  package var configuration = ""
  package var program: SessionProgram?
  package var generation: Int64 = 0
  package var bytes = 0
  /// Milliseconds since 1970 at the owner, only for people.
  package var time: Int64 = 0

  package init() {}

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.optional("name", &name)
    try visitor.optional("title", &title)
    try visitor.required("role", &role)
    try visitor.required("configuration", &configuration)
    try visitor.optional("program", &program)
    try visitor.required("generation", &generation)
    try visitor.required("bytes", &bytes)
    try visitor.required("time", &time)
  }
}

/// A session of the broker, as the engine stores it.
package struct SessionContent: Equatable, Sendable {
  package var session: SessionIdentifier
  package var entry: SessionEntry
  /// Milliseconds since 1970.
  package var lastUsed: Int64
  package var isEligible: Bool
  /// The host that has the session; nil if the session is present.
  package var away: SessionAway?
  /// The number of the last move; 0 before the first one.
  package var fence: Int64
  /// The data directory; nil if it was not read.
  package var files: DirectoryContent?
  /// The `sceneSession` of the broker, its generation and its maker.
  package var bytes: ContiguousArray<UInt8>
  package let digest: Int64

  package init(
    _ entry: SessionEntry, of session: SessionIdentifier, lastUsed: Int64, isEligible: Bool,
    away: SessionAway?, fence: Int64, files: DirectoryContent? = nil, maker: String?,
    record: RawJSON
  ) {
    self.session = session
    self.entry = entry
    self.lastUsed = lastUsed
    self.isEligible = isEligible
    self.away = away
    self.fence = away?.fence ?? fence
    self.files = files
    bytes =
      JSONWriter.object {
        $0.member("generation", entry.generation)
        $0.member("sceneSession", record)
        if let maker, !maker.isEmpty { $0.member("maker", maker) }
      }.bytes
    digest = Int64(bitPattern: bytes.digest)
    self.entry.bytes = bytes.count
  }
}

/// The data directory of a session, as the engine stores it.
package struct DirectoryContent: JSONStructure, Equatable, Sendable {
  package private(set) var files: [MovedFile] = []
  /// Why the directory stays at its host; nil if it moves.
  package private(set) var problem: String?
  /// 0 without files.
  package private(set) var digest: Int64 = 0

  /// With names and base64, files within the limits can have this size.
  private static let byteLimit = 400_000
  package static let tooLarge = "more than \(FileLimits.engine)"

  package init() {}

  package init(_ files: [MovedFile], problem: String? = nil) {
    self.files = files
    let bytes = json.bytes
    self.problem = problem ?? (bytes.count > Self.byteLimit ? Self.tooLarge : nil)
    if self.problem == nil, !files.isEmpty { digest = Int64(bitPattern: bytes.digest) }
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("files", &files)
  }
}

/// Content of the engine, which any process with access can have written.
package struct StoredContent: JSONStructure, Equatable, Sendable {
  package var generation: Int64 = 0
  package var sceneSession = OpaqueObject.empty
  /// The name of the client program that created the session.
  package var maker: String?

  package init() {}

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("generation", &generation)
    try visitor.required("sceneSession", &sceneSession)
    try visitor.optional("maker", &maker)
  }
}

extension JSONStructure {
  /// The value of a key; nil if it is invalid.
  package init?(key bytes: ContiguousArray<UInt8>) {
    guard let value = try? Self(parsing: bytes) else { return nil }
    self = value
  }
}
