import Synchronization

/// The source of a state. One thread at a time sets it.
final class StateSource<State: Sendable & Equatable>: Sendable {
  private let content: Mutex<State>
  private let changes = Broadcast<State>(keeping: 1)

  init(_ value: State) { content = Mutex(value) }

  var value: State { content.withLock { $0 } }

  func set(_ value: State) {
    let listeners = content.withLock { content -> [AsyncStream<State>.Continuation] in
      guard content != value else { return [] }
      content = value
      // A later listener begins with this value.
      return changes.listeners
    }
    for listener in listeners { listener.yield(value) }
  }

  /// Sets the last value.
  func finish(_ value: State) {
    set(value)
    finish()
  }

  /// Ends the sequence.
  func finish() { changes.finish() }

  /// The current value, and its changes from now on.
  func stream() -> AsyncStream<State> {
    content.withLock { changes.stream(beginningWith: $0) }
  }
}
