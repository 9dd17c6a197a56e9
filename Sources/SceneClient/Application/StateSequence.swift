import Synchronization

/// A value and its changes.
///
/// The sequence begins with the current value. A slow reader gets the newest value and misses
/// earlier ones. The sequence ends after the last value.
public struct StateSequence<State: Sendable & Equatable>: AsyncSequence, Sendable {
  private let source: StateSource<State>

  init(_ source: StateSource<State>) { self.source = source }

  /// The current value.
  public var current: State { source.value }

  /// Makes an iterator, which begins with the current value.
  ///
  /// - Returns: The iterator. Each reader has its own.
  public func makeAsyncIterator() -> Iterator {
    Iterator(values: source.stream().makeAsyncIterator())
  }

  /// The iterator of the values.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var values: AsyncStream<State>.Iterator

    /// Waits for the next value. Returns the current value first.
    ///
    /// - Parameter actor: the actor of the caller.
    /// - Returns: The value; nil after the last one.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> State? { await values.next(isolation: actor) }
  }
}

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

  func stream() -> AsyncStream<State> {
    content.withLock { changes.stream(beginningWith: $0) }
  }
}
