/// How a session's last scene ended.
package struct DisconnectOutcome: Equatable, Sendable {
  package var reason: DisconnectReason
  /// Why the scene ended, if the reason does not tell.
  package var cause: DisconnectCause?
  /// The members that few outcomes have. They are in a box, because each session keeps an outcome.
  private var box: Box?

  private indirect enum Box: Equatable, Sendable {
    case rare(RareMembers)
  }

  private struct RareMembers: Equatable, Sendable {
    var callback: String?
    var exit: ClientExit?
    var signal: SentSignal?

    var isEmpty: Bool { callback == nil && exit == nil && signal == nil }
  }

  private var rare: RareMembers {
    get {
      switch box {
      case .rare(let members): members
      case nil: RareMembers()
      }
    }
    set { box = newValue.isEmpty ? nil : .rare(newValue) }
  }

  package init(
    reason: DisconnectReason, cause: DisconnectCause? = nil, callback: String? = nil,
    exit: ClientExit? = nil
  ) {
    self.reason = reason
    self.cause = cause
    rare = RareMembers(callback: callback, exit: exit)
  }

  /// The callback that exceeded its budget, if that was the reason.
  package var callback: String? {
    get { rare.callback }
    set { rare.callback = newValue }
  }

  /// How the client's process ended, if the broker had started it.
  package var exit: ClientExit? {
    get { rare.exit }
    set { rare.exit = newValue }
  }

  /// The signal that the broker sent to the client's process before.
  package var signal: SentSignal? {
    get { rare.signal }
    set { rare.signal = newValue }
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
    default: rawValue
    }
  }
}

extension DisconnectOutcome: JSONStructure {
  package init() { self.init(reason: .connectionLost) }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    // A writer visits a value that it shares, so the members in the box are visited in a copy.
    var rare = rare
    try visitor.required("reason", &reason)
    try visitor.optional("cause", &cause)
    try visitor.optional("callback", &rare.callback)
    try visitor.optional("exit", &rare.exit)
    try visitor.optional("signal", &rare.signal)
    if box != nil || !rare.isEmpty, rare != self.rare { self.rare = rare }
  }
}
