import CommandLine
import JSON
import SceneClient
import SceneModel
import ScenePlatform

extension ShellScene {
  /// Carries a command out. Every one is answered once, and the main thread is told then.
  func carryOut(_ given: GivenCommand) {
    let (session, isConnected) = state.withLock { ($0.session, $0.isConnected) }
    guard let session else {
      return fail(given, SceneError(.sessionNotHeld, "there is no scene yet"))
    }
    switch given.command {
    case .activity(let activity):
      state.withLock { $0.activity = activity.map { .value($0) } ?? .null }
      client?.save(activity, of: session) { [self] in finish(given, $0) }
    case .title(let title):
      let title = title.map { Presence.value($0) } ?? .null
      ask(.update(SceneUpdate(session: session, title: title)), given)
    case .background: move(session, to: .background, given)
    case .activate where isConnected: move(session, to: .foregroundActive, given)
    case .activate: ask(.activate(RequestActivation(session: session)), given)
    case .close where isConnected: move(session, to: .unattached, given)
    case .close:
      finish(given, .success(.empty))
      end(.success)
    case .discard: ask(.destroy(RequestDestruction(sessions: [session])), given)
    case .status: ask(.show(SessionShow(session: session)), given)
    case .hang(let kind):
      hang(kind)
      client?.enqueue(session) { [self] in
        tell(.hanging(kind, given.identifier))
        post(.answered)
      }
    case .help: finish(given, .success(.empty))
    case .crash: crash()
    }
  }

  private func move(
    _ session: SessionIdentifier, to state: ActivationState, _ given: GivenCommand
  ) {
    let reason: DisconnectReason? = state == .unattached ? .clientRequest : nil
    ask(.transition(SceneTransition(session: session, to: state, reason: reason)), given)
  }

  private func ask(_ request: ClientRequest, _ given: GivenCommand) {
    client?.request(request) { [self] in finish(given, $0) }
  }

  private func hang(_ kind: CallbackKind?) {
    state.withLock { state in
      if let kind { state.hangs.insert(kind) } else { state.hangsAlways = true }
    }
  }

  /// As a program that crashes: without a word to anybody.
  private func crash() {
    try? Signal.kill.send(to: ProcessIdentity.currentPID)
  }

  private func finish(_ given: GivenCommand, _ result: Result<BrokerReply, SceneError>) {
    // In the scene's order, and not on the thread that reads from the broker.
    client?.enqueue(state.withLock { $0.session }) { [self] in
      switch result {
      case .success(let reply): tell(.replied(given.command.verb, given.identifier, reply))
      case .failure(let error): tell(.failed(given.command.verb, given.identifier, error))
      }
      post(.answered)
    }
  }

  private func fail(_ given: GivenCommand, _ error: SceneError) {
    finish(given, .failure(error))
  }
}
