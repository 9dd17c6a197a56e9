/// How a session's last scene ended.
package struct DisconnectOutcome: Equatable, Sendable {
  package var reason: DisconnectReason
  /// Why the scene ended, if the reason does not tell.
  package var cause: DisconnectCause?
  /// The callback that exceeded its budget, if that was the reason.
  package var callback: String?
  /// How the client's process ended, if the broker had started it.
  package var exit: ClientExit?
  /// The signal that the broker sent to the client's process before.
  package var signal: SentSignal?

  package init(
    reason: DisconnectReason, cause: DisconnectCause? = nil, callback: String? = nil,
    exit: ClientExit? = nil
  ) {
    self.reason = reason
    self.cause = cause
    self.callback = callback
    self.exit = exit
  }

  /// Whether the user closed the scene. `scenectl reopen` opens the other ones again.
  package var isByUser: Bool {
    switch reason {
    case .clientRequest: cause == nil || cause == .windowClosed
    case .connectionLost: exit?.isByUser ?? false
    case .discarded: true
    default: false
    }
  }

  /// The client that ended the process, if that is certain. A process can survive other signals.
  package var killer: ClientReference? {
    guard reason == .connectionLost, let signal, signal.endsEveryProcess else { return nil }
    return signal.by
  }
}

extension DisconnectCause {
  /// A phrase for people.
  package var words: String {
    switch self {
    case .hangup: "its terminal was closed"
    case .terminated: "its process got TERM"
    case .machineStopped: "the machine stopped"
    case .windowClosed: "the user closed its terminal"
    case .handedOff: "its session moves to another host"
    default: rawValue
    }
  }
}

extension DisconnectOutcome: JSONStructure {
  package init() { self.init(reason: .connectionLost) }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("reason", &reason)
    try visitor.optional("cause", &cause)
    try visitor.optional("callback", &callback)
    try visitor.optional("exit", &exit)
    try visitor.optional("signal", &signal)
  }
}
