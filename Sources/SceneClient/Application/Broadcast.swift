import Synchronization

/// Distributes posted values to the current listeners.
final class Broadcast<Element: Sendable>: Sendable {
  private struct Content {
    var isFinished = false
    var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
    var lastListener = 0
  }

  private let content = Mutex(Content())
  private let capacity: Int

  /// The maximum number of values that wait for a slow listener; the oldest are dropped.
  init(keeping capacity: Int) { self.capacity = capacity }

  /// The current listeners. A caller passes values to them without a lock: a cancellation handler
  /// of a listener's task can take the lock, and runs under a lock of that task.
  var listeners: [AsyncStream<Element>.Continuation] {
    content.withLock { Array($0.listeners.values) }
  }

  func post(_ element: Element) {
    for listener in listeners { listener.yield(element) }
  }

  func finish() {
    let listeners = content.withLock { content in
      content.isFinished = true
      return Array(exchange(&content.listeners, with: [:]).values)
    }
    for listener in listeners { listener.finish() }
  }

  /// The first values, and then the values posted from now on.
  func stream(beginningWith first: Element? = nil) -> AsyncStream<Element> {
    let (stream, listener) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(capacity))
    let number: Int? = content.withLock { content in
      if let first { listener.yield(first) }
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
