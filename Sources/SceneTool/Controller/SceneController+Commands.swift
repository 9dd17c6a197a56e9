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
    if known.link.isWaiting, isPostponed(given.command, known) {
      tell(.postponed(given.command.verb))
    }
    switch given.command {
    case .activity where programState != nil:
      fail(given, SceneError(.requestDenied, "the program writes its activity to $SCENE_ACTIVITY"))
    case .activity where known.isReclaimed:
      fail(
        given,
        SceneError(.sessionNotHeld, "the broker reclaimed the scene; activate it first"))
    case .activity(let activity):
      if postpone(activity, given) {
        // The connection of a disconnected scene may still exist.
        if !known.link.isWaiting { tell(.postponed(.activity)) }
        return
      }
      save(activity, of: session) { [self] in finish(given, $0) }
    case .title(let title): show(SceneUpdate(session: session, title: .orNull(title)), given)
    case .subtitle(let text): show(SceneUpdate(session: session, subtitle: .orNull(text)), given)
    case .snapshot(let text): show(SceneUpdate(session: session, snapshot: .orNull(text)), given)
    case .data: ask(DataDirectory(session: session), given)
    case .conditions(let conditions):
      show(SceneUpdate(session: session, activationConditions: .orNull(conditions)), given)
    case .post(let message): ask(message, given)
    case .observe(let topic):
      // The broker sends the start position.
      state.withLock { $0.topics[topic] = .some(nil) }
      if known.isConnected { client?.observe(EventSource(topic: topic, session: session)) }
      confirm(given)
    case .cease(let topic):
      state.withLock { $0.topics[topic] = nil }
      client?.cease(EventSource(topic: topic, session: session))
      confirm(given)
    case .background: move(session, to: .background, given)
    case .activate where known.isConnected: move(session, to: .foregroundActive, given)
    case .activate: ask(RequestActivation(session: session), given)
    case .close where known.isConnected: move(session, to: .unattached, given)
    case .close:
      finish(given, .success(.empty))
      end(.success)
    case .discard: ask(RequestDestruction(sessions: [session]), given)
    case .status where known.link.isWaiting:
      fail(given, Self.unreachable(known.activationState))
    case .status: ask(SessionShow(session: session), given)
    case .hang(let kind):
      hang(kind)
      answer(.hanging(kind, given.identifier))
    case .help(let verb): answer(.explained(verb, given.identifier))
    case .crash: crash()
    }
  }

  /// Whether the command waits while the broker is away.
  private func isPostponed(_ command: ShellCommand, _ known: State) -> Bool {
    switch command {
    case .activity: programState == nil
    case .close: known.isConnected
    case .title, .subtitle, .snapshot, .conditions, .data, .post, .observe, .cease, .background,
      .activate, .discard:
      true
    case .status, .hang, .help, .crash: false
    }
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
    let commands = state.withLock { state in
      defer { state.work.postponed = nil }
      return state.work.postponed?.commands ?? []
    }
    let error = SceneError(
      .brokerUnavailable, "the activity is not saved: the application did not start again",
      retry: .later)
    for given in commands { fail(given, error) }
  }

  private func move(
    _ session: SessionIdentifier, to state: ActivationState, _ given: GivenCommand
  ) {
    let reason: DisconnectReason? = state == .unattached ? .clientRequest : nil
    ask(SceneTransition(session: session, to: state, reason: reason), given)
  }

  private func show(_ update: SceneUpdate, _ given: GivenCommand) {
    ask(update, given)
  }

  private func ask(_ request: some RequestMessage, _ given: GivenCommand) {
    client?.request(request) { [self] in finish(given, $0.map { BrokerReply($0) }) }
  }

  /// Replies after the broker has processed the earlier messages.
  private func confirm(_ given: GivenCommand) {
    ask(Ping(), given)
  }

  private func hang(_ kind: CallbackKind?) {
    state.withLock { state in
      if let kind { state.hangs.insert(kind) } else { state.hangsAlways = true }
    }
  }

  /// Ends the process like a crash, without a message to the broker.
  private func crash() {
    StandardStream.finishOutput()
    try? Signal.kill.send(to: ProcessIdentity.currentPID)
  }

  /// Replies to a wrong line in its order.
  func refuse(_ error: CommandError) {
    answer(.failed(nil, error.identifier, SceneError(.invalidParams, error.message)))
  }

  private static func unreachable(_ state: ActivationState) -> SceneError {
    let place = state > .unattached ? "\(state)" : "not connected"
    return SceneError(
      .brokerUnavailable,
      "the broker is gone; the scene was \(place) and waits for the next broker",
      retry: .later)
  }

  private func finish(_ given: GivenCommand, _ result: Result<BrokerReply, SceneError>) {
    switch result {
    case .success(let reply): answer(.replied(given.command.verb, given.identifier, reply))
    case .failure(let error): fail(given, error)
    }
  }

  private func fail(_ given: GivenCommand, _ error: SceneError) {
    answer(.failed(given.command.verb, given.identifier, error))
  }

  /// Runs in the scene's queue, not on the thread that reads from the broker.
  private func answer(_ event: SceneEvent) {
    client?.enqueue(state.withLock { $0.session }) { [self] in
      tell(event)
      post(.answered)
    }
  }
}
