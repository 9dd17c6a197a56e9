import CommandLine
import SceneClient
import SceneModel
import ScenePlatform

/// A scene that is a program: started when there is a scene, asked by its file, ended before the
/// scene is given up.
extension ShellScene {
  /// What the program says is looked at before each callback is told.
  func consultProgram(before callback: Callback) {
    guard let desk else { return }
    switch callback {
    case .willConnect(let message): prepareProgram(desk, message)
    case .stateRestorationActivity: answerFromFile(desk.file)
    case .didDisconnect: break
    case .willEnterForeground, .didBecomeActive, .willResignActive, .didEnterBackground,
      .openURLContexts, .willContinueUserActivity, .continueUserActivity,
      .didUpdateUserActivity, .performActionForShortcutItem, .didReceiveNotificationResponse,
      .refresh:
      saveFile()
    }
  }

  private func answerFromFile(_ file: ActivityFile) {
    let said = file.takeNews()
    if said != .absent { state.withLock { $0.work.activity = said } }
    guard let flaw = file.flaw else { return }
    let path = file.path ?? ""
    tell(.failed(.activity, nil, SceneError(.invalidParams, "\(path): \(flaw)")))
  }

  /// Starts the program once there is a scene, and ends it before there is none. Why the scene
  /// cannot be.
  func moveProgram(by callback: Callback) -> CallAnswer? {
    guard let desk else { return nil }
    switch callback {
    case .willConnect: return launch(desk).map(refuseScene)
    case .didDisconnect(let message): dismiss(desk, message)
    case .willEnterForeground, .didBecomeActive, .willResignActive, .didEnterBackground,
      .stateRestorationActivity, .openURLContexts, .willContinueUserActivity,
      .continueUserActivity, .didUpdateUserActivity, .performActionForShortcutItem,
      .didReceiveNotificationResponse, .refresh:
      break
    }
    return nil
  }

  private func launch(_ desk: ProgramDesk) -> SystemError? {
    do throws(SystemError) {
      guard let launch = try desk.ready() else { return nil }
      let errand = Errand<SystemError?>()
      post(.launch(launch, errand))
      return errand.wait()
    } catch {
      return error
    }
  }

  private func refuseScene(_ error: SystemError) -> CallAnswer {
    state.withLock { ($0.isConnected, $0.activationState) = (false, .unattached) }
    end(error.isNotFound ? .noCommand : .badCommand, "\(error)")
    return .failed(message: "\(error)")
  }

  /// The callback is answered when the program has ended: what it writes at last is the scene's, and
  /// whoever has the session next need not fear it.
  private func dismiss(_ desk: ProgramDesk, _ message: DidDisconnect) {
    let session = message.session
    client?.request(.extend(SceneExtend(session: session, seconds: Farewell.seconds + 2)))
    let errand = Errand<Void>()
    post(.dismiss(isForGood: !message.reason.mayComeBack, errand))
    errand.wait()
    desk.end()
    switch message.reason {
    case .reclaimed, .shutdown, .clientRequest: saveParting(session, desk)
    case .discarded: state.withLock { $0.end.isDiscarded = true }
    default:
      answerFromFile(desk.file)
      state.withLock { state in
        guard state.work.activity != state.work.kept else { return }
        state.work.unsaved = "the scene has ended (\(message.reason.rawValue))"
      }
    }
  }

  /// Before this callback is answered, so that the broker has it while there is a scene.
  private func saveParting(_ session: SessionIdentifier, _ desk: ProgramDesk) {
    answerFromFile(desk.file)
    let (activity, isKept) = state.withLock { ($0.work.activity, $0.work.activity == $0.work.kept) }
    guard !isKept else { return }
    let message = SaveActivity(session: session, activity: activity.value)
    client?.request(.saveActivity(message)) { [self] result in
      take(result, of: activity.value)
      note(result)
    }
  }

  // MARK: - Saving

  /// In the scene's order, so that nothing is overtaken by what is older.
  func lookAtFile() {
    guard let session = state.withLock({ $0.session }) else { return }
    client?.enqueue(session) { [self] in saveFile() }
  }

  private func saveFile() {
    guard let desk else { return }
    let (session, isConnected) = state.withLock { ($0.session, $0.isConnected) }
    guard let session, isConnected else { return }
    let said = desk.file.takeNews()
    guard said != .absent else { return }
    save(said.value, of: session) { [self] result in note(result) }
  }

  /// Saves whatever is not known to be saved; the main thread is told when that is done.
  func saveLast() {
    guard let session = state.withLock({ $0.session }) else { return post(.savedLast) }
    client?.enqueue(session) { [self] in
      saveFile()
      let (activity, isKept) = state.withLock {
        ($0.work.activity, $0.work.activity == $0.work.kept || !$0.isConnected)
      }
      guard !isKept else { return post(.savedLast) }
      save(activity.value, of: session) { [self] result in
        note(result)
        post(.savedLast)
      }
    }
  }

  func note(_ result: Result<BrokerReply, SceneError>) {
    let session = state.withLock { state in
      if case .failure(let error) = result { state.work.unsaved = error.message }
      return state.session
    }
    client?.enqueue(session) { [self] in
      switch result {
      case .success(let reply): tell(.replied(.activity, nil, reply))
      case .failure(let error): tell(.failed(.activity, nil, error))
      }
    }
  }

  /// What was to be saved and is not, for whoever reads standard error; then the file stays.
  var complaintAboutActivity: String? {
    guard let desk else { return nil }
    let known = state.withLock { $0 }
    guard !known.end.isDiscarded else { return nil }
    let path = desk.file.path ?? ""
    if let flaw = desk.file.flaw { return complaint(aboutFile: path, flaw) }
    guard known.work.unsaved != nil || known.work.activity != known.work.kept else { return nil }
    let absence = "no broker answers"
    let reason = known.link.isWaiting ? absence : known.work.unsaved ?? absence
    return complaint(aboutFile: path, reason.printable)
      + ", and the session's next scene tries again"
  }

  func complaint(aboutFile path: String, _ reason: String) -> String {
    "what the program wrote last is not saved: \(reason); it stays in \(path)"
  }
}

/// How a program is brought to its end.
enum Farewell {
  /// After TERM: until it is hung up on, and until it is killed.
  static let patience: (hangup: Int64, kill: Int64) = (1_000_000_000, 2_000_000_000)
  static let seconds = 3.0
}

extension DisconnectReason {
  /// Whether this process waits to have the scene again.
  fileprivate var mayComeBack: Bool {
    self == .reclaimed || self == .shutdown || self == .connectionLost
  }
}

extension Presence {
  fileprivate var value: Value? {
    if case .value(let value) = self { value } else { nil }
  }
}
