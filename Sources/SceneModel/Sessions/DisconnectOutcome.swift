/// How a session's last scene ended.
package struct DisconnectOutcome: Equatable, Sendable {
  package var reason: DisconnectReason
  /// The callback that exceeded its budget, if that was the reason.
  package var callback: String?
  /// How the client's process ended, if the broker had started it.
  package var exit: ClientExit?
  /// The signal that the broker sent to the client's process before.
  package var signal: SentSignal?

  package init(
    reason: DisconnectReason, callback: String? = nil, exit: ClientExit? = nil
  ) {
    self.reason = reason
    self.callback = callback
    self.exit = exit
  }

  /// The client that ended the process, if that is certain. A process can survive other signals.
  package var killer: ClientReference? {
    guard reason == .connectionLost, let signal, signal.endsEveryProcess else { return nil }
    return signal.by
  }
}

extension DisconnectOutcome: JSONStructure {
  package init() { self.init(reason: .connectionLost) }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("reason", &reason)
    try visitor.optional("callback", &callback)
    try visitor.optional("exit", &exit)
    try visitor.optional("signal", &signal)
  }
}
