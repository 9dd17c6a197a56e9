import SceneModel

/// A change of shared data. The broker sends the event to all observers, also to the sender.
///
/// Use events as the only way to update scenes, so that all scenes get the same updates. An event
/// is usually an enumeration, and needs only `Codable`:
///
/// ```swift
/// enum ChatEvent: UpdateEvent, Codable {
///   case added(text: String)
/// }
/// ```
///
/// The case is the kind of the event, and its associated values are the payload: here `added` and
/// `{"text":…}`. A structure has no kind, and its members are the payload. A type that writes its
/// own ``kind``, ``payload`` and ``init(kind:payload:)`` does not need `Codable`.
public protocol UpdateEvent: Sendable {
  /// The topic of the events: at most 256 bytes, without control characters. By default the name
  /// of the type.
  ///
  /// The manifest sets whether the events survive the broker, and how many are kept.
  static var topic: String { get }

  /// The kind of the event within its topic, at most 1 KiB; nil if the topic has one kind.
  var kind: String? { get }

  /// The content of the event, at most 256 KiB by default.
  var payload: UserInfo { get }

  /// Makes an event from a received kind and payload; nil for an unknown kind. The library skips
  /// such an event.
  ///
  /// - Parameters:
  ///   - kind: the kind, at most 1 KiB; nil if the topic has one kind.
  ///   - payload: the content, at most 256 KiB by default.
  init?(kind: String?, payload: UserInfo)
}

/// Another name of ``UpdateEvent``, for an application whose own type is called `UpdateEvent`.
public typealias SceneEvent = UpdateEvent

extension UpdateEvent {
  /// The topic: the name of the type.
  public static var topic: String { String(describing: Self.self) }

  /// The kind: nil, because the topic has one kind.
  public var kind: String? { nil }

  /// Posts the event through ``SceneApplication/shared``, and returns at once. The event waits for
  /// the broker if necessary.
  ///
  /// If the post fails, the library logs the reason; ``post(from:)-(SceneApplication)`` throws it
  /// instead. Without `main` there is no shared application, which is a precondition failure.
  public func post() {
    let application = SceneApplication.shared
    do throws(SceneError) {
      let client = try application.client
      try client.startOnce()
      client.request(try message) { result in
        if case .failure(let error) = result { application.program.log(record(of: error)) }
      }
    } catch {
      application.program.log(record(of: error))
    }
  }

  private func record(of error: SceneError) -> SceneLogRecord {
    error.record("event of topic \(Self.topic) not posted")
  }

  /// Posts the event. Returns when the broker has stored it, on the disk for a durable topic. The
  /// observers receive it then.
  ///
  /// - Parameter application: the sender.
  /// - Throws: ``SceneError/Code/tooLarge`` for a payload above 256 KiB by default,
  ///   ``SceneError/Code/storageFull``, ``SceneError/Code/tooMany``,
  ///   ``SceneError/Code/invalidParams`` for an invalid topic or an event that cannot be encoded,
  ///   and the common errors of ``SceneError``. ``SceneError/Code/connectionLost`` if the broker
  ///   was lost before its reply; then the event may have been posted.
  public func post(from application: SceneApplication) async throws(SceneError) {
    try await post(by: application.client)
  }

  /// Posts the event from a scene, and returns when the broker has stored it.
  ///
  /// - Parameter scene: the sender.
  /// - Throws: The errors of ``post(from:)-(SceneApplication)``.
  public func post(from scene: Scene) async throws(SceneError) { try await post(by: scene.client) }

  private func post(by client: Client) async throws(SceneError) {
    try await client.reply(to: try message)
  }

  private var message: EventPost {
    get throws(SceneError) {
      try EncodingFailure.thrown {
        EventPost(topic: Self.topic, kind: kind, payload: OpaqueObject(unchecked: payload.raw))
      }
    }
  }

  init?(_ posted: EventPosted) {
    self.init(kind: posted.kind, payload: UserInfo(unchecked: posted.payload.json))
  }
}
