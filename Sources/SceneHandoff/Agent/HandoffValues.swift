package import SceneJSON
package import SceneModel

/// The presence of an agent, as long as its lease.
package struct HostPresence: JSONStructure, Equatable, Sendable {
  package var host = ""
  /// The random number of the agent's state file.
  package var number: Int64 = 0

  package init() {}

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("host", &host)
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

  package init() {}

  init(host: String, from: String? = nil, nonce: String) {
    self.host = host
    self.from = from
    self.nonce = nonce
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("host", &host)
    try visitor.optional("from", &from)
    try visitor.required("nonce", &nonce)
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
  /// Whether the session is away.
  package var isAway: Bool
  /// The `sceneSession` of the broker, and the generation.
  package var bytes: ContiguousArray<UInt8>
  package let digest: Int64

  package init(
    _ entry: SessionEntry, of session: SessionIdentifier, lastUsed: Int64, isEligible: Bool,
    isAway: Bool, record: RawJSON
  ) {
    self.session = session
    self.entry = entry
    self.lastUsed = lastUsed
    self.isEligible = isEligible
    self.isAway = isAway
    bytes =
      JSONWriter.object {
        $0.member("generation", entry.generation)
        $0.member("sceneSession", record)
      }.bytes
    // FNV-1a
    let hash = bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    digest = Int64(bitPattern: hash)
    self.entry.bytes = bytes.count
  }
}

/// Content of the engine, which any process with access can have written.
package struct StoredContent: JSONStructure, Equatable, Sendable {
  package var generation: Int64 = 0
  package var sceneSession = OpaqueObject.empty

  package init() {}

  package init(parsing bytes: ContiguousArray<UInt8>) throws(MemberError) {
    let document = JSONDocument()
    try document.parse(bytes.span)
    try self.init(reading: document.root)
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("generation", &generation)
    try visitor.required("sceneSession", &sceneSession)
  }
}

extension JSONStructure {
  /// The value of a key; nil if it is invalid.
  package init?(key bytes: ContiguousArray<UInt8>) {
    let document = JSONDocument()
    guard (try? document.parse(bytes.span)) != nil, let value = try? Self(reading: document.root)
    else { return nil }
    self = value
  }

  var keyBytes: ContiguousArray<UInt8> {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }
}
