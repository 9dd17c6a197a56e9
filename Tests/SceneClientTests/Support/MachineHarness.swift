import SceneJSON
import SceneModel

@testable import SceneClient

/// Drives the client machine event by event, and returns its actions.
struct MachineHarness {
  var machine: ClientMachine
  private(set) var lastCallback: Int64 = 0
  private var lastToken: Int64 = 0

  init(kind: ClientKind = .scene, waitsForBroker: Bool = false, seed: UInt64 = 1) {
    machine = ClientMachine(
      client: ClientName(name: "test", version: "1"), kind: kind, hosts: ["Note"],
      waitsForBroker: waitsForBroker, random: SplitMix(seed: seed))
  }

  /// A machine that is connected to a broker.
  static func ready(_ kind: ClientKind = .scene) -> MachineHarness {
    var harness = MachineHarness(kind: kind)
    harness.take(.started)
    harness.meet()
    return harness
  }

  /// A machine with a scene in this state.
  static func with(
    _ session: SessionIdentifier = packing, in state: ActivationState = .foregroundActive,
    hold: Int64 = 1
  ) -> MachineHarness {
    var harness = ready()
    harness.bring(session, to: state, hold: hold)
    return harness
  }

  @discardableResult
  mutating func take(_ event: ClientEvent) -> [ClientAction] {
    var actions: [ClientAction] = []
    machine.handle(event, into: &actions)
    return actions
  }

  mutating func token() -> RequestToken {
    lastToken += 1
    return RequestToken(number: lastToken)
  }

  /// The program requests something, and waits for the reply.
  @discardableResult
  mutating func request(
    _ message: any RequestMessage
  ) -> (token: RequestToken, actions: [ClientAction]) {
    let token = token()
    return (token, take(.requested(token, ClientRequest(message))))
  }

  /// The program requests something, and does not wait for the reply.
  @discardableResult
  mutating func send(_ message: any RequestMessage) -> [ClientAction] {
    take(.requested(nil, ClientRequest(message)))
  }

  // MARK: - The broker

  /// Connects to a broker, which accepts `initialize`. Returns the other actions.
  @discardableResult
  mutating func meet() -> [ClientAction] {
    let actions = take(.opened)
    var reply = Initialize.Reply()
    reply.limits.activityBytes = 1000
    return actions.dropFirst()
      + take(.replied(actions.requests[0].number, .success(BrokerReply(reply))))
  }

  /// Connects again after a loss. Returns the actions.
  @discardableResult
  mutating func meetAgain() -> [ClientAction] {
    take(.due(.reconnect))
    return meet()
  }

  /// Loses the broker, and connects to the next one. Returns the actions of the connection.
  @discardableResult
  mutating func meetNext() -> [ClientAction] {
    take(.lost())
    return meetAgain()
  }

  @discardableResult
  mutating func call(_ callback: Callback) -> [ClientAction] {
    lastCallback += 1
    return take(.called(.number(lastCallback), callback))
  }

  /// Sends a callback, which the program answers at once. Returns the actions after the answer.
  @discardableResult
  mutating func callAndAnswer(
    _ callback: Callback, _ answer: CallAnswer = .done
  ) -> [ClientAction] {
    let actions = call(callback)
    guard let call = actions.calls.last else { return actions }
    return take(.answered(call.number, answer))
  }

  mutating func bring(
    _ session: SessionIdentifier, to state: ActivationState, hold: Int64 = 1
  ) {
    let steps: [Callback] = [
      .willConnect(session, hold: hold), Callback(.willEnterForeground, of: session),
      Callback(.didBecomeActive, of: session),
    ]
    for step in steps.prefix(state.rank) { callAndAnswer(step) }
  }

  mutating func reply(
    to actions: [ClientAction], _ reply: BrokerReply
  ) -> [ClientAction] {
    guard let request = actions.requests.last else { return [] }
    return take(.replied(request.number, .success(reply)))
  }

  mutating func reply(to actions: [ClientAction], _ reply: some ReplyContent) -> [ClientAction] {
    self.reply(to: actions, BrokerReply(reply))
  }

  mutating func refuse(
    _ actions: [ClientAction], _ code: SceneError.Code, retry: SceneError.Retry = .never
  ) -> [ClientAction] {
    guard let request = actions.requests.last else { return [] }
    return take(.replied(request.number, .failure(SceneError(code, "no", retry: retry))))
  }
}

let packing = SessionIdentifier(high: 1, low: 1)
let itinerary = SessionIdentifier(high: 2, low: 2)

/// An activity with a line number.
func note(_ line: Int) -> Activity {
  Activity(
    unchecked: RawJSON(
      unchecked: ContiguousArray(
        "{\"activityType\":\"note\",\"userInfo\":{\"line\": \(line)}}".utf8)))
}

extension BrokerReply {
  /// The scene of `packing` has resumed under its first hold.
  static let resumed = BrokerReply(
    SceneConnect.Reply(session: packing, reason: .resume, hold: 1))
}

func requests(_ messages: any RequestMessage...) -> [ClientRequest] {
  messages.map(ClientRequest.init)
}

extension Callback {
  static func willConnect(
    _ session: SessionIdentifier, hold: Int64 = 1, activity: Activity? = nil,
    reason: ConnectReason = .launch
  ) -> Callback {
    var message = WillConnect()
    message.session = session
    message.sceneSession.persistentIdentifier = session
    message.sceneSession.configuration = SceneConfiguration(name: "Default Configuration")
    message.sceneSession.stateRestorationActivity = activity
    message.hold = hold
    message.reason = reason
    message.isNew = reason == .launch
    return Callback(.willConnect, message)
  }

  static func didDisconnect(_ session: SessionIdentifier, _ reason: DisconnectReason) -> Callback {
    Callback(.didDisconnect, DidDisconnect(session: session, reason: reason))
  }

  static func ask(_ session: SessionIdentifier) -> Callback {
    Callback(.stateRestorationActivity, of: session)
  }

  static func background(_ session: SessionIdentifier) -> Callback {
    Callback(.didEnterBackground, of: session)
  }
}

extension [ClientAction] {
  /// The requests to the broker.
  var requests: [(number: Int64, request: ClientRequest)] {
    compactMap { action in
      guard case .send(.request(let number, let request)) = action else { return nil }
      return (number, request)
    }
  }

  var asked: [ClientRequest] { requests.map(\.request) }

  /// The answers to the broker.
  var answers: [CallAnswer] {
    compactMap { if case .send(.answer(_, let answer)) = $0 { answer } else { nil } }
  }

  /// The callbacks of the program.
  var calls: [SceneCall] {
    compactMap { if case .call(let call) = $0 { call } else { nil } }
  }

  var callbacks: [Callback] { calls.map(\.callback) }

  var finished: [RequestToken: Result<BrokerReply, SceneError>] {
    var finished: [RequestToken: Result<BrokerReply, SceneError>] = [:]
    for case .finish(let token, let result) in self { finished[token] = result }
    return finished
  }

  /// The timers that the machine set.
  var wakes: [ClientTimer] {
    compactMap { if case .wake(let timer, _) = $0 { timer } else { nil } }
  }

  var delegateMessages: [DelegateMessage] {
    compactMap { if case .delegate(let message) = $0 { message } else { nil } }
  }

  var updates: [ClientUpdate] {
    compactMap { if case .update(let update) = $0 { update } else { nil } }
  }
}

extension Result where Failure == SceneError {
  var code: SceneError.Code? {
    guard case .failure(let error) = self else { return nil }
    return error.code
  }
}
