import SceneModel

/// A session that is brought to this client before it has resumed its scene.
///
/// An activation may find the client connected again and its session free, and bring it here with
/// the next hold. The resume is then refused: it shows the hold before. But if that was the last
/// one, nobody else has had the session in between, and what the program has in memory is the
/// newest there is. So the scene goes on under the new hold, as a resumed one does, and its program
/// hears of no end and of no beginning:
///
/// - What is not known to be saved is saved again, under the new hold.
/// - The broker has the scene in the background now. One that was in the foreground is taken there
///   as by an interruption, and asked for its activity; then the broker's walk takes it up again,
///   or this client's wish to be where it was.
/// - What the session is brought with is continued in the scene, as in any that is connected.
///
/// If somebody else has had the session, theirs is the newer text. The old scene ends, its delegate
/// is told what could not be kept, and a new one begins with what the broker says.
extension ClientMachine {
  func canGoOn(_ scene: HeldScene, with message: WillConnect) -> Bool {
    !scene.standing.isAttached && scene.isFollowed(by: message.hold)
  }

  mutating func goOn(_ message: WillConnect, _ identifier: RequestIdentifier) {
    let session = message.session
    guard let scene = scenes[session] else { return }
    let carried = takeCarried(of: session)
    scenes[session]?.saves.takeBackAll(carried: carried)
    scenes[session]?.hold = message.hold
    scenes[session]?.standing.brought()
    backoffs[session] = nil
    actions.append(.send(.answer(identifier, .done)))
    actions.append(.tell(.resumed(session)))
    sendNextSave(of: session)
    observeAgain(session)
    if scene.state > .background { interrupt(session, scene) }
    if scenes[session]?.owesActivity == true { askHere(session, scene) }
    deliver(message.options, to: session, scene)
    if isStopping { close(session) }
  }

  private mutating func deliver(
    _ options: SceneModel.ConnectionOptions, to session: SessionIdentifier, _ scene: HeldScene
  ) {
    if !options.urlContexts.isEmpty {
      let message = OpenURLContexts(session: session, urlContexts: options.urlContexts)
      call(.openURLContexts(message), of: scene)
    }
    for activity in options.userActivities {
      let announcement = WillContinueUserActivity(session: session, activityType: activity.type)
      call(.willContinueUserActivity(announcement), of: scene)
      let continuation = ContinueUserActivity(session: session, userActivity: activity)
      call(.continueUserActivity(continuation), of: scene)
    }
    if let response = options.notificationResponse {
      let message = DidReceiveNotificationResponse(
        session: session, notificationResponse: response)
      call(.didReceiveNotificationResponse(message), of: scene)
    }
    if let item = options.shortcutItem {
      let message = PerformActionForShortcutItem(session: session, shortcutItem: item)
      call(.performActionForShortcutItem(message), of: scene)
    }
  }

  private mutating func interrupt(_ session: SessionIdentifier, _ scene: HeldScene) {
    let reference = SceneReference(session: session)
    if scene.state == .foregroundActive { call(.willResignActive(reference), of: scene) }
    call(.didEnterBackground(reference), of: scene)
    scenes[session]?.state = .background
    scenes[session]?.owesActivity = true
    ask(.transition(SceneTransition(session: session, to: .foregroundActive)), nil)
  }

  /// What goes along with a resume that will come to nothing.
  mutating func takeCarried(of session: SessionIdentifier) -> Activity? {
    for (number, purpose) in pending {
      guard case .resume(session, let message, let carried) = purpose else { continue }
      pending[number] = .resume(session, message, carried: nil)
      return carried
    }
    for (index, purpose) in waiting.enumerated() {
      guard case .resume(session, _, let carried) = purpose else { continue }
      waiting.remove(at: index)
      return carried
    }
    return nil
  }
}
