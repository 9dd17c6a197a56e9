/// The windows that show a terminal which outlives them.
package struct KeptTerminal: JSONStructure, Equatable, Sendable {
  /// The number of windows.
  package var attached: Int64 = 0
  /// Why the last window left; nil while there are windows.
  package var detached: TerminalDetachment?
  /// When the last window left, in milliseconds since 1970.
  package var since: Int64?

  package init() {}

  package init(attached: Int64, detached: TerminalDetachment? = nil, since: Int64? = nil) {
    self.attached = attached
    self.detached = detached
    self.since = since
  }

  /// Whether the user lost the last window and can open it again.
  package var lostWindow: Bool { attached == 0 && detached == .hangup }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("attached", &attached)
    try visitor.optional("detached", &detached)
    try visitor.optional("since", &since)
  }
}

/// Why the last window of a kept terminal left it.
package struct TerminalDetachment: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// The window was closed.
  package static let hangup = TerminalDetachment(rawValue: "hangup")
  /// The scene moved to the background.
  package static let background = TerminalDetachment(rawValue: "background")
  /// The user stopped the program, as by Ctrl-Z.
  package static let stopped = TerminalDetachment(rawValue: "stopped")
}
