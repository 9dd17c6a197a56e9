import SceneClient
import SceneCommandLine
import SceneJSON
import SceneModel
import ScenePlatform

extension SceneController {
  /// Runs a command. Each command gets exactly one reply, and then a message to the main thread.
  func carryOut(_ given: GivenCommand) {
    let known = state.withLock { $0 }
    guard let session = known.session else {
      return fail(given, SceneError(.sessionNotHeld, "there is no scene yet"))
    }
    if known.link.isWaiting, waits(given.command, known) { tell(.postponed(given.command)) }
    given.action.perform(self, session, given)
  }

  /// Whether the command waits while the broker is away.
  private func waits(_ command: PromptCommand, _ known: State) -> Bool {
    switch command {
    case .activity: programState == nil
    case .close: known.isConnected
    default: command.waits
    }
  }

  func save(_ activity: Activity?, of session: SessionIdentifier, _ given: GivenCommand) {
    let known = state.withLock { $0 }
    guard programState == nil else {
      return fail(
        given, SceneError(.requestDenied, "the program writes its activity to $SCENE_ACTIVITY"))
    }
    guard !known.isReclaimed else {
      return fail(
        given,
        SceneError(.sessionNotHeld, "the broker reclaimed the scene; activate it first"))
    }
    if postpone(activity, given) {
      // The connection of a disconnected scene may still exist.
      if !known.link.isWaiting { tell(.postponed(.activity)) }
      return
    }
    save(activity, of: session) { [self] in finish(given, $0) }
  }

  func observe(_ topic: String, of session: SessionIdentifier, _ given: GivenCommand) {
    // The broker sends the start position.
    let isConnected = state.withLock { state in
      state.topics[topic] = .some(nil)
      return state.isConnected
    }
    if isConnected { client?.observe(EventSource(topic: topic, session: session)) }
    ask(Ping(), given)
  }

  func cease(_ topic: String, of session: SessionIdentifier, _ given: GivenCommand) {
    state.withLock { $0.topics[topic] = nil }
    client?.cease(EventSource(topic: topic, session: session))
    ask(Ping(), given)
  }

  func activate(_ session: SessionIdentifier, _ given: GivenCommand) {
    if state.withLock(\.isConnected) {
      ask(SceneTransition(session: session, to: .foregroundActive), given)
    } else {
      ask(RequestActivation(session: session), given)
    }
  }

  func close(_ session: SessionIdentifier, _ given: GivenCommand) {
    guard state.withLock(\.isConnected) else {
      finish(given, .success(.empty))
      return end(.success)
    }
    ask(SceneTransition(session: session, to: .unattached, reason: .clientRequest), given)
  }

  func showStatus(_ session: SessionIdentifier, _ given: GivenCommand) {
    let known = state.withLock { $0 }
    guard known.link.isWaiting else { return ask(SessionShow(session: session), given) }
    let state = known.activationState
    let place = state > .unattached ? "\(state)" : "not connected"
    fail(
      given,
      SceneError(
        .brokerUnavailable,
        "the broker is gone; the scene was \(place) and waits for the next broker", retry: .later))
  }

  func hang(_ kind: CallbackKind?, _ given: GivenCommand) {
    state.withLock { state in
      if let kind { state.hangs.insert(kind) } else { state.hangsAlways = true }
    }
    answer(.hanging(kind, given.identifier))
  }

  /// Whether the activity waits for the scene of the next start of the application.
  private func postpone(_ activity: Activity?, _ given: GivenCommand) -> Bool {
    state.withLock { state in
      guard !state.isConnected else { return false }
      state.work.postponed = PostponedActivity(
        activity: activity, commands: (state.work.postponed?.commands ?? []) + [given])
      return true
    }
  }

  /// Saves the postponed activity in the new scene.
  func savePostponed(_ postponed: PostponedActivity, of session: SessionIdentifier) {
    save(postponed.activity, of: session) { [self] result in
      for given in postponed.commands { finish(given, result) }
    }
  }

  /// Refuses the commands whose scene does not connect again.
  func refusePostponed() {
    let commands = state.withLock { $0.work.postponed.take()?.commands ?? [] }
    let error = SceneError(
      .brokerUnavailable, "the activity is not saved: the application did not start again",
      retry: .later)
    for given in commands { fail(given, error) }
  }

  func ask(_ request: some RequestMessage, _ given: GivenCommand) {
    client?.request(request) { [self] in finish(given, $0.map { BrokerReply($0) }) }
  }

  /// Ends the process like a crash, without a message to the broker.
  func crash() {
    StandardStream.finishOutput()
    try? Signal.kill.send(to: ProcessIdentity.currentPID)
  }

  /// Replies to a wrong line in its order.
  func refuse(_ error: CommandError) {
    answer(.failed(nil, error.identifier, SceneError(.invalidParams, error.message)))
  }

  private func finish(_ given: GivenCommand, _ result: Result<BrokerReply, SceneError>) {
    switch result {
    case .success(let reply): answer(.replied(given.command, given.identifier, reply))
    case .failure(let error): fail(given, error)
    }
  }

  private func fail(_ given: GivenCommand, _ error: SceneError) {
    answer(.failed(given.command, given.identifier, error))
  }

  /// Runs in the scene's queue, not on the thread that reads from the broker.
  func answer(_ event: SceneEvent) {
    client?.enqueue(state.withLock { $0.session }) { [self] in
      tell(event)
      post(.answered)
    }
  }
}
