/// Resolves a word that a person typed to a session: a name, an identifier, or a unique prefix of
/// an identifier. A name has precedence.
package struct SessionResolve: RequestMessage {
  package static var method: StaticString { "session/resolve" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  package var word: String = ""

  package init() {}

  package init(word: String) { self.word = word }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("word", &word)
  }

  package struct Reply: JSONStructure, Equatable, Sendable {
    /// The session; absent if the word is an ambiguous prefix.
    package var details: SessionDetails?
    /// Other sessions whose identifiers begin with the word: the first one beside `details`, else
    /// at most ``listedMatches``.
    package var matches: [SessionIdentifier] = []
    /// The number of all such sessions.
    package var count: Int = 0

    /// So many identifiers fit the shortest frame.
    package static let listedMatches = 8

    package init() {}

    package init(
      details: SessionDetails? = nil, matches: [SessionIdentifier] = [], count: Int = 0
    ) {
      self.details = details
      self.matches = matches
      self.count = count
    }

    package mutating func visitMembers<Visitor: MemberVisitor>(
      _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
      try visitor.optional("details", &details)
      try visitor.optional("matches", &matches, otherwise: [])
      try visitor.optional("count", &count, otherwise: 0)
    }
  }
}
