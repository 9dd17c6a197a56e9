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
  private struct Content {
    var value: State
    var isFinished = false
    var listeners: [Int: AsyncStream<State>.Continuation] = [:]
    var lastListener = 0
  }

  private let content: Mutex<Content>

  init(_ value: State) { content = Mutex(Content(value: value)) }

  var value: State { content.withLock { $0.value } }

  func set(_ value: State) {
    content.withLock { content in
      guard content.value != value else { return }
      content.value = value
      for listener in content.listeners.values { listener.yield(value) }
    }
  }

  /// There will be no other value than this.
  func finish(_ value: State) {
    set(value)
    finish()
  }

  /// There will be no other value.
  func finish() {
    let listeners = content.withLock { content in
      content.isFinished = true
      defer { content.listeners = [:] }
      return Array(content.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }

  func stream() -> AsyncStream<State> {
    let (stream, listener) = AsyncStream.makeStream(
      of: State.self, bufferingPolicy: .bufferingNewest(1))
    let number: Int? = content.withLock { content in
      listener.yield(content.value)
      guard !content.isFinished else { return nil }
      content.lastListener += 1
      content.listeners[content.lastListener] = listener
      return content.lastListener
    }
    guard let number else {
      listener.finish()
      return stream
    }
    listener.onTermination = { [weak self] _ in
      _ = self?.content.withLock { $0.listeners.removeValue(forKey: number) }
    }
    return stream
  }
}
