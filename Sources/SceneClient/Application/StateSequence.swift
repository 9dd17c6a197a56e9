import Synchronization

/// What something is now, and each time it changes.
///
/// Going through it begins with the value of that moment. Whoever is slow gets the newest and
/// misses what was in between. It ends behind the last value that there will be.
public struct StateSequence<State: Sendable & Equatable>: AsyncSequence, Sendable {
  private let source: StateSource<State>

  init(_ source: StateSource<State>) { self.source = source }

  /// The value of this moment.
  public var current: State { source.value }

  /// Begins with the value of this moment.
  public func makeAsyncIterator() -> AsyncStream<State>.Iterator {
    source.stream().makeAsyncIterator()
  }
}

/// The one place where a state changes.
final class StateSource<State: Sendable & Equatable>: Sendable {
  private let content: Mutex<State>
  /// Told while the state is locked, so that nobody who begins to listen misses a change.
  private let changes = Broadcast<State>(keeping: 1)

  init(_ value: State) { content = Mutex(value) }

  var value: State { content.withLock { $0 } }

  func set(_ value: State) {
    content.withLock { content in
      guard content != value else { return }
      content = value
      changes.post(value)
    }
  }

  /// There will be no other value than this.
  func finish(_ value: State) {
    set(value)
    finish()
  }

  /// There will be no other value.
  func finish() { changes.finish() }

  func stream() -> AsyncStream<State> {
    content.withLock { changes.stream(beginningWith: $0) }
  }
}
