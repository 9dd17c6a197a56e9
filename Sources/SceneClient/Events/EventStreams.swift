import SceneModel
import Synchronization

/// Distributes events to the program's listeners. All listeners of one source share one
/// observation.
final class EventStreams: Sendable {
  /// Runs in the order of the source, except for the position where the listener begins.
  typealias Listener = @Sendable (ObservationUpdate) -> Void

  private struct Listeners {
    /// In the order in which they were added.
    var all: [(number: Int, listener: Listener)] = []
    /// The last position, where a new listener begins.
    var position: EventPosition?
  }

  private struct Content {
    var listeners: [EventSource: Listeners] = [:]
    var lastListener = 0
    /// Whether the application has ended.
    var isFinished = false
  }

  /// The newest events are kept for a slow stream.
  private static let capacity = 1000

  private let content = Mutex(Content())

  /// Starts the client, and passes the updates from now on to a listener. Returns the number
  /// with which it is removed; nil after the end of the application.
  @discardableResult
  func add(to source: EventSource, _ client: Client, _ listener: @escaping Listener) -> Int? {
    do throws(SceneError) {
      try client.startOnce()
    } catch {
      client.settings.log(error.record("events of topic \(source.topic) not observed"))
      listener(.ended)
      return nil
    }
    let number: Int? = content.withLock { content in
      guard !content.isFinished else { return nil }
      content.lastListener += 1
      let number = content.lastListener
      let isFirst = content.listeners[source] == nil
      content.listeners[source, default: Listeners()].all.append((number, listener))
      if let position = content.listeners[source]?.position { listener(.began(position)) }
      // Under the lock, so that the client receives the end of the last listener before the next
      // observation.
      if isFirst { client.observe(source) }
      return number
    }
    if number == nil { listener(.ended) }
    return number
  }

  /// The application has ended: ends all observations.
  func finish() {
    let listeners = content.withLock { content in
      content.isFinished = true
      return exchange(&content.listeners, with: [:]).values.flatMap(\.all)
    }
    for (_, listener) in listeners { listener(.ended) }
  }

  /// The events from now on; an empty stream without a client.
  func open(_ source: EventSource, _ client: Client?) -> AsyncStream<ObservationUpdate> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ObservationUpdate.self, bufferingPolicy: .bufferingNewest(Self.capacity))
    guard let client else {
      continuation.finish()
      return stream
    }
    let added = add(to: source, client) { update in
      switch update {
      case .ended, .refused: continuation.finish()
      case .began, .event, .gap: continuation.yield(update)
      }
    }
    guard let number = added else { return stream }
    continuation.onTermination = { [weak self, weak client] _ in
      self?.close(number, of: source, client)
    }
    return stream
  }

  private func close(_ number: Int, of source: EventSource, _ client: Client?) {
    // The listener is released without the lock.
    _ = content.withLock { content -> Listener? in
      guard let place = content.listeners[source]?.all.firstIndex(where: { $0.number == number })
      else { return nil }
      let removed = content.listeners[source]?.all.remove(at: place)
      guard content.listeners[source]?.all.isEmpty == true else { return removed?.listener }
      content.listeners[source] = nil
      client?.cease(source)
      return removed?.listener
    }
  }

  func take(_ update: ObservationUpdate, of source: EventSource) {
    let listeners = content.withLock { content in
      defer { if update == .ended { content.listeners[source] = nil } }
      if let position = update.position { content.listeners[source]?.position = position }
      return content.listeners[source]?.all ?? []
    }
    for (_, listener) in listeners { listener(update) }
  }
}

extension ObservationUpdate {
  /// The position before the next event.
  fileprivate var position: EventPosition? {
    switch self {
    case .began(let position): position
    case .event(let event): event.position
    case .gap, .refused, .ended: nil
    }
  }
}
