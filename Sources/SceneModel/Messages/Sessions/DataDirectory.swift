/// Returns the directory for files of a session that are too large for an activity. The first
/// request makes the directory. A discard removes it.
package struct DataDirectory: RequestMessage {
  package static var method: StaticString { "session/dataDirectory" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { true }
  package var lastWords: LastWords { .of(session) }

  package var session: SessionIdentifier = .none

  package init() {}

  package init(session: SessionIdentifier) {
    self.session = session
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
  }

  /// An absolute path.
  package struct Reply: JSONStructure, Equatable, Sendable {
    package var path = ""

    package init() {}

    package init(path: String) {
      self.path = path
    }

    package mutating func visitMembers<Visitor: MemberVisitor>(
      _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
      try visitor.required("path", &path)
    }
  }
}
