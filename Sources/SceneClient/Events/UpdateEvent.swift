import SceneModel
import ScenePlatform

/// A change of shared data. The broker sends the event to all observers, also to the sender.
///
/// Use events as the only way to update scenes, so that all scenes get the same updates. An event
/// is usually an enumeration:
///
/// ```swift
/// enum ChatEvent: UpdateEvent {
///   static let topic = "Chat"
///   case added(text: String)
///
///   var kind: String? { "added" }
///   var payload: UserInfo { switch self { case .added(let text): ["text": text] } }
///
///   init?(kind: String?, payload: UserInfo) {
///     guard kind == "added", let text: String = payload["text"] else { return nil }
///     self = .added(text: text)
///   }
/// }
/// ```
public protocol UpdateEvent: Sendable {
  /// The topic of the events: at most 256 bytes, without control characters.
  ///
  /// The manifest sets whether the events survive the broker, and how many are kept.
  static var topic: String { get }

  /// The kind of the event within its topic, at most 1 KiB; nil if the topic has one kind.
  var kind: String? { get }

  /// The content of the event, at most 256 KiB.
  var payload: UserInfo { get }

  /// Makes an event from a received kind and payload; nil for an unknown kind, which is skipped.
  init?(kind: String?, payload: UserInfo)
}

extension UpdateEvent {
  /// Nil: the topic has one kind.
  public var kind: String? { nil }

  /// Posts the event. Returns when the broker has stored it, on the disk for a durable topic. The
  /// observers receive it then.
  ///
  /// - Throws: ``SceneError/Code/tooLarge``, ``SceneError/Code/storageFull``,
  ///   ``SceneError/Code/tooMany``, ``SceneError/Code/invalidParams`` for an invalid topic,
  ///   ``SceneError/Code/applicationStopped``. ``SceneError/Code/connectionLost`` if the broker was
  ///   lost before its reply; then the event may have been posted.
  public func post(from application: SceneApplication) async throws(SceneError) {
    try await post(by: application.client)
  }

  /// Posts the event from a scene.
  public func post(from scene: Scene) async throws(SceneError) { try await post(by: scene.client) }

  private func post(by client: Client) async throws(SceneError) {
    let message = EventPost(
      topic: Self.topic, kind: kind, payload: OpaqueObject(unchecked: payload.raw))
    guard case .posted = try await client.reply(to: .post(message)) else {
      throw SceneError.unexpectedReply
    }
  }
}

extension SceneApplication {
  /// The events that any client posts to a topic from now on. The observation continues with the
  /// next broker.
  ///
  /// - Parameters:
  ///   - type: the type of the events.
  ///   - onGap: called before the next event if events before it are no longer stored; read the
  ///     data again then.
  /// - Returns: The stream of events. The observation has begun, so data that is read after this
  ///   call misses no event. It ends with the last reader.
  public func events<Event: UpdateEvent>(
    of type: Event.Type, onGap: @escaping @Sendable () -> Void = {}
  ) -> UpdateEvents<Event> {
    UpdateEvents(host.events, EventSource(topic: Event.topic), try? client, onGap: onGap)
  }
}

extension Scene {
  /// The events that are posted to a topic from now on, while the scene is not in the background.
  /// Events during that time follow when the scene enters the foreground or is refreshed. The
  /// stream ends with the scene.
  ///
  /// - Parameters:
  ///   - type: the type of the events.
  ///   - onGap: called before the next event if events before it are no longer stored; read the
  ///     data again then.
  /// - Returns: The stream of events. The observation has begun, so data that is read after this
  ///   call misses no event. It ends with the last reader.
  public func events<Event: UpdateEvent>(
    of type: Event.Type, onGap: @escaping @Sendable () -> Void = {}
  ) -> UpdateEvents<Event> {
    UpdateEvents(
      host?.events ?? EventStreams(), EventSource(topic: Event.topic, session: identifier), client,
      onGap: onGap)
  }
}

/// The events of a topic.
///
/// The sequence ends with the application or the scene. A second reader gets the events from its
/// own start on.
public struct UpdateEvents<Event: UpdateEvent>: AsyncSequence, Sendable {
  private let streams: EventStreams
  private let source: EventSource
  private let client: Client?
  private let onGap: @Sendable () -> Void
  /// The events since the start, for the first reader.
  private let first: ConditionMutex<AsyncStream<ObservationUpdate>?>

  init(
    _ streams: EventStreams, _ source: EventSource, _ client: Client?,
    onGap: @escaping @Sendable () -> Void
  ) {
    self.streams = streams
    self.source = source
    self.client = client
    self.onGap = onGap
    first = ConditionMutex(streams.open(source, client))
  }

  /// The events since the start, for the first reader.
  public func makeAsyncIterator() -> Iterator {
    let opened = first.withLock { first in
      defer { first = nil }
      return first
    }
    let stream = opened ?? streams.open(source, client)
    return Iterator(updates: stream.makeAsyncIterator(), onGap: onGap)
  }

  /// The iterator of the events.
  public struct Iterator: AsyncIteratorProtocol {
    var updates: AsyncStream<ObservationUpdate>.Iterator
    let onGap: @Sendable () -> Void
    /// The position of the last event, or before the first one.
    private var position: EventPosition?
    /// Whether the position before the next event is known, or known to be missing.
    private var hasBegun = false

    init(updates: AsyncStream<ObservationUpdate>.Iterator, onGap: @escaping @Sendable () -> Void) {
      self.updates = updates
      self.onGap = onGap
    }

    /// The next event of a known kind; nil at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Event? {
      while let update = await updates.next(isolation: actor) {
        switch update {
        case .gap:
          (position, hasBegun) = (nil, true)
          onGap()
        case .event(let event):
          // A slow reader gets only the newest events, perhaps without the beginning.
          if position.map({ !event.position.follows($0) }) ?? !hasBegun { onGap() }
          (position, hasBegun) = (event.position, true)
          let payload = UserInfo(unchecked: event.payload.json)
          if let event = Event(kind: event.kind, payload: payload) { return event }
        case .began(let start):
          // Each later position must follow the last one; otherwise events are missing.
          if !hasBegun { (position, hasBegun) = (start, true) }
        case .refused, .ended: return nil
        }
      }
      return nil
    }
  }
}

extension EventPosition {
  fileprivate func follows(_ other: EventPosition) -> Bool {
    origin == other.origin && number == other.number + 1
  }
}
