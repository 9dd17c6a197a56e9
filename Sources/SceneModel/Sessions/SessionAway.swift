/// The host that has a session which left this host.
package struct SessionAway: JSONStructure, Equatable, Sendable {
  package var to: String = ""
  /// The number of the move. It only increases.
  package var fence: Int64 = 0
  /// Whether the other host has confirmed the arrival.
  package var isConfirmed = false
  /// Whether the session arrives from the other host, and its files are not complete here.
  package var isArriving = false
  /// The destination of ssh, if it differs from the host's name.
  package var destination: String?
  /// The scenectl of the other host, if `ssh` does not reach it.
  package var remote: String?

  package init() {}

  package init(
    to host: String, fence: Int64, isConfirmed: Bool = false, destination: String? = nil,
    remote: String? = nil
  ) {
    to = host
    self.fence = fence
    self.isConfirmed = isConfirmed
    self.destination = destination
    self.remote = remote
  }

  package var byteCount: Int {
    to.utf8.count + (destination?.utf8.count ?? 0) + (remote?.utf8.count ?? 0)
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("to", &to)
    try visitor.required("fence", &fence)
    try visitor.optional("confirmed", &isConfirmed, otherwise: false)
    try visitor.optional("arriving", &isArriving, otherwise: false)
    try visitor.optional("destination", &destination)
    try visitor.optional("remote", &remote)
  }

  /// Only `scenehandoff` observes this topic. While it runs, `move` refuses.
  package static let agentTopic = "org.scenebroker.handoff"

  /// Where the session is, and the command that takes it back. `session` is the argument of that
  /// command; `options` select the broker, each after a space. `verb` precedes the host.
  package func place(
    of session: String, _ options: String = "", verb: String = "is at", hasAgent: Bool = false
  ) -> String {
    let command =
      hasAgent ? "handoff take \(session)" : "move \(session) --from \(way)"
    return "\(verb) \(to); take it back with: scenectl\(options) \(command)"
  }

  /// The other host for an option of `move`, with the option that names its scenectl.
  package var way: String {
    guard let remote else { return destination ?? to }
    let words = remote.split(separator: "'", omittingEmptySubsequences: false)
    return "\(to) --remote '\(words.joined(separator: #"'\''"#))'"
  }
}

/// The valid names of hosts. A person can copy each of them to a command line.
package enum HostName {
  private static let longest = 255

  /// The problem of a name; nil for a valid name.
  package static func problem(with name: String) -> String? {
    guard (1...longest).contains(name.utf8.count) else {
      return "expected the name of a host, 1 to \(longest) bytes"
    }
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || $0.properties.numericType != nil
        || "._-@:".unicodeScalars.contains($0)
    }
    guard isPlain, !name.hasPrefix("-") else {
      return "expected the name of a host: letters, digits and ._-@: without a leading hyphen"
    }
    return nil
  }
}

extension StoredSession {
  /// Whether the session is at this host, so that a client can hold and change it.
  package var isPresent: Bool { attributes.away == nil }

  /// The number of the last move; 0 before the first one.
  package var fence: Int64 { attributes.away?.fence ?? attributes.fence ?? 0 }
}
