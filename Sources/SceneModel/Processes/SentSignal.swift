/// A signal that the broker sent to a process for a client.
package struct SentSignal: JSONStructure, Equatable, Sendable {
  /// The signal's name without "SIG", such as "KILL", or its number if it has no name.
  package var signal = ""
  /// The client that requested the signal.
  package var by = ClientReference()

  package init() {}

  package init(_ signal: String, by: ClientReference) {
    self.signal = signal
    self.by = ClientReference(name: by.name.clipped(to: Self.nameBytes), pid: by.pid)
  }

  /// The most bytes of the sender's name, which is stored with the end of the scene.
  private static let nameBytes = 40

  /// Whether the signal ends every process.
  package var endsEveryProcess: Bool { signal == "KILL" }

  /// Whether the signal ends a process that does not handle it.
  package static func endsProcesses(_ signal: String) -> Bool {
    !["STOP", "TSTP", "TTIN", "TTOU", "CONT", "CHLD", "URG", "WINCH"].contains(signal)
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("signal", &signal)
    try visitor.required("by", &by)
  }
}

extension SentSignal: CustomStringConvertible {
  /// A clause for people, such as "KILL was sent by scenectl 4712".
  package var description: String { "\(signal) was sent by \(by.name) \(by.pid)" }
}
