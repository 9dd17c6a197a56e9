package import SceneHandoff
import SceneJSON
package import SceneModel

/// A line of the exchange between both ends of a move: a JSON object with one member, whose name is
/// the kind of the line. The *source* has the session; the *target* adopts it.
package enum MoveLine: Equatable, Sendable {
  /// The first line of the source.
  case offer(MoveOffer)
  /// The target can run the session.
  case accept(MoveAcceptance)
  /// The end that sends this line has given up.
  case refuse(MoveRefusal)
  /// The source has released the session, and sends its content.
  case session(MovedSession)
  /// The session is present at the target.
  case adopted(MoveArrival)

  /// The version of the exchange.
  package static let version = 1
  /// The longest line in bytes, with its line feed.
  package static let byteLimit = 24 << 20
}

extension MoveLine {
  /// The bytes, with a line feed.
  package var bytes: ContiguousArray<UInt8> {
    var writer = JSONWriter()
    writer.beginObject()
    switch self {
    case .offer(let offer): writer.member("offer", offer)
    case .accept(let acceptance): writer.member("accept", acceptance)
    case .refuse(let refusal): writer.member("refuse", refusal)
    case .session(let session): writer.member("session", session)
    case .adopted(let arrival): writer.member("adopted", arrival)
    }
    writer.endObject()
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  /// Reads a line without its line feed.
  package init(_ line: some Collection<UInt8>) throws(MemberError) {
    let document = JSONDocument()
    try document.parse(line)
    guard let member = document.root.members.first(where: { _ in true }) else {
      throw MemberError(
        problem: "expected an object with a member, found \(document.root.kind.withArticle)")
    }
    let name = member.name.string ?? ""
    do throws(MemberError) {
      switch name {
      case "offer": self = .offer(try MoveOffer(reading: member.value))
      case "accept": self = .accept(try MoveAcceptance(reading: member.value))
      case "refuse": self = .refuse(try MoveRefusal(reading: member.value))
      case "session": self = .session(try MovedSession(reading: member.value))
      case "adopted": self = .adopted(try MoveArrival(reading: member.value))
      default: throw MemberError(problem: "unknown line")
      }
    } catch {
      throw error.inside(name.isEmpty ? "line" : name)
    }
  }
}

/// The session that the source offers.
package struct MoveOffer: JSONStructure, Equatable, Sendable {
  package var version = MoveLine.version
  package var host = ""
  /// The target, as the user calls it.
  package var target = ""
  /// The home directory of the source's user.
  package var home: String?
  package var session = SessionIdentifier.none
  package var name: String?
  package var generation: Int64 = 0
  /// The number of the last move; of this move if the session is already `away`.
  package var fence: Int64 = 0
  /// Whether an earlier attempt released the session.
  package var isAway = false
  /// Whether the session has arrived at the target before.
  package var hasArrived = false
  package var program: SessionProgram?
  /// Whether the session moves without its program if that cannot run at the target.
  package var leavesProgram = false
  /// Whether the session stays, and the target makes a new one.
  package var isCopy = false
  /// The absolute paths in the activity's member `files`.
  package var files: [String] = []

  package init() {}

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("version", &version)
    try visitor.required("host", &host)
    try visitor.required("to", &target)
    try visitor.optional("home", &home)
    try visitor.required("session", &session)
    try visitor.required("name", &name)
    try visitor.required("generation", &generation)
    try visitor.required("fence", &fence)
    try visitor.optional("away", &isAway, otherwise: false)
    try visitor.optional("arrived", &hasArrived, otherwise: false)
    try visitor.optional("program", &program)
    try visitor.optional("anyway", &leavesProgram, otherwise: false)
    try visitor.optional("copy", &isCopy, otherwise: false)
    try visitor.optional("files", &files, otherwise: [])
  }

  /// The name, or the first digits of the identifier.
  package var label: String { name ?? session.short }
}

package struct MoveAcceptance: JSONStructure, Equatable, Sendable {
  /// The fence of the target's own copy; 0 without one.
  package var fence: Int64 = 0

  package init() {}
  package init(fence: Int64) { self.fence = fence }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.optional("fence", &fence, otherwise: 0)
  }
}

/// Why an end gives up.
package struct MoveRefusal: JSONStructure, Equatable, Sendable, Error {
  package var message = ""
  /// The exit status for the user.
  package var status: Int64 = 1

  package init() {}

  package init(_ message: String, status: Int64 = 1) {
    self.message = message
    self.status = status
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("message", &message)
    try visitor.optional("status", &status, otherwise: 1)
  }
}

/// The content of a session.
package struct MovedSession: JSONStructure, Equatable, Sendable {
  package var sceneSession = SceneSessionRecord()
  package var generation: Int64 = 0
  package var fence: Int64 = 0
  /// The name of the client program that created the session.
  package var maker: String?
  /// The data directory; nil if it stays at the source.
  package var files: [MovedFile]?
  /// The links and devices that stay at the source.
  package var skippedFiles = 0
  /// The names of the command's variables, whose values stay at the source.
  package private(set) var skippedVariables: [String] = []

  package init() {}

  /// The environment belongs to a host.
  mutating func removeVariables() {
    let variables = sceneSession.program?.environment ?? []
    skippedVariables = variables.map { String($0.prefix { $0 != "=" }) }
    sceneSession.program?.environment = nil
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("sceneSession", &sceneSession)
    try visitor.required("generation", &generation)
    try visitor.required("fence", &fence)
    try visitor.optional("maker", &maker)
    try visitor.optional("data", &files)
    try visitor.optional("skippedFiles", &skippedFiles, otherwise: 0)
    try visitor.optional("skippedVariables", &skippedVariables, otherwise: [])
  }
}

/// The session at the target.
package struct MoveArrival: JSONStructure, Equatable, Sendable {
  /// The name at the target; nil without one.
  package var name: String?
  package var generation: Int64 = 0
  /// Whether the program stays at the source, because it cannot run at the target.
  package var leavesProgram = false

  package init() {}

  package init(name: String?, generation: Int64) {
    self.name = name
    self.generation = generation
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("name", &name)
    try visitor.required("generation", &generation)
    try visitor.optional("withoutCommand", &leavesProgram, otherwise: false)
  }
}
