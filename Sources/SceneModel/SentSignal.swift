/// A signal that the broker sent to a process for a client.
package struct SentSignal: JSONStructure, Equatable, Sendable {
  /// Its name without "SIG", such as "KILL"; its number where it has none.
  package var signal = ""
  /// The client that asked for it.
  package var by = ClientReference()

  package init() {}

  package init(_ signal: String, by: ClientReference) {
    self.signal = signal
    self.by = ClientReference(name: by.name.clipped(to: Self.nameBytes), pid: by.pid)
  }

  /// How much of the sender's name is kept: it is stored with the end of the scene.
  private static let nameBytes = 40

  /// Whether no process survives it.
  package var endsEveryProcess: Bool { signal == "KILL" }

  /// Whether a process that does not handle the signal ends by it.
  package static func endsProcesses(_ signal: String) -> Bool {
    !["STOP", "TSTP", "TTIN", "TTOU", "CONT", "CHLD", "URG", "WINCH"].contains(signal)
  }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("signal", &signal)
    try visitor.required("by", &by)
  }
}

extension SentSignal: CustomStringConvertible {
  /// For people, such as "KILL was sent by scenectl 4712".
  package var description: String { "\(signal) was sent by \(by.name) \(by.pid)" }
}
