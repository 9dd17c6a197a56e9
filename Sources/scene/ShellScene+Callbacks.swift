import CommandLine
import JSON
import SceneClient
import SceneModel
import ScenePlatform

extension Callback {
  /// It tells of an end that has already come, so there is no answer to leave out.
  fileprivate var isFarewell: Bool {
    guard case .didDisconnect(let message) = self else { return false }
    return message.reason == .watchdog || message.reason == .replaced
  }
}

extension ShellScene {
  func handle(_ callback: Callback) -> CallAnswer? {
    consultProgram(before: callback)
    tellIfExchanged(callback)
    let answer = take(callback)
    tell(.callback(callback, answer, isClassic: client?.isClassic == true))
    if let refusal = moveProgram(by: callback) { return refusal }
    switch callback {
    case .willConnect(let message): begin(message.session)
    case .didEnterBackground(let message): confirmHome(message.session, rounds: 3)
    case .didDisconnect(let message): finish(message)
    case .willEnterForeground, .didBecomeActive, .willResignActive, .stateRestorationActivity,
      .openURLContexts, .willContinueUserActivity,
      .continueUserActivity, .didUpdateUserActivity, .performActionForShortcutItem,
      .didReceiveNotificationResponse, .refresh:
      break
    }
    return answer
  }

  /// Takes note, and says how it is to be answered.
  private func take(_ callback: Callback) -> CallAnswer? {
    state.withLock { state in
      switch callback {
      case .willConnect(let message):
        state.session = message.session
        (state.isConnected, state.isPutAway) = (true, false)
        let restored = message.sceneSession.stateRestorationActivity
        state.work.activity =
          if let activity = message.options.userActivities.first {
            .value(activity)
          } else if let left = state.work.left {
            .orNull(left.activity)
          } else {
            restored.map { .value($0) } ?? .absent
          }
        state.work.kept = restored.map { .value($0) } ?? .absent
        state.activationState = .background
      case .willEnterForeground, .willResignActive: state.activationState = .foregroundInactive
      case .didBecomeActive: state.activationState = .foregroundActive
      case .didEnterBackground: state.activationState = .background
      case .continueUserActivity(let message):
        // A program says itself what it makes of that.
        if desk == nil { state.work.activity = .value(message.userActivity) }
      case .didDisconnect:
        state.isConnected = false
        state.activationState = .unattached
      case .stateRestorationActivity, .openURLContexts, .willContinueUserActivity,
        .didUpdateUserActivity, .performActionForShortcutItem, .didReceiveNotificationResponse,
        .refresh:
        break
      }
      if callback.kind != .didDisconnect { state.lastCallback = callback.kind }
      guard !state.hangsAlways && !state.hangs.contains(callback.kind) || callback.isFarewell
      else { return nil }
      guard case .stateRestorationActivity = callback else { return .done }
      return .activity(state.work.activity)
    }
  }

  private func begin(_ session: SessionIdentifier) {
    let (left, first, title) = state.withLock { state in
      defer { (state.work.left, state.work.first, state.firstTitle) = (nil, nil, nil) }
      return (state.work.left, state.work.first, state.firstTitle)
    }
    if let title {
      client?.request(.update(SceneUpdate(session: session, title: .value(title))))
    }
    if let left { saveLeft(left, of: session) }
    if let first {
      save(first, of: session) { [self] result in
        client?.enqueue(session) { [self] in
          switch result {
          case .success(let reply): tell(.replied(.activity, nil, reply))
          case .failure(let error): tell(.failed(.activity, nil, error))
          }
        }
      }
    }
    // Behind the answer to this callback, so that nothing is asked of a scene that is not there
    // yet.
    client?.enqueue(session) { [self] in post(.ready) }
    for (topic, position) in state.withLock({ $0.topics }).sorted(by: { $0.key < $1.key }) {
      client?.observe(EventSource(topic: topic, session: session), after: position)
    }
    // Behind the news of the broker, of which it is the newest.
    client?.enqueue(nil) { [self] in state.withLock { $0.link.isUnresumed = false } }
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
      if message.reason == .reclaimed { state.withLock { $0.isPutAway = true } }
      if state.withLock({ $0.home.isUnderWay }) { post(.home) }
    case .clientRequest:
      tell(.ended(Ending(session: message.session, reason: message.reason)))
      end(.success)
    case .discarded: client?.enqueue(nil) { [self] in endDiscarded(message.session) }
    case .watchdog: endOverrun(message.session)
    default:
      tell(.ended(Ending(session: message.session, reason: message.reason)))
      end(.no)
    }
  }

  /// Behind the news of the broker: one that has come back and does not know the session cannot say
  /// what became of it.
  private func endDiscarded(_ session: SessionIdentifier) {
    let isUnknown = state.withLock { $0.link.isUnresumed }
    tell(.ended(Ending(session: session, reason: .discarded, isUnknown: isUnknown)))
    end(.success)
  }

  /// A session that was discarded meanwhile is known to nobody any more.
  private func endOverrun(_ session: SessionIdentifier) {
    let callback = state.withLock { $0.lastCallback }
    client?.request(.show(SessionShow(session: session))) { [self] result in
      let isDiscarded =
        if case .failure(let error) = result { error.code == .sessionNotFound } else { false }
      client?.enqueue(session) { [self] in
        tell(
          .ended(
            Ending(
              session: session, reason: .watchdog, callback: callback, isDiscarded: isDiscarded)))
        end(.no)
      }
    }
  }

  /// The scene is at this from now on, unless it is refused.
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

  /// The broker has kept an activity, or would not.
  func take(_ result: Result<BrokerReply, SceneError>, of activity: Activity?) {
    if case .success(let reply) = result {
      desk?.file.noteKept(activity, generation: reply.savedGeneration)
    }
    state.withLock { state in
      switch result {
      case .success: state.work.keep(activity)
      case .failure(let error): state.work.giveUp(activity, error)
      }
    }
  }

  func couldNotSave(_ activity: Activity?, of session: SessionIdentifier, _ error: SceneError) {
    state.withLock { $0.work.giveUp(activity, error) }
    tell(.failed(.activity, nil, error))
  }

  // MARK: - The home gesture

  /// Sends the scene to the background; the main thread is told when the broker knows that it is
  /// there.
  func goHome() {
    let (session, place) = state.withLock { state -> (SessionIdentifier?, ActivationState) in
      let canGo = state.isConnected && !state.link.isWaiting && !state.home.isUnderWay
      (state.home.isUnderWay, state.home.mustStop) = (true, true)
      return (canGo ? state.session : nil, state.activationState)
    }
    guard let session else { return post(.home) }
    client?.request(.transition(SceneTransition(session: session, to: .background))) {
      [self] result in
      switch result {
      case .success where place == .background: confirmHome(session, rounds: 1)
      case .success: break
      case .failure: post(.home)
      }
    }
  }

  /// Whether this process is to stop, as it is not wanted in the foreground again already. Once, as
  /// a scene that ends on its way arrives at home twice.
  func takeStop() -> Bool {
    state.withLock { state in
      defer { state.home.mustStop = false }
      return state.home.isUnderWay && state.home.mustStop
    }
  }

  /// The scene is wanted in the foreground again.
  func comeForward() {
    let session = state.withLock { state in
      defer { state.home.isUnderWay = false }
      return state.home.isUnderWay && state.isConnected ? state.session : nil
    }
    guard let session else { return }
    client?.request(.transition(SceneTransition(session: session, to: .foregroundActive)))
  }

  /// Asks the broker something once the answer is out: when it replies, it has the answer. In the
  /// second round it has also the answer to the question for the activity, which it may ask in
  /// between, and in the third that to the news that the activity was saved. One that is on its way to
  /// the foreground by then comes back first.
  private func confirmHome(_ session: SessionIdentifier, rounds: Int) {
    guard state.withLock({ $0.home.isUnderWay }) else { return }
    client?.enqueue(session) { [self] in
      client?.request(.show(SessionShow(session: session))) { [self] result in
        if case .success(.shown(let details)) = result, details.summary.state > .background {
          return
        }
        if rounds > 1 { confirmHome(session, rounds: rounds - 1) } else { post(.home) }
      }
    }
  }
}

extension BrokerReply {
  fileprivate var savedGeneration: Int64? {
    if case .saved(let reply) = self { reply.generation } else { nil }
  }
}
