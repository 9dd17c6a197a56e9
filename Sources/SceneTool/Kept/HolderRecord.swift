import SceneJSON
import SceneModel

/// The description of a holder's program, in its greeting to a viewer and in its lock file.
struct HolderRecord: JSONStructure, Equatable, Sendable {
  /// The name of the session; nil until it is known, and for a session without a name.
  var name: String?
  var session: SessionIdentifier?
  /// The process of the holder.
  var holder: Int64 = 0
  /// The command of the session; nil until it is known.
  var arguments: [String]?
  /// The program, while it runs.
  var process: ProgramProcess?
  /// The start of the program, in milliseconds since 1970.
  var started: Int64?

  mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.optional("name", &name)
    try visitor.optional("session", &session)
    try visitor.required("holder", &holder)
    try visitor.optional("arguments", &arguments)
    try visitor.optional("process", &process)
    try visitor.optional("started", &started)
  }

  /// The line of the lock file.
  var bytes: [UInt8] { Array(JSONWriter.object { writeMembers(to: &$0) }.bytes) }

  /// The content of a greeting. Arguments that a frame cannot have are only in the lock file.
  var greeting: [UInt8] {
    let bytes = self.bytes
    guard bytes.count > ViewerFrame.contentLimit else { return bytes }
    var short = self
    short.arguments = nil
    return short.bytes
  }

  /// Whether a command line means this session by its name or its identifier.
  func isCalled(_ word: String) -> Bool { name == word || session.map { "\($0)" } == word }
}
