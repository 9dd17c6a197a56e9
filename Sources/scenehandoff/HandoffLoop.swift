import SceneCommandLine
import SceneControl
import SceneHandoff
import SceneModel
import ScenePlatform

/// The event loop of the agent: one thread, the broker, one member of etcd, and signals.
final class HandoffLoop {
  private let setup: Setup
  private let log: Log
  private let signals: SignalSource
  private var agent: Agent
  private var broker: BrokerPort?
  private var link: EngineLink?
  private var member = 0
  /// The time of the next attempt to reach the broker; nil while it is connected.
  private var brokerTime: Int64?
  private var isReady = false
  /// Whether the agent has served sessions.
  private var hasServed = false
  private let lock: FileDescriptor

  init(_ setup: Setup, log: Log) throws {
    self.setup = setup
    self.log = log
    lock = try setup.lock()
    signals = try SignalSource.ofEnding()
    var random = SystemRandomNumberGenerator()
    agent = Agent(
      Agent.Settings(
        host: setup.host, user: setup.keyUser, application: "\(setup.application)",
        leaseSeconds: setup.leaseSeconds),
      state: try setup.state(), seed: random.next(), at: SystemClock.sinceBoot())
    do throws(ControlError) {
      try connect()
    } catch {
      throw ProgramError(
        .noBroker,
        "\(RuntimePaths.absence(of: "\(setup.application)")): \(error.text); start it with: "
          + setup.startCommand)
    }
  }

  private func connect() throws(ControlError) {
    let port = try BrokerPort(setup.socket)
    guard port.isAlone else {
      failure = ProgramError(
        .failure,
        "another scenehandoff moves the sessions of this broker; see: scenectl topics")
      return
    }
    broker = port
  }

  /// Serves until a signal ends the program.
  func run() throws {
    try check()
    give(.time)
    while true {
      if let deadline = agent.deadline, deadline <= SystemClock.sinceBoot() { give(.time) }
      try processLink()
      // Last, because this also sends the requests that the other events led to.
      try processBroker()
      if try signals.next() != nil { return }
      try wait()
    }
  }

  private func wait() throws {
    let poller = try Poller()
    try poller.add(signals.number, token: 0, interest: .readable)
    if let broker { try poller.add(broker.descriptor, token: 0, interest: .readable) }
    for (number, interest) in link?.descriptors ?? [] {
      try poller.add(number, token: 0, interest: interest)
    }
    let deadline = [agent.deadline, link?.deadline, brokerTime].compactMap(\.self).min()
    var events = ContiguousArray<PollEvent>()
    try poller.wait(
      nanoseconds: deadline.map { max(0, $0 - SystemClock.sinceBoot()) }, into: &events)
  }

  private func processBroker() throws {
    do throws(ControlError) {
      if broker == nil, let time = brokerTime, time <= SystemClock.sinceBoot() {
        try connect()
        brokerTime = nil
        log.note("connected to the broker")
      }
      // A reply can lead to a request whose reply has arrived as well.
      while let events = try broker?.process(), !events.isEmpty {
        for event in events { give(event) }
      }
    } catch {
      if broker != nil {
        log.warn("the connection to the broker ended: \(error.text)")
        broker = nil
        give(.brokerClosed)
      }
      brokerTime = SystemClock.sinceBoot() + 1_000_000_000
    }
    try check()
  }

  private func processLink() throws {
    do throws(EngineError) {
      while let events = try link?.process(), !events.isEmpty {
        for event in events { give(event) }
        guard agent.isConnected, !hasServed else { continue }
        hasServed = true
        ready()
      }
    } catch {
      lose(error)
    }
    try check()
  }

  /// The error that ends the program. Handlers note it, and the loop throws it.
  private var failure: ProgramError?

  private func check() throws {
    if let failure { throw failure }
  }

  private func give(_ event: AgentEvent) {
    perform(agent.handle(event, at: SystemClock.sinceBoot()))
  }

  private func lose(_ error: EngineError) {
    link = nil
    if !hasServed {
      switch error {
      case .notEtcd: failure = ProgramError(.badData, error.description)
      case .denied, .notAuthenticated: failure = ProgramError(.notAllowed, error.description)
      case .full, .compacted, .unavailable: break
      }
      // The end of the program reports it.
      guard failure == nil else { return }
    }
    give(.closed(error))
    ready()
  }

  private func ready() {
    guard !isReady, failure == nil else { return }
    isReady = true
    do throws(ProgramError) {
      try Readiness.tell(setup.readyDescriptor, log: log)
    } catch {
      failure = error
    }
  }

  private func perform(_ actions: [AgentAction]) {
    var lost: EngineError?
    defer { if let lost { lose(lost) } }
    for action in actions {
      switch action {
      case .open:
        let address = setup.members[member % setup.members.count]
        member += 1
        do throws(EngineError) {
          link = try EngineLink(to: address, as: setup.user, ssh: setup.ssh)
        } catch {
          lost = error
        }
      case .close: link = nil
      case .engine(let number, let request):
        do throws(EngineError) {
          try link?.send(number, request)
        } catch {
          (link, lost) = (nil, error)
        }
      case .broker(let number, let request): broker?.perform(number, request)
      case .store(let state):
        do throws(SystemError) {
          try setup.store(state)
        } catch {
          failure = ProgramError(error)
          return
        }
      case .answer(let reply): broker?.answer(reply)
      case .log(let text):
        if text.hasPrefix("warning: ") {
          log.warn(String(text.dropFirst("warning: ".count)))
        } else {
          log.note(text)
        }
      case .end(let why): failure = ProgramError(.failure, why)
      }
    }
  }
}
