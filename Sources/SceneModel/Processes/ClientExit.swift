/// How a process ended that the broker started: with a status, or by a signal.
package struct ClientExit: JSONStructure, Equatable, Sendable {
  package var status: Int64?
  /// The signal's name without "SIG", such as "KILL", or its number if it has no name.
  package var signal: String?

  package init() {}

  package init(status: Int64) { self.status = status }

  package init(signal: String) { self.signal = signal }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.optional("status", &status)
    try visitor.optional("signal", &signal)
  }
}

extension ClientExit: CustomStringConvertible {
  /// A phrase for people, such as "exited with status 3" or "was terminated by KILL".
  package var description: String {
    if let signal { return "was terminated by \(signal)" }
    return "exited with status \(status ?? 0)"
  }
}
