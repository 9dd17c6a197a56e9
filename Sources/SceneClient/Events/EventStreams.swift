import SceneModel
import Synchronization

/// Distributes events to the program's streams. All streams of one source share one observation.
final class EventStreams: Sendable {
  private struct Listeners {
    var continuations: [Int: AsyncStream<ObservationUpdate>.Continuation] = [:]
    /// The last position, where a new stream begins.
    var position: EventPosition?
  }

  private struct Content {
    var listeners: [EventSource: Listeners] = [:]
    var lastListener = 0
  }

  /// The newest events are kept for a slow stream.
  private static let capacity = 1000

  private let content = Mutex(Content())

  /// The events from now on; an empty stream without a client.
  func open(_ source: EventSource, _ client: Client?) -> AsyncStream<ObservationUpdate> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ObservationUpdate.self, bufferingPolicy: .bufferingNewest(Self.capacity))
    guard let client else {
      continuation.finish()
      return stream
    }
    let number = content.withLock { content in
      content.lastListener += 1
      let isFirst = content.listeners[source] == nil
      content.listeners[source, default: Listeners()].continuations[content.lastListener] =
        continuation
      if let position = content.listeners[source]?.position { continuation.yield(.began(position)) }
      // Under the lock, so that the client receives the end of the last stream before the next
      // observation.
      if isFirst { client.observe(source) }
      return content.lastListener
    }
    continuation.onTermination = { [weak self, weak client] _ in
      self?.close(number, of: source, client)
    }
    return stream
  }

  private func close(_ number: Int, of source: EventSource, _ client: Client?) {
    content.withLock { content in
      guard content.listeners[source]?.continuations.removeValue(forKey: number) != nil,
        content.listeners[source]?.continuations.isEmpty == true
      else { return }
      content.listeners[source] = nil
      client?.cease(source)
    }
  }

  func take(_ update: ObservationUpdate, of source: EventSource) {
    let isLast = update == .ended
    let continuations = content.withLock { content in
      defer { if isLast { content.listeners[source] = nil } }
      if let position = update.position { content.listeners[source]?.position = position }
      return content.listeners[source].map { Array($0.continuations.values) } ?? []
    }
    for continuation in continuations {
      if isLast { continuation.finish() } else { continuation.yield(update) }
    }
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
