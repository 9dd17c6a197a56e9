/// What to be told about.
package struct PollInterest: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let readable = PollInterest(rawValue: 1)
  package static let writable = PollInterest(rawValue: 2)
}

/// What is the matter with one descriptor.
package struct PollEvent: Equatable, Sendable {
  /// What the descriptor was added with.
  package var token: UInt64
  /// Reading would not block, be it for bytes or for the end.
  package var readable: Bool
  package var writable: Bool
  /// The other end will send no more, is gone, or the descriptor failed. There may still be bytes
  /// to read before the end.
  package var hungUp: Bool
  /// It also reads no more, or it failed. Where the system does not tell this from the end of its
  /// sending, it counts as gone with that.
  package var isGone: Bool

  package init(
    token: UInt64, readable: Bool, writable: Bool, hungUp: Bool, isGone: Bool = false
  ) {
    self.token = token
    self.readable = readable
    self.writable = writable
    self.hungUp = hungUp
    self.isGone = isGone
  }
}
