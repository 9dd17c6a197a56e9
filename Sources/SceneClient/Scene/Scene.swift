import JSON
import SceneModel
import Synchronization

/// One instance of the application's user interface, while this process has it.
///
/// It is made by the library, together with its delegate, and goes through its life once; when its
/// session comes back, that is another scene. It may be used from any thread.
public final class Scene: Sendable {
  /// The session it stands for, as it was when the scene was connected.
  public let session: SceneSession
  let identifier: SessionIdentifier
  let client: Client
  weak let host: SceneHost?
  private let content: Mutex<Content>
  let states = StateSource(ActivationState.unattached)

  private struct Content {
    var title: String?
    var subtitle: String?
    var snapshot: String?
    var activationConditions: ActivationConditions
    var userActivity: UserActivity?
    /// The newest of them that can be kept.
    var activity: Activity?
    /// Whether the newest was refused, and would be again.
    var isRefused = false
    var disconnectReason: DisconnectReason?
  }

  init(_ message: WillConnect, client: Client, host: SceneHost) {
    session = SceneSession(message.sceneSession, withheld: message.withheld)
    identifier = message.session
    self.client = client
    self.host = host
    content = Mutex(
      Content(
        title: message.sceneSession.title, subtitle: message.sceneSession.subtitle,
        activationConditions: ActivationConditions(message.sceneSession.activationConditions)))
  }

  // MARK: - Where it is

  /// Where it is in its life. As in UIKit, it shows what *did* happen when the delegate is called,
  /// and what *will* happen only afterwards.
  public var activationState: ActivationState { states.value }

  /// Where it is, and each time that changes; it ends with the scene.
  public var phase: StateSequence<ActivationState> { StateSequence(states) }

  /// Why the scene is over; nil until it is.
  public var disconnectReason: DisconnectReason? { content.withLock { $0.disconnectReason } }

  func end(_ reason: DisconnectReason) {
    content.withLock { $0.disconnectReason = reason }
    states.finish(.unattached)
  }

  /// Asks to go to another state: to the foreground, to the background, or, with `unattached`, to
  /// be closed.
  ///
  /// It returns when that is accepted; the delegate is called on the way there. An external display
  /// never becomes active: its scenes stay inactive.
  ///
  /// - Throws: ``SceneError/Code/sessionNotHeld`` if the scene is over or about to end,
  ///   ``SceneError/Code/sessionNotFound`` if its session is being discarded,
  ///   ``SceneError/Code/shuttingDown``, ``SceneError/Code/applicationStopped``.
  public func move(to state: ActivationState) async throws(SceneError) {
    let reason: SceneModel.DisconnectReason? = state == .unattached ? .clientRequest : nil
    _ = try await client.reply(
      to: .transition(
        SceneTransition(session: identifier, to: state.onTheWire, reason: reason)))
  }

  /// Asks for more time for the call of the delegate that is running; at most an hour, counted from
  /// now.
  ///
  /// Without it a call has 5 s, and 20 s for the scene to connect, unless the manifest says
  /// otherwise. Whether the broker grants it is not waited for.
  ///
  /// - Throws: ``SceneError/Code/invalidParams`` for less than nothing or more than an hour,
  ///   ``SceneError/Code/sessionNotHeld`` if the scene is over.
  public func extendTime(by duration: Duration) throws(SceneError) {
    if let reason = disconnectReason {
      throw SceneError(.sessionNotHeld, "the scene has ended: \(reason)")
    }
    let (seconds, attoseconds) = duration.components
    let time = Double(seconds) + Double(attoseconds) / 1e18
    guard (0...3600).contains(time) else {
      throw SceneError(.invalidParams, "invalid duration \(duration): expected 0 s to 3600 s")
    }
    client.request(.extend(SceneExtend(session: identifier, seconds: time)))
  }

  // MARK: - What it shows of itself

  /// What the scene is called in lists, in at most 1 KiB; more is not kept.
  public var title: String? {
    get { content.withLock { $0.title } }
    set {
      content.withLock { $0.title = newValue }
      client.request { .update(SceneUpdate(session: identifier, title: .orNull(title))) }
    }
  }

  /// What stands below the title, in at most 1 KiB; more is not kept.
  public var subtitle: String? {
    get { content.withLock { $0.subtitle } }
    set {
      content.withLock { $0.subtitle = newValue }
      client.request { .update(SceneUpdate(session: identifier, subtitle: .orNull(subtitle))) }
    }
  }

  /// Text that stands for the scene in the switcher, also while there is none: at most 64 KiB; more
  /// is not kept. It begins as nil, whatever an earlier scene left there, and what is assigned takes
  /// the place of that.
  public var snapshot: String? {
    get { content.withLock { $0.snapshot } }
    set {
      content.withLock { $0.snapshot = newValue }
      client.request { .update(SceneUpdate(session: identifier, snapshot: .orNull(snapshot))) }
    }
  }

  /// What its session is to be activated for, also when no scene stands for it. One that has more
  /// than 4 KiB is not kept.
  public var activationConditions: ActivationConditions {
    get { content.withLock { $0.activationConditions } }
    set {
      content.withLock { $0.activationConditions = newValue }
      client.request {
        .update(
          SceneUpdate(
            session: identifier, activationConditions: .value(activationConditions.texts)))
      }
    }
  }

  // MARK: - What brings it back

  /// What the user is doing, to be found again when the scene comes back.
  ///
  /// What is assigned is kept, in the background and as soon as the broker can. Of several only the
  /// newest counts, and it survives the broker. Nil clears. What cannot be kept is told to
  /// ``SceneDelegate/scene(_:didFailToSave:error:)``, once: what was kept before stays, and is what
  /// the session comes back with.
  public var userActivity: UserActivity? {
    get { content.withLock { $0.userActivity } }
    set {
      do throws(SceneError) {
        let activity = try newValue?.checked
        content.withLock {
          ($0.userActivity, $0.activity, $0.isRefused) = (newValue, activity, false)
        }
        client.save(of: identifier) { content.withLock { $0.activity } }
      } catch {
        content.withLock { ($0.userActivity, $0.isRefused) = (newValue, true) }
        perform { $0.scene(self, didFailToSave: newValue, error: error) }
      }
    }
  }

  /// What there is to answer to the question for the activity; nil leaves what was kept before.
  var answer: UserActivity? { content.withLock { $0.isRefused ? nil : $0.userActivity } }

  /// The broker would not have it.
  func giveUp(_ activity: Activity?, _ error: SceneError) {
    content.withLock { content in
      if error.retry == .never, content.activity == activity { content.isRefused = true }
    }
  }

  /// Keeps an activity and returns when it is on disk, this one or a newer one; nil clears.
  ///
  /// While the broker is away, or its disk is behind, it waits. ``userActivity`` stays what it is.
  ///
  /// - Returns: Its generation: how many have been kept for this session.
  /// - Throws: ``SceneError/Code/tooLarge`` beyond 256 KiB, unless the broker was started with
  ///   another limit; ``SceneError/Code/invalidParams`` for what is no activity;
  ///   ``SceneError/Code/storageFull``; ``SceneError/Code/sessionNotHeld`` if the scene ends
  ///   before; ``SceneError/Code/applicationStopped``. What was kept before then stays.
  @discardableResult
  public func save(_ activity: UserActivity?) async throws(SceneError) -> Int {
    let activity = try activity?.checked
    let reply = await withCheckedContinuation { continuation in
      client.save(activity, of: identifier) { continuation.resume(returning: $0) }
    }
    guard case .saved(let saved) = try reply.get() else { throw SceneError.unexpectedReply }
    return Int(saved.generation)
  }

  func reply(to request: ClientRequest) async throws(SceneError) -> BrokerReply {
    try await client.reply(to: request)
  }

  // MARK: - Its delegate

  /// Does something with the scene's delegate, behind the calls that have come for it; nothing if
  /// the scene is over by then.
  public func perform(_ work: @escaping @Sendable (any SceneDelegate) -> Void) {
    client.enqueue(identifier) { [self] in host?.perform(on: self, work) }
  }
}

extension Scene: Hashable {
  public static func == (one: Scene, other: Scene) -> Bool { one === other }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
