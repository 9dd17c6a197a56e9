import SceneJSON
import SceneModel
import SceneWire

/// How a client handles the broker's messages, and which messages it complains about.
extension SimulatedClient {
  func hear(_ heard: ReceivedMessage) {
    note("hears \(heard.summary)")
    switch heard {
    case .reply(let said, let reply):
      open[said.identifier] = nil
      if let request = said.request { take(reply, to: request, said) }
    case .refusal(let said, let refusal):
      open[said.identifier] = nil
      if let request = said.request { take(refusal, of: request) }
    case .farewell(let refusal):
      // A client that sent nothing invalid must have kept the broker waiting.
      if !isDoomed, wire?.hasTimedOut != true { complain("closed without a reason: \(refusal)") }
      isDoomed = true
    case .callback(let number, let callback) where callback.kind.isOfDelegate:
      takeQuestion(number, callback)
    case .callback(let number, let callback): take(number, callback)
    case .notification(.posted(let event)): positions[event.topic] = event.position
    case .notification: break
    }
  }

  // MARK: - Replies

  private func take(_ reply: BrokerReply, to request: any RequestMessage, _ said: SentRequest) {
    switch (request, reply.content) {
    case (is Initialize, _): isWelcome = true
    case (let message as SceneConnect, let reply as SceneConnect.Reply):
      take(reply, to: message, said)
    case (let message as SaveActivity, let reply as SaveActivity.Reply):
      acknowledge(message.activity, message.session, reply.generation)
    case (is BeginAssertion, let reply as BeginAssertion.Reply):
      assertions.append(reply.assertion)
    case (let message as EventObserve, let reply as EventObserve.Reply):
      positions[message.topic] = reply.position
    case (let message as SceneDisconnect, _):
      scenes.removeAll { $0.session == message.session }
      if case .value(let activity) = message.activity {
        acknowledge(activity, message.session, nil)
      }
    default: break
    }
  }

  private func acknowledge(
    _ activity: Activity?, _ session: SessionIdentifier, _ generation: Int64?
  ) {
    let problem = model.saves.acknowledge(
      activity, for: session, generation: generation, tick: model.tick)
    if let problem { complain("\(session.short): \(problem)") }
  }

  private func take(_ reply: SceneConnect.Reply, to message: SceneConnect, _ said: SentRequest) {
    if let resume = message.resume {
      guard reply.reason == .resume, reply.hold == resume.hold, !reply.isNew else {
        return complain("the reply to a resume is \(reply)")
      }
      model.saw("resumed")
      if let activity = message.activity { acknowledge(activity, reply.session, nil) }
      if let index = index(of: reply.session) { scenes[index].standing = .held }
      return
    }
    model.saw("connected: \(reply.reason)")
    if let index = index(of: reply.session) {
      if scenes[index].standing == .held {
        complain("connected to \(reply.session.short) while it holds that session")
      }
      scenes.remove(at: index)
    }
    if reply.reason == .resume || reply.isNew != (reply.reason == .launch) {
      complain("the reply to a connect is \(reply)")
    }
    scenes.append(ClientScene(reply.session, hold: reply.hold, asked: said.tick))
  }

  private func take(_ refusal: RemoteError, of request: any RequestMessage) {
    if let message = request as? Initialize, message.launch != nil {
      // The session no longer waits for this program.
      return ask(Initialize(client: message.client, as: kind, hosts: hosts))
    }
    if refusal.isOfUpgrade {
      if !(request is Initialize) { postponed.append(request) }
      return
    }
    guard let message = request as? SceneConnect, message.resume != nil,
      let session = message.session
    else { return }
    scenes.removeAll { $0.session == session && $0.standing == .resuming }
    model.saw("resume refused: \(refusal.reason)")
    // The client starts over with a new connect.
    if refusal.retry != .never { ask(SceneConnect(session: session)) }
  }

  // MARK: - Callbacks

  private func take(_ number: Int64, _ callback: Callback) {
    let now = world.now.monotonic
    let session = callback.session
    if let message = callback.message as? WillConnect { prepare(for: message) }
    if callback.kind == .ping {
      let scene = index(of: session).map { scenes[$0] }
      if scene?.standing != .held || scene?.state == .unattached {
        complain("a ping for \(session.short), which is \(String(describing: scene?.standing))")
      }
    } else if let index = index(of: session) {
      let mayEnd = model.disconnected.contains(session)
      if let flaw = scenes[index].begin(number, callback, at: now, mayEnd: mayEnd) {
        complain("\(session.short): \(flaw)")
      }
    } else if callback.kind != .didDisconnect {
      complain("\(callback.kind) for \(session.short), which it does not hold")
    }
    model.saw("callback: \(callback.kind)")
    unanswered.append(Unanswered(number: number, kind: callback.kind, session: session))
    if callback.kind == .willConnect, dice.happens(behavior.endsEarly) {
      return dice.once(in: 2) ? world.kill(self) : world.close(self)
    }
    if isMute || dice.happens(behavior.neverAnswers) || dice.happens(behavior.answersLate) {
      return
    }
    answer(at: unanswered.count - 1)
  }

  /// Checks the content of `willConnect`, and adds the scene if the broker assigned it.
  private func prepare(for message: WillConnect) {
    let session = message.session
    if let index = index(of: session), !isOver(scenes[index], before: message.hold) {
      if scenes[index].hold != message.hold {
        complain("willConnect with hold \(message.hold), the reply had \(scenes[index].hold)")
      }
    } else {
      if kind != .scene { complain("the broker assigned a scene to a \(kind)") }
      model.saw("brought")
      scenes.removeAll { $0.session == session }
      scenes.append(ClientScene(session, hold: message.hold, asked: nil))
    }
    let activity = message.sceneSession.stateRestorationActivity
    let asked = index(of: session).flatMap { scenes[$0].asked }
    if let withheld = message.withheld {
      model.saw("withheld")
      if activity != nil { complain("\(session.short) gets an activity in spite of \(withheld)") }
    } else if message.sceneSession.configuration.kind != .settings,
      !model.saves.mayGive(activity, for: session, hold: message.hold, asked: asked)
    {
      complain("\(session.short) gets the activity \(activity.map { "\($0.json)" } ?? "nothing")")
    }
    // A client can save to a session that the broker created for a host, before the host accepts
    // it.
    if message.reason == .resume || (message.isNew && asked != nil && activity != nil) {
      complain("willConnect with reason \(message.reason), new: \(message.isNew)")
    }
    if let index = index(of: session) { scenes[index].memory = activity }
  }

  /// Whether the scene ended before this hold. The broker can assign a session to a client that
  /// just asks to resume it. Then the client has a new scene, and the old scene is over.
  private func isOver(_ scene: ClientScene, before hold: Int64) -> Bool {
    scene.standing == .leaving || (scene.standing == .resuming && scene.hold < hold)
  }

  /// Answers one of the open callbacks, rightly or wrongly.
  func answer(at index: Int) {
    guard let wire, unanswered.indices.contains(index) else { return }
    let callback = unanswered.remove(at: index)
    var writer = FrameWriter()
    let identifier = RequestIdentifier.number(callback.number)
    let isRefused = dice.happens(behavior.refuses)
    if isRefused {
      writer.failure(identifier, code: -32601, message: "no")
      // The next host gets the content of a host that refuses the scene.
      if callback.kind == .willConnect { model.forgetDeliveries(on: wire) }
    } else if dice.happens(behavior.answersWrongly) {
      writer.answer(identifier, Int64(5))
    } else if callback.kind == .stateRestorationActivity {
      writer.answer(identifier, StateRestorationAnswer(activity: present(callback.session)))
    } else {
      writer.answer(identifier, Empty())
    }
    finish(callback, isRefused: isRefused)
    note("answers \(callback.kind) of \(callback.session.short), number \(callback.number)")
    wire.say(writer.bytes)
    if dice.happens(behavior.answersTwice) { wire.say(writer.bytes) }
  }

  private func finish(_ callback: Unanswered, isRefused: Bool) {
    guard let index = index(of: callback.session),
      scenes[index].running?.number == callback.number
    else { return }
    scenes[index].answer(callback.kind, at: world.now.monotonic)
    let isGone = callback.kind == .didDisconnect || (callback.kind == .willConnect && isRefused)
    if isGone { scenes.remove(at: index) }
  }

  /// The answer of a scene to the request for its activity.
  private func present(_ session: SessionIdentifier) -> Patch<Activity> {
    let index = index(of: session)
    switch dice.number(0...9) {
    case 0: return .absent
    case 1:
      model.saves.add(nil, for: session, by: process)
      return .null
    case 2, 3:
      guard let memory = index.flatMap({ scenes[$0].memory }) else { return .absent }
      model.saves.add(memory, for: session, by: process)
      return .value(memory)
    default:
      let activity = world.makeActivity(dice)
      model.saves.add(activity, for: session, by: process)
      if let index { scenes[index].memory = activity }
      return .value(activity)
    }
  }
}

extension ReceivedMessage {
  fileprivate var summary: String {
    switch self {
    case .reply(let said, let reply): "the reply to \(said.identifier): \(reply)"
    case .refusal(let said, let refusal): "no to \(said.identifier): \(refusal)"
    case .farewell(let refusal): "farewell: \(refusal)"
    case .callback(let number, let callback): "callback \(number): \(callback)"
    case .notification(let notification): "\(notification)"
    }
  }
}
