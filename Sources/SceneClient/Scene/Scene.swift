import SceneJSON
package import SceneModel
import Synchronization

/// One instance of the application's user interface in this process. Corresponds to `UIScene`.
/// Every scene is a ``WindowScene``.
///
/// The library makes a scene and its delegate. A scene has one life; a session that connects again
/// gets a new scene. Any thread can use a scene.
// Its properties are constants and guarded values. The compiler does not check this for a class
// with a subclass.
public class Scene: @unchecked Sendable {
  /// The session of the scene, with the changes that the scene makes. Corresponds to
  /// `UIScene.session`.
  public let session: SceneSession
  package let identifier: SessionIdentifier
  /// Whether the session is new.
  package let isNew: Bool
  package let client: Client
  weak let host: SceneHost?
  private let content: Mutex<Content>
  let states = StateSource(ActivationState.unattached)
  let restoration = StateRestoration()

  private struct Content {
    var snapshot: String?
    var activationConditions: ActivationConditions
    var userActivity: UserActivity?
    /// The newest activity that can be saved.
    var activity: Activity?
    /// Whether `userActivity` answers `stateRestorationActivity`: not after the broker has refused
    /// it for good, and not after a `save` of another activity, which is newer.
    var isAnswer = true
    var disconnectReason: DisconnectReason?
    var dismissalAnimation: WindowScene.DismissalAnimation?
  }

  init(_ message: WillConnect, client: Client, host: SceneHost) {
    session = SceneSession(message.sceneSession, withheld: message.withheld, client: client)
    identifier = message.session
    isNew = message.isNew
    self.client = client
    self.host = host
    content = Mutex(
      Content(
        activationConditions: ActivationConditions(message.sceneSession.activationConditions)))
  }

  /// The application of the scene, for requests. Corresponds to `UIApplication.shared`.
  ///
  /// A scene does not keep its application. Reading the property after the application was released
  /// is a programming error.
  public var application: SceneApplication {
    guard let application = host?.application else {
      preconditionFailure("the application of this scene was released")
    }
    return application
  }

  // MARK: - State

  /// The state of the scene. As in UIKit, it has changed when a *did* method is called, and changes
  /// after a *will* method. Corresponds to `UIScene.activationState`.
  public var activationState: ActivationState { states.value }

  /// The state, and its changes until the end of the scene. A slow reader gets the newest value.
  /// Corresponds to `EnvironmentValues.scenePhase`.
  public var activationStates: some AsyncSequence<ActivationState, Never> & Sendable {
    states.stream()
  }

  /// The reason of the scene's end; nil until then.
  public var disconnectReason: DisconnectReason? { content.withLock { $0.disconnectReason } }

  /// The user's decision about the work in the window, from the request that discarded the session.
  /// Nil without one, and until the end of the scene. UIKit shows the animation and does not tell
  /// the delegate. Corresponds to
  /// `UIWindowSceneDestructionRequestOptions.windowDismissalAnimation`.
  public var windowDismissalAnimation: WindowScene.DismissalAnimation? {
    content.withLock { $0.dismissalAnimation }
  }

  func end(_ reason: DisconnectReason, _ dismissal: WindowScene.DismissalAnimation? = nil) {
    content.withLock { ($0.disconnectReason, $0.dismissalAnimation) = (reason, dismissal) }
    states.finish(.unattached)
  }

  /// Moves the scene to another state. `unattached` closes it.
  ///
  /// Returns when the broker has accepted the request; the delegate is called on the way. A scene
  /// on an external display never becomes active.
  ///
  /// - Parameter state: the new state; `foregroundInactive` interrupts the scene.
  /// - Throws: ``SceneError/Code/sessionNotHeld`` if the scene has ended or is about to end,
  ///   ``SceneError/Code/sessionNotFound`` if its session is being discarded,
  ///   ``SceneError/Code/shuttingDown``, and the common errors of ``SceneError``.
  public func move(to state: ActivationState) async throws(SceneError) {
    let reason: SceneModel.DisconnectReason? = state == .unattached ? .clientRequest : nil
    _ = try await client.reply(
      to: SceneTransition(session: identifier, to: state.onTheWire, reason: reason))
  }

  /// Extends the time of the current call of the delegate, at most by an hour from now.
  ///
  /// By default a call has 5 s, and the connection has 20 s; the manifest can change both. The
  /// method does not wait for the broker's answer.
  ///
  /// - Parameter duration: the time from now on, 0 s to 3,600 s. The remaining time never becomes
  ///   shorter.
  /// - Throws: ``SceneError/Code/invalidParams`` for a negative time or more than an hour,
  ///   ``SceneError/Code/sessionNotHeld`` if the scene has ended.
  public func extendTime(by duration: Duration) throws(SceneError) {
    if let reason = disconnectReason {
      throw SceneError(.sessionNotHeld, "the scene has ended: \(reason)")
    }
    let time = duration / .seconds(1)
    guard (0...3600).contains(time) else {
      throw SceneError(.invalidParams, "invalid duration \(duration): expected 0 s to 3600 s")
    }
    client.request(SceneExtend(session: identifier, seconds: time))
  }

  // MARK: - Description

  /// The title of the session in lists, at most 1 KiB; a longer title is not saved. Corresponds to
  /// `UIScene.title`.
  public var title: String? {
    get { session.title }
    set {
      session.title = newValue
      client.request { SceneUpdate(session: identifier, title: .orNull(title)) }
    }
  }

  /// The subtitle in lists, at most 1 KiB; a longer one is not saved. Corresponds to
  /// `UIScene.subtitle`.
  public var subtitle: String? {
    get { session.subtitle }
    set {
      session.subtitle = newValue
      client.request { SceneUpdate(session: identifier, subtitle: .orNull(subtitle)) }
    }
  }

  /// The text of the scene in the switcher, also after its end. At most 64 KiB; a longer text is
  /// not saved. It begins as nil, and a new value replaces the text of earlier scenes.
  public var snapshot: String? {
    get { content.withLock { $0.snapshot } }
    set {
      content.withLock { $0.snapshot = newValue }
      client.request { SceneUpdate(session: identifier, snapshot: .orNull(snapshot)) }
    }
  }

  /// The conditions for an activation of the session, also without a scene. A condition above 4 KiB
  /// is not saved. Corresponds to `UIScene.activationConditions`.
  public var activationConditions: ActivationConditions {
    get { content.withLock { $0.activationConditions } }
    set {
      content.withLock { $0.activationConditions = newValue }
      client.request {
        SceneUpdate(
          session: identifier, activationConditions: .value(activationConditions.texts))
      }
    }
  }

  // MARK: - Restoration

  /// The user's current activity, with which the session is restored. Corresponds to
  /// `UIResponder.userActivity`.
  ///
  /// The client saves a new value when the broker can take it. Only the newest value counts, and it
  /// survives the broker. Nil removes the activity. If the broker refuses a value,
  /// ``SceneDelegate/scene(_:didFailToSave:error:)`` is called once, and the last saved activity
  /// stays.
  public var userActivity: UserActivity? {
    get { content.withLock { $0.userActivity } }
    set {
      do throws(SceneError) {
        let activity = try newValue?.checked
        content.withLock {
          ($0.userActivity, $0.activity, $0.isAnswer) = (newValue, activity, true)
        }
        client.save(of: identifier) { content.withLock { $0.activity } }
      } catch {
        content.withLock { ($0.userActivity, $0.isAnswer) = (newValue, false) }
        host?.didFailToSave(newValue, of: self, error)
      }
    }
  }

  /// The answer to `stateRestorationActivity`; nil leaves the saved activity.
  var answer: UserActivity? { content.withLock { $0.isAnswer ? $0.userActivity : nil } }

  /// Records a refused activity.
  func giveUp(_ activity: Activity?, _ error: SceneError) {
    content.withLock { content in
      if error.retry == .never, content.activity == activity { content.isAnswer = false }
    }
  }

  /// Saves an activity. Returns when this activity or a newer one is on the disk.
  ///
  /// The call waits without a broker, and while the disk is behind. ``userActivity`` does not
  /// change, and does not replace the saved activity when the scene enters the background. If the
  /// task is cancelled or times out, the activity stays queued.
  ///
  /// - Parameter activity: the activity, at most 256 KiB by default; nil removes the saved one.
  /// - Returns: The generation: the number of activities saved for this session.
  /// - Throws: ``SceneError/Code/tooLarge`` for a larger activity;
  ///   ``SceneError/Code/invalidParams`` for an invalid activity; ``SceneError/Code/storageFull``;
  ///   ``SceneError/Code/sessionNotHeld`` if the scene ends first; the common errors of
  ///   ``SceneError``. The last saved activity then stays.
  @discardableResult
  public func save(_ activity: UserActivity?) async throws(SceneError) -> Int {
    let activity = try activity?.checked
    content.withLock { $0.isAnswer = false }
    return Int(try await client.save(activity, of: identifier).generation)
  }

  // MARK: - Delegate

  /// Runs `work` with the delegate of a class, after the received calls; not if the scene has ended
  /// by then.
  ///
  /// - Parameters:
  ///   - type: the class of the delegate. Another class is a precondition failure.
  ///   - work: the work, one at a time with the delegate's calls.
  public func perform<Delegate: SceneDelegate>(
    as type: Delegate.Type, _ work: @escaping @Sendable (Delegate) -> Void
  ) {
    client.enqueue(identifier) { [self] in
      host?.perform(on: self) { work($0.cast(to: type)) }
    }
  }
}

/// A scene with a window, which every scene is. Corresponds to `UIWindowScene`.
public final class WindowScene: Scene, @unchecked Sendable {}

extension Scene {
  /// The delegate, for code that runs in its calls; nil after the end of the scene. Corresponds to
  /// `UIScene.delegate`.
  ///
  /// Other code uses ``perform(as:_:)``: reading the property outside of the queue of the scene is
  /// a precondition failure. The main actor is outside of this queue, also in the methods of a
  /// delegate of the main actor. Code of the main actor keeps such a delegate in its own property.
  public var delegate: (any SceneDelegate)? { host?.delegate(of: self) }
}

extension SceneDelegate {
  func cast<Delegate: SceneDelegate>(to type: Delegate.Type) -> Delegate {
    guard let delegate = self as? Delegate else {
      preconditionFailure("the delegate of the scene is a \(Self.self), not a \(type)")
    }
    return delegate
  }
}

extension Scene: Hashable {
  public static func == (one: Scene, other: Scene) -> Bool { one === other }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
