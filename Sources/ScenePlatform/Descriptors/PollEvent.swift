/// The state of one ready descriptor.
package struct PollEvent: Equatable, Sendable {
  /// The token of `Poller.add`.
  package var token: UInt64
  /// A read returns bytes or the end without waiting.
  package var readable: Bool
  package var writable: Bool
  /// The peer has finished sending, the peer is gone, or the descriptor failed. Unread bytes may
  /// remain.
  package var hungUp: Bool
  /// The peer also reads no more, or the descriptor failed. On Darwin this equals `hungUp`.
  package var isGone = false
}
