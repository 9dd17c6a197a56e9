import SceneJSON
import SceneModel
import Testing

@testable import SceneBroker

/// The client of a connection: sends requests, acknowledges callbacks and keeps the messages.
final class Client {
  let connection: ConnectionIdentifier
  let process: ClientProcess
  private unowned let fixture: BrokerFixture
  var isOpen = true

  private var lastRequest: Int64 = 0
  /// Requests that have no reply yet.
  private(set) var unanswered: Set<RequestIdentifier> = []
  /// Callbacks that were not acknowledged yet, in their order.
  private(set) var callbacks: [(number: Int64, callback: Callback)] = []
  /// The same of the application delegate.
  private(set) var questions: [(number: Int64, callback: Callback)] = []
  private var lines: [String] = []
  /// The phases of the application that the client got.
  private(set) var phases: [ApplicationPhase] = []
  /// The sessions of the client that a control activated.
  private(set) var activations: [SessionIdentifier] = []
  private(set) var lastReply: BrokerReply?
  private(set) var lastError: BrokerError?

  init(_ connection: ConnectionIdentifier, _ process: ClientProcess, on fixture: BrokerFixture) {
    self.connection = connection
    self.process = process
    self.fixture = fixture
  }

  // MARK: - Hearing

  func hear(_ message: OutboundMessage) {
    switch message {
    case .notification(.phaseChanged(let phase)): phases.append(phase)
    case .notification(.activated(let session)): activations.append(session)
    default: lines.append(line(of: message))
    }
    switch message {
    case .reply(let request, let reply):
      #expect(unanswered.remove(request) != nil, "\(request) is answered a second time")
      lastReply = reply
    case .error(let request?, let error):
      #expect(unanswered.remove(request) != nil, "\(request) is answered a second time")
      lastError = error
    case .error(nil, let error): lastError = error
    case .callback(let number, let callback, _) where callback.kind.isOfDelegate:
      questions.append((number, callback))
    case .callback(let number, let callback, _): callbacks.append((number, callback))
    case .notification: break
    }
  }

  /// The messages since the last read, one line each, without phases and activations.
  var heard: [String] {
    defer { lines = [] }
    return lines
  }

  func forget() { lines = [] }

  // MARK: - Asking

  @discardableResult
  func ask(_ request: some RequestMessage) -> RequestIdentifier {
    lastRequest += 1
    let identifier = RequestIdentifier.number(lastRequest)
    unanswered.insert(identifier)
    fixture.request(connection, identifier, request)
    return identifier
  }

  /// Sends a request of any name with any parameters, both in JSON.
  func ask(_ name: String, _ params: String?) {
    lastRequest += 1
    unanswered.insert(.number(lastRequest))
    fixture.request(connection, .number(lastRequest), name, params)
  }

  /// Sends a request, and returns the messages that follow.
  func hears(_ request: some RequestMessage) -> [String] {
    forget()
    ask(request)
    return heard
  }

  /// Asks for something without wanting to be answered.
  func tell(_ request: some RequestMessage) {
    fixture.request(connection, nil, request)
  }

  // MARK: - Acknowledging

  /// Answers the callback that has waited longest.
  func acknowledge(_ answer: CallbackAnswer = .done) {
    guard !callbacks.isEmpty else {
      Issue.record("there is nothing to acknowledge")
      return
    }
    let first = callbacks.removeFirst()
    fixture.handle(.answered(connection, callback: first.number, answer))
  }

  /// Answers one callback that need not be the oldest.
  func acknowledge(at index: Int, _ answer: CallbackAnswer = .done) {
    let callback = callbacks.remove(at: index)
    fixture.handle(.answered(connection, callback: callback.number, answer))
  }

  /// Acknowledges callbacks until none is pending.
  func acknowledgeAll() {
    while isOpen, !callbacks.isEmpty { acknowledge() }
    while isOpen, !questions.isEmpty { answer() }
  }

  /// As the application delegate, answers the question that has waited longest.
  func answer(_ answer: CallbackAnswer = .done) {
    guard !questions.isEmpty else {
      Issue.record("there is nothing to answer")
      return
    }
    let first = questions.removeFirst()
    fixture.handle(.answered(connection, callback: first.number, answer))
  }

  /// Answers with the name of a configuration.
  func choose(_ name: String, userInfo: OpaqueObject? = nil) {
    answer(
      .configuration(
        ConfigurationForConnecting.Answer(configuration: .named(name), userInfo: userInfo)))
  }

  func close(_ reason: DisconnectReason = .connectionLost) { fixture.close(connection, reason) }

  // MARK: - Common turns

  /// Connects to a session, acknowledges until the scene is at its target, and drops the messages.
  @discardableResult
  func become(_ message: SceneConnect) -> SessionIdentifier {
    ask(message)
    guard let reply = lastReply?.content as? SceneConnect.Reply else {
      Issue.record("connect was refused: \(String(describing: lastError))")
      return .none
    }
    acknowledgeAll()
    forget()
    return reply.session
  }

  @discardableResult
  func become(_ name: String, background: Bool = false) -> SessionIdentifier {
    become(SceneConnect(name: name, background: background))
  }

  func move(_ session: SessionIdentifier, _ state: ActivationState) {
    ask(SceneTransition(session: session, to: state))
  }
}
