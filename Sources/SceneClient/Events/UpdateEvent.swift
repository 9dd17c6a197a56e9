import SceneModel
import ScenePlatform

/// Something that changed, told to everybody whose scenes show it: the sender's own too.
///
/// It is the only way in which a change reaches a scene, so that no scene is updated in another way
/// than its neighbours. As a rule it is an enumeration:
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
  /// The topic that such events are posted to: at most 256 bytes, none of them a control character.
  ///
  /// Whether its events survive the broker, and how many are kept, stands in the manifest.
  static var topic: String { get }

  /// Which of the topic's events it is, in at most 1 KiB; nil where there is only one.
  var kind: String? { get }

  /// What there is to know about it, in at most 256 KiB.
  var payload: UserInfo { get }

  /// The event that somebody posted; nil for one that this program does not know, which is passed
  /// over.
  init?(kind: String?, payload: UserInfo)
}

extension UpdateEvent {
  /// None: there is only one kind.
  public var kind: String? { nil }

  /// Posts it, and returns when it is kept: on the disk, if the topic is durable. Those who observe
  /// the topic are sent it then.
  ///
  /// - Throws: ``SceneError/Code/tooLarge``, ``SceneError/Code/storageFull``,
  ///   ``SceneError/Code/tooMany``, ``SceneError/Code/invalidParams`` for a topic that cannot be
  ///   called so, ``SceneError/Code/applicationStopped``; and ``SceneError/Code/connectionLost`` if
  ///   the broker went before it answered: it may have been posted.
  public func post(from application: SceneApplication) async throws(SceneError) {
    try await post(by: application.client)
  }

  /// The same, from a scene.
  public func post(from scene: Scene) async throws(SceneError) { try await post(by: scene.client) }

  private func post(by client: Client) async throws(SceneError) {
    let message = EventPost(
      topic: Self.topic, kind: kind, payload: CarriedObject(unchecked: payload.raw))
    guard case .posted = try await client.reply(to: .post(message)) else {
      throw SceneError.unexpectedReply
    }
  }
}

extension SceneApplication {
  /// The events of a topic that are posted from now on, by whichever client.
  ///
  /// It survives the broker: with the next one it goes on where it was.
  ///
  /// - Parameters:
  ///   - type: which events.
  ///   - onGap: called before the next event where others are missing, because they are not kept any
  ///     more: whoever shows what they are about reads it anew.
  /// - Returns: What to go through. Observing has begun, so that who reads now what the events are
  ///   about misses nothing; it ends when nobody goes through it any more.
  public func events<Event: UpdateEvent>(
    of type: Event.Type, onGap: @escaping @Sendable () -> Void = {}
  ) -> UpdateEvents<Event> {
    UpdateEvents(host.events, EventSource(topic: Event.topic), try? client, onGap: onGap)
  }
}

extension Scene {
  /// The events of a topic that are posted from now on, while the scene is not in the background:
  /// what it misses there follows when it comes to the foreground, or is refreshed. It ends with the
  /// scene.
  ///
  /// - Parameters:
  ///   - type: which events.
  ///   - onGap: called before the next event where others are missing, because they are not kept any
  ///     more: whoever shows what they are about reads it anew.
  /// - Returns: What to go through. Observing has begun, so that who reads now what the events are
  ///   about misses nothing; it ends when nobody goes through it any more.
  public func events<Event: UpdateEvent>(
    of type: Event.Type, onGap: @escaping @Sendable () -> Void = {}
  ) -> UpdateEvents<Event> {
    UpdateEvents(
      host?.events ?? EventStreams(), EventSource(topic: Event.topic, session: identifier), client,
      onGap: onGap)
  }
}

/// The events of a topic, as they come.
///
/// It ends with the application, or with the scene that it is of. Whoever goes through it once more,
/// or beside another, is told what is posted from then on.
public struct UpdateEvents<Event: UpdateEvent>: AsyncSequence, Sendable {
  private let streams: EventStreams
  private let source: EventSource
  private let client: Client?
  private let onGap: @Sendable () -> Void
  /// What has come since it was made, for the first who goes through it.
  private let first: ConditionMutex<AsyncStream<EventNews>?>

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

  /// Goes through what has come since it was made, for the first.
  public func makeAsyncIterator() -> Iterator {
    let opened = first.withLock { first in
      defer { first = nil }
      return first
    }
    let stream = opened ?? streams.open(source, client)
    return Iterator(news: stream.makeAsyncIterator(), onGap: onGap)
  }

  /// Goes through the events.
  public struct Iterator: AsyncIteratorProtocol {
    var news: AsyncStream<EventNews>.Iterator
    let onGap: @Sendable () -> Void
    /// That of the last event, or where the first one comes from.
    private var position: EventPosition?
    /// Whether it is known what comes before the next event, or that nobody knows it.
    private var hasBegun = false

    init(news: AsyncStream<EventNews>.Iterator, onGap: @escaping @Sendable () -> Void) {
      self.news = news
      self.onGap = onGap
    }

    /// The next event that this program knows; nil when there will be none.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Event? {
      while let told = await news.next(isolation: actor) {
        switch told {
        case .gap:
          (position, hasBegun) = (nil, true)
          onGap()
        case .event(let event):
          // Whoever is slow finds only the newest, perhaps not even the beginning.
          if position.map({ !event.position.follows($0) }) ?? !hasBegun { onGap() }
          (position, hasBegun) = (event.position, true)
          let payload = UserInfo(unchecked: event.payload.json)
          if let event = Event(kind: event.kind, payload: payload) { return event }
        case .began(let start):
          // Later ones go on from the last event; where they do not, that is a gap.
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
