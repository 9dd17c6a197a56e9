import SceneApp
import SceneClient
import SceneCommandLine
import SceneJSON
import SceneModel
import ScenePlatform

extension Callback {
  /// Whether the broker expects no answer, because the scene has already ended.
  fileprivate var needsNoAnswer: Bool {
    guard let reason = (message as? DidDisconnect)?.reason else { return false }
    return reason == .watchdog || reason == .replaced
  }
}

extension SceneController {
  func handle(_ callback: Callback, answer: @escaping @Sendable (CallAnswer?) -> Void) {
    answer(handle(callback))
    // A reader that does not read delays the next callback, but not this answer.
    screen.waitForReader()
  }

  private func handle(_ callback: Callback) -> CallAnswer? {
    // `scene` answers for itself, and its user does not see the ping.
    if callback.kind == .ping {
      return state.withLock { $0.hangsAlways || $0.hangs.contains(.ping) } ? nil : .done
    }
    let continues = programState?.continuing == callback.session
    prepare(before: callback)
    reportSessionChange(callback)
    let answer = take(callback, continues: continues)
    tell(.callback(callback, answer, isClassic: isClassic(callback.kind)))
    if let refusal = moveProgram(by: callback) { return refusal }
    switch callback.message {
    case let message as WillConnect:
      begin(message.session, message.sceneSession.program)
      client?.enqueue(message.session) { [self] in openWindow(message) }
      if continues {
        sendProcess(of: message.session)
        saveUnsaved(message.session) {}
      }
    case let message as DidDisconnect: finish(message)
    default: if callback.kind == .didEnterBackground { detachWindows(of: callback.session) }
    }
    return answer
  }

  /// Records the callback and returns its answer.
  private func take(_ callback: Callback, continues: Bool) -> CallAnswer? {
    state.withLock { state in
      if let arrival = callback.kind.arrival { state.activationState = arrival }
      switch callback.message {
      case let message as WillConnect:
        state.session = message.session
        (state.isConnected, state.isReclaimed, state.wasInBackground) = (true, false, false)
        let restored = message.sceneSession.stateRestorationActivity
        // A program that continues has its own activity.
        if !continues {
          state.work.activity =
            if let activity = message.options.userActivities.first {
              .value(activity)
            } else if let left = state.work.left {
              .orNull(left.activity)
            } else {
              restored.map { .value($0) } ?? .absent
            }
        }
        state.work.kept = restored.map { .value($0) } ?? .absent
      case let message as UserActivityMessage where callback.kind == .continueUserActivity:
        // A program decides itself about a continued activity.
        if programState == nil { state.work.activity = .value(message.userActivity) }
      case is DidDisconnect: state.isConnected = false
      default: break
      }
      if callback.kind == .didEnterBackground { state.wasInBackground = true }
      if callback.kind != .didDisconnect { state.lastCallback = callback.kind }
      guard !state.hangsAlways && !state.hangs.contains(callback.kind) || callback.needsNoAnswer
      else { return nil }
      guard callback.kind == .stateRestorationActivity else { return .done }
      return .activity(state.work.activity)
    }
  }

  /// Whether a classic application delegate gets the callback. It gets no
  /// `applicationWillEnterForeground(_:)` at the launch.
  private func isClassic(_ kind: CallbackKind) -> Bool {
    client?.isClassic == true
      && (kind != .willEnterForeground || state.withLock { $0.wasInBackground })
  }

  private func begin(_ session: SessionIdentifier, _ program: SessionProgram?) {
    let (work, title) = state.withLock { state in
      defer {
        (state.work.left, state.work.first, state.work.postponed) = (nil, nil, nil)
        state.firstTitle = nil
      }
      return (state.work, state.firstTitle)
    }
    if let title {
      client?.request(SceneUpdate(session: session, title: .value(title)))
    }
    store(over: program, of: session)
    if let left = work.left { saveRecovered(left, of: session) }
    if let postponed = work.postponed { savePostponed(postponed, of: session) }
    if let first = work.first {
      save(first, of: session) { [self] result in report(result, in: session) }
    }
    // After the answer to this callback, so that no command reaches the broker before the scene is
    // connected.
    client?.enqueue(session) { [self] in post(.ready) }
    for (topic, position) in state.withLock({ $0.topics }).sorted(by: { $0.key < $1.key }) {
      client?.observe(EventSource(topic: topic, session: session), after: position)
    }
    // After all pending messages of the broker.
    client?.enqueue(nil) { [self] in state.withLock { $0.link.awaitsResume = false } }
  }

  private func finish(_ message: DidDisconnect) {
    let isEnding = state.withLock { state in
      state.link.expectsLoss = message.reason == .shutdown
      return state.end.isWanted
    }
    switch message.reason {
    case .connectionLost where isEnding: break
    case .reclaimed, .shutdown, .connectionLost:
      tell(.idle(message.session, message.reason))
      if message.reason == .reclaimed { state.withLock { $0.isReclaimed = true } }
      if state.withLock({ $0.suspension.isUnderWay }) { post(.isInBackground) }
    case .clientRequest:
      state.withLock { $0.end.host = message.host }
      tell(
        .ended(
          SceneTermination(session: message.session, reason: message.reason, host: message.host)))
      end(.success)
    case .discarded: client?.enqueue(nil) { [self] in endDiscarded(message.session) }
    case .watchdog: endAfterTimeout(message.session)
    default:
      tell(.ended(SceneTermination(session: message.session, reason: message.reason)))
      end(.failure)
    }
  }

  /// Runs after all pending messages of the broker. A restarted broker that does not know the
  /// session cannot tell what happened to it.
  private func endDiscarded(_ session: SessionIdentifier) {
    let isUnknown = state.withLock { $0.link.awaitsResume }
    tell(.ended(SceneTermination(session: session, reason: .discarded, isUnknown: isUnknown)))
    end(.success)
  }

  /// Asks whether the session still exists, because it may have been discarded meanwhile.
  private func endAfterTimeout(_ session: SessionIdentifier) {
    let callback = state.withLock { $0.lastCallback }
    client?.request(SessionShow(session: session)) { [self] result in
      let isDiscarded =
        if case .failure(let error) = result { error.code == .sessionNotFound } else { false }
      client?.enqueue(session) { [self] in
        tell(
          .ended(
            SceneTermination(
              session: session, reason: .watchdog, callback: callback, isDiscarded: isDiscarded)))
        end(.failure)
      }
    }
  }

  /// Sets the activity of the scene, and saves it.
  func save(
    _ activity: Activity?, of session: SessionIdentifier,
    completion: @escaping Client.Completion
  ) {
    state.withLock { $0.work.activity = .orNull(activity) }
    client?.save(activity, of: session) { [self] result in
      take(result, of: activity)
      completion(result)
    }
  }

  /// Reports the result of a save after the callbacks that are still in the queue.
  func report(_ result: Result<BrokerReply, SceneError>, in session: SessionIdentifier?) {
    client?.enqueue(session) { [self] in
      switch result {
      case .success(let reply): tell(.replied(.activity, nil, reply))
      case .failure(let error): tell(.failed(.activity, nil, error))
      }
    }
  }

  /// Records whether the broker saved an activity.
  func take(_ result: Result<BrokerReply, SceneError>, of activity: Activity?) {
    if case .success(let reply) = result {
      programState?.file.directory?.noteKept(
        activity, generation: (reply.content as? SaveActivity.Reply)?.generation)
    }
    state.withLock { state in
      switch result {
      case .success: state.work.keep(activity)
      case .failure(let error): state.work.reject(activity, error)
      }
    }
  }

  func couldNotSave(
    _ activity: Activity?, of session: SessionIdentifier, _ error: SceneError,
    finish: @escaping @Sendable () -> Void
  ) {
    defer { finish() }
    state.withLock { $0.work.reject(activity, error) }
    tell(.failed(.activity, nil, error))
  }

  // MARK: - Suspension

  /// Moves the scene to the background. Posts `.isInBackground` when the broker has the final
  /// state.
  func moveToBackground() {
    let session = state.withLock { state -> SessionIdentifier? in
      let canGo = state.isConnected && !state.link.isWaiting && !state.suspension.isUnderWay
      (state.suspension.isUnderWay, state.suspension.mustStop) = (true, true)
      return canGo ? state.session : nil
    }
    guard let session else { return post(.isInBackground) }
    client?.moveForJobControl(session, to: .background) { [self] result in
      switch result {
      case .settled: post(.isInBackground)
      // A stopped program cannot continue in the foreground.
      case .isInForeground where programState != nil: post(.isInBackground)
      case .isInForeground: state.withLock { $0.suspension.mustStop = false }
      }
    }
  }

  /// Whether this process must stop now. Returns true once for each suspension, because a scene
  /// that ends on the way posts `.isInBackground` twice.
  func consumePendingStop() -> Bool {
    state.withLock { state in
      defer { state.suspension.mustStop = false }
      return state.suspension.isUnderWay && state.suspension.mustStop
    }
  }

  /// Cancels a suspension and moves the scene to the foreground.
  func returnToForeground() {
    let session = state.withLock { state in
      defer { state.suspension.isUnderWay = false }
      return state.suspension.isUnderWay && state.isConnected ? state.session : nil
    }
    guard let session else { return }
    client?.request(SceneTransition(session: session, to: .foregroundActive))
  }
}
