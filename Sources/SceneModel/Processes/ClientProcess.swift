/// A process. The start time distinguishes it from a later process with the same number.
package struct ClientProcess: Hashable, Sendable {
  package var pid: Int64
  /// The start time in the kernel's units; 0 if it is unknown.
  package var startTime: UInt64

  package init(pid: Int64, startTime: UInt64) {
    self.pid = pid
    self.startTime = startTime
  }
}

extension ClientProcess: JSONStructure {
  package init() { self.init(pid: 0, startTime: 0) }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("pid", &pid)
    try visitor.required("started", &startTime)
  }
}

/// How a process ended: with a status, or by a signal.
package struct ClientExit: JSONStructure, Equatable, Sendable {
  package var status: Int64?
  /// The signal's name without "SIG", such as "KILL", or its number if it has no name.
  package var signal: String?
  /// Whether the status shows that a start failed that no user typed: by a stored command or by a
  /// launch. The program ended within ``startTime``.
  package var failedStart = false
  /// Whether a client ended that the broker did not start, without closing its scene. The reason is
  /// unknown then.
  package var isOfClient = false

  /// Nanoseconds after its start in which a program with a status other than 0 has failed to start.
  private static let startTime: Int64 = 30_000_000_000

  /// Whether a program that ran for this number of nanoseconds has failed to start.
  package func failsStart(after nanoseconds: Int64) -> Bool {
    status ?? 0 != 0 && nanoseconds < Self.startTime
  }

  package init() {}

  package init(status: Int64) { self.status = status }

  package init(signal: String) { self.signal = signal }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.optional("status", &status)
    try visitor.optional("signal", &signal)
    try visitor.optional("failedStart", &failedStart, otherwise: false)
    try visitor.optional("ofClient", &isOfClient, otherwise: false)
  }
}

extension ClientExit {
  /// Whether the program ended as its user ends it: by Ctrl-C, by the end of the program that reads
  /// its output, or by itself. Shells report the end by signal N as the status 128 + N, and ssh
  /// reports a lost connection as 255.
  package var isByUser: Bool {
    if isOfClient { return false }
    if let signal { return signal == "INT" || signal == "PIPE" }
    switch status ?? 0 {
    case 130, 141: return true
    case 129...192, 255: return false
    default: return !failedStart
    }
  }
}

extension ClientExit: CustomStringConvertible {
  /// A phrase for people, such as "exited with status 3" or "was terminated by KILL".
  package var description: String {
    if let signal { return "was terminated by \(signal)" }
    let time = failedStart ? " within \(Self.startTime / 1_000_000_000) s of its start" : ""
    return "exited with status \(status ?? 0)\(time)"
  }
}

/// A signal that the broker sent to a process for a client.
package struct SentSignal: JSONStructure, Equatable, Sendable {
  /// The signal's name without "SIG", such as "KILL", or its number if it has no name.
  package var signal = ""
  /// The client that requested the signal.
  package var by = ClientReference()

  package init() {}

  package init(_ signal: String, by: ClientReference) {
    self.signal = signal
    self.by = by.clipped(to: Self.nameBytes)
  }

  /// The most bytes of the sender's name, which is stored with the end of the scene.
  private static let nameBytes = 40

  /// Whether the signal ends every process.
  package var endsEveryProcess: Bool { signal == "KILL" }

  /// Whether the signal ends a process that does not handle it.
  package static func endsProcesses(_ signal: String) -> Bool {
    !["STOP", "TSTP", "TTIN", "TTOU", "CONT", "CHLD", "URG", "WINCH"].contains(signal)
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("signal", &signal)
    try visitor.required("by", &by)
  }
}

extension SentSignal: CustomStringConvertible {
  /// A clause for people, such as "KILL was sent by scenectl 4712".
  package var description: String { "\(signal) was sent by \(by.label)" }
}
