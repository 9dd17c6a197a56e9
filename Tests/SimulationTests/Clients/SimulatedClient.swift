import SceneJSON
import SceneModel
import SceneWire

/// A client program: one process, at most one connection, and the scenes that the client believes
/// it holds.
final class SimulatedClient {
  let number: Int
  let name: String
  let kind: ClientKind
  let hosts: [String]
  var behavior: ClientBehavior
  let process: ClientProcess
  let dice: Dice
  unowned let world: World

  var wire: Wire?
  /// Whether the broker has answered `initialize` on this connection.
  var isWelcome = false
  /// Whether the client sent data because of which a broker closes the connection.
  var isDoomed = false
  /// Whether the client answers no callback, as if it hung.
  var isMute = false
  private(set) var isAlive = true
  var scenes: [ClientScene] = []
  /// The callbacks that the client has not answered, the oldest first.
  var unanswered: [Unanswered] = []
  /// The callbacks of the application delegate that the client has not answered.
  var questions: [(number: Int64, callback: Callback)] = []
  /// The launch token that the client has not shown.
  var token: String?
  /// Whether a daemon launched the client, and whether it was upgraded since.
  var isLaunched = false
  var hasUpgradedParent = false
  /// The assertions that the client can end.
  var assertions: [Int64] = []
  /// Requests that a broker left to the next program.
  var postponed: [any RequestMessage] = []
  /// Whether the client got a launch callback on this connection.
  var hasLaunched = false
  private var lastRequest: Int64 = 0
  /// Requests whose reply the client has not read.
  var open: [RequestIdentifier: SentRequest] = [:]
  /// The position of the last event that the client knows in each topic.
  var positions: [String: EventPosition] = [:]

  struct Unanswered {
    let number: Int64
    let kind: CallbackKind
    let session: SessionIdentifier
  }

  init(
    number: Int, name: String, kind: ClientKind, hosts: [String], behavior: ClientBehavior,
    process: ClientProcess, dice: Dice, in world: World
  ) {
    self.number = number
    self.name = name
    self.kind = kind
    self.hosts = hosts
    self.behavior = behavior
    self.process = process
    self.dice = dice
    self.world = world
  }

  var model: Model { world.model }

  func note(_ line: @autoclosure () -> String) {
    model.transcript.note("\(model.tick) client \(number) \(name) \(process.pid): \(line())")
  }

  func complain(_ problem: String) { model.complain("client \(number): \(problem)") }

  func index(of session: SessionIdentifier) -> Int? {
    scenes.firstIndex { $0.session == session }
  }

  // MARK: - Requests

  /// Starts to use a connection: sends `initialize`, and then resumes the scenes of the lost
  /// connection.
  func begin(on wire: Wire) {
    self.wire = wire
    isWelcome = false
    isDoomed = false
    hasLaunched = false
    open = [:]
    note("connects on wire \(wire.number)")
    let client = ClientName(name: name, version: "1")
    ask(Initialize(client: client, as: kind, hosts: hosts, launch: token))
    token = nil
    for scene in scenes where scene.standing == .lost { goOn(with: scene) }
    for request in postponed { ask(request) }
    postponed = []
  }

  func ask(_ request: any RequestMessage, isAnswered: Bool = true) {
    guard let wire, isAlive else { return }
    lastRequest += 1
    let identifier: RequestIdentifier =
      dice.once(in: 5) ? .string("r\(lastRequest)") : .number(lastRequest)
    noteSave(in: request)
    var writer = FrameWriter()
    // A request of a simulation is short.
    try? writer.request(isAnswered ? identifier : nil, request)
    if isAnswered {
      let said = SentRequest(identifier: identifier, request: request, tick: model.tick)
      wire.expectReply(to: said)
      open[identifier] = said
    }
    note("asks \(identifier): \(request)")
    wire.say(writer.take())
  }

  private func noteSave(in request: any RequestMessage) {
    switch request {
    case let message as SaveActivity:
      model.saves.add(message.activity, for: message.session, by: process)
    case let message as SessionAdopt:
      let session = message.sceneSession
      model.saves.add(
        session.stateRestorationActivity, for: session.persistentIdentifier, by: process)
    case let message as SceneConnect:
      guard let session = message.session, let activity = message.activity else { return }
      model.saves.add(activity, for: session, by: process)
    case let message as SceneDisconnect:
      switch message.activity {
      case .absent: return
      case .null: model.saves.add(nil, for: message.session, by: process)
      case .value(let activity): model.saves.add(activity, for: message.session, by: process)
      }
    default: return
    }
  }

  /// Sends invalid data.
  func sayGarbage() {
    guard let wire else { return }
    let (bytes, isFatal) = dice.pick(Garbage.all)
    note("says garbage")
    isDoomed = isDoomed || isFatal
    // One of the items has a readable identifier, so the broker answers it.
    wire.expectReply(
      to: SentRequest(identifier: Garbage.identifier, request: nil, tick: model.tick))
    wire.say(bytes)
  }

  // MARK: - Ends

  /// The process was killed. It sends nothing more, and its last message can be incomplete.
  func die() {
    isAlive = false
    note("is killed")
  }

  /// The connection is closed.
  func loseConnection() {
    note("lost its connection")
    wire = nil
    unanswered = []
    questions = []
    let leaving = open.values.compactMap(\.sessionDisconnected)
    open = [:]
    scenes.removeAll { scene in
      scene.standing == .leaving || scene.state == .unattached || leaving.contains(scene.session)
    }
    for index in scenes.indices {
      scenes[index].standing = .lost
      scenes[index].running = nil
      scenes[index].lastKind = nil
      scenes[index].awaitsActivity = false
    }
    if dice.once(in: 6) { scenes = [] }
  }

  private func goOn(with scene: ClientScene) {
    guard let index = index(of: scene.session) else { return }
    scenes[index].standing = .resuming
    ask(
      SceneConnect(
        session: scene.session, resume: Resume(state: scene.state, hold: scene.hold),
        activity: dice.once(in: 2) ? scene.memory : nil))
  }
}

extension SentRequest {
  fileprivate var sessionDisconnected: SessionIdentifier? {
    guard let message = request as? SceneDisconnect else { return nil }
    return message.session
  }
}

/// How a client behaves. Each fault occurs once in so many times, or never for 0.
struct ClientBehavior {
  var answersLate = 5
  var neverAnswers = 60
  var answersWrongly = 40
  var refuses = 30
  var answersTwice = 25
  var saysGarbage = 200
  /// The client is killed, or loses its connection, when it gets a scene.
  var endsEarly = 0
  /// The client uses one in `reads` opportunities to read, and ignores one in `stalls` of these.
  var reads = 2
  var stalls = 5

  /// The behavior at the end of a simulation, so that everything can settle.
  static let best = ClientBehavior(
    answersLate: 0, neverAnswers: 0, answersWrongly: 0, refuses: 0, answersTwice: 0, saysGarbage: 0,
    stalls: 0)

  static let failing = ClientBehavior(endsEarly: 1)
  static let hung = ClientBehavior(answersLate: 2, neverAnswers: 2, reads: 30, stalls: 3)
}

extension Dice {
  /// True once in `count` times; never for 0.
  func happens(_ count: Int) -> Bool { count > 0 && once(in: count) }
}
