package import SceneJSON

/// The end of a session's last scene, as the next scene learns it. It is an object, because a hold
/// is copied often.
package final class LastEnd: JSONCodable, Equatable, Sendable {
  package let content: Content

  package struct Content: JSONStructure, Equatable, Sendable {
    package var outcome = DisconnectOutcome()
    /// Milliseconds since 1970.
    package var time: Int64 = 0
    /// The generation of the activity when the next scene connected.
    package var generation: Int64 = 0

    package init() {}

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
      try outcome.visitMembers(&visitor)
      try visitor.required("time", &time)
      try visitor.required("generation", &generation)
    }
  }

  init(_ content: Content) { self.content = content }

  package init(reading value: JSONValue) throws(MemberError) {
    content = try Content(reading: value)
  }

  package func write(to writer: inout JSONWriter) { content.write(to: &writer) }

  package static var expectation: String { Content.expectation }

  package static func == (one: LastEnd, other: LastEnd) -> Bool {
    one === other || one.content == other.content
  }
}

extension LastEnd {
  /// One word for programs, such as "clientRequest", "connectionLost:SEGV" or "connectionLost:3".
  package var word: String {
    let exit = content.outcome.exit.map { ":" + ($0.signal ?? "\($0.status ?? 0)") } ?? ""
    return content.outcome.reason.rawValue + exit
  }
}

extension StoredSession {
  /// The end of the last scene, for the next one.
  package var endForNextScene: LastEnd? {
    hold.end.map { outcome in
      var end = LastEnd.Content()
      (end.outcome, end.time, end.generation) = (outcome, hold.used, generation)
      return LastEnd(end)
    }
  }
}
