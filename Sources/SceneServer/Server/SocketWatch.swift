import ScenePlatform

/// The events that the poller reports for the socket of one connection.
struct SocketWatch {
  private var interest = PollInterest.readable
  /// Whether the client has closed its sending direction. Then the poller reports only a full
  /// close.
  private(set) var hasEnded = false

  /// The client has closed its sending direction. Returns the new interest if it changed.
  mutating func end() -> PollInterest? {
    hasEnded = true
    return update(isFull: interest.contains(.writable), isPaused: false)
  }

  /// A send has ended. `isFull` states that the socket takes nothing more, and `isPaused` that the
  /// loop reads nothing more. Returns the new interest if it changed.
  mutating func update(isFull: Bool, isPaused: Bool) -> PollInterest? {
    let wanted = PollInterest(readable: !hasEnded && !isPaused, writable: isFull)
    guard wanted != interest else { return nil }
    interest = wanted
    return wanted
  }
}
