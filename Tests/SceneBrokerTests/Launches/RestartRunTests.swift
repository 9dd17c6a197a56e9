import SceneModel
import Testing

@testable import SceneBroker

/// Random runs of programs that crash. The fixture checks all invariants after each event.
struct RestartRunTests {
  /// One run: programs of two sessions, and a control that acts on the sessions.
  private final class Run {
    let fixture = BrokerFixture(.launching("Note", restart: .onCrash))
    let control: Client
    var random: SplitMix
    /// The connected programs.
    var programs: [(launch: LaunchRequest, client: Client)] = []
    var waiting: [LaunchRequest] = []
    var seenLaunches = 0
    var seenTerminations = 0
    /// Sessions that only a request may open.
    var quiet: Set<SessionIdentifier> = []

    init(seed: UInt64) {
      random = SplitMix(seed: seed)
      control = fixture.control()
    }

    var sessions: [SessionIdentifier] { fixture.broker.stored.sessions.keys.sorted() }

    func step() {
      let session = sessions.randomElement(using: &random)
      switch Int.random(in: 0..<16, using: &random) {
      case 0, 1:
        let name = ["packing", "list"].randomElement(using: &random)
        if let named = fixture.broker.stored.names[name ?? ""] { quiet.remove(named) }
        control.ask(RequestActivation(name: name))
      case 2...4: connect()
      case 5...7: endProgram()
      case 8: if let session, fixture.broker.scenes[session] != nil { end(session) }
      case 9:
        if let session {
          quiet.insert(session)
          control.ask(RequestDestruction(sessions: [session]))
        }
      case 10:
        let policy = [RestartPolicy.never, .onCrash, .onCrash].randomElement(using: &random)
        fixture.handle(.manifestRead(.manifest(.launching("Note", restart: policy ?? .never))))
      case 11:
        // No program answers in time.
        if let session { control.move(session, .background) }
        fixture.pass(.seconds(6))
      default: fixture.pass(.milliseconds(.random(in: 0..<70_000, using: &random)))
      }
      for program in programs where program.client.isOpen { program.client.acknowledgeAll() }
      endTerminated()
      checkLaunches()
    }

    private func connect() {
      guard !waiting.isEmpty else { return }
      let launch = waiting.removeFirst()
      guard Bool.random(using: &random) else {
        return fixture.exit(ClientExit(status: 3), launch)
      }
      programs.append((launch, fixture.launchedClient(launch: launch)))
    }

    private func endProgram() {
      guard let index = programs.indices.randomElement(using: &random) else { return }
      let (launch, client) = programs.remove(at: index)
      let exits = [
        ClientExit(signal: "SEGV"), ClientExit(status: 3), ClientExit(status: 0),
        ClientExit(signal: "INT"),
      ]
      let exit = exits.randomElement(using: &random) ?? exits[0]
      if exit.status == 0 || exit.signal == "INT" {
        // The exit may precede the end of the connection, or follow it.
        quiet.formUnion(fixture.broker.clients[client.connection]?.held ?? [])
      }
      if Bool.random(using: &random) {
        client.close()
        fixture.exit(exit, launch)
      } else {
        fixture.exit(exit, launch)
        client.close()
      }
    }

    private func end(_ session: SessionIdentifier) {
      quiet.insert(session)
      control.move(session, .unattached)
    }

    /// Ends the programs that the broker terminates.
    private func endTerminated() {
      for launch in fixture.terminations.dropFirst(seenTerminations) {
        seenTerminations += 1
        waiting.removeAll { $0.identifier == launch }
        if let index = programs.firstIndex(where: { $0.launch.identifier == launch }) {
          programs.remove(at: index).client.close()
        }
        fixture.handle(.exited(launch, ClientExit(signal: "TERM")))
      }
    }

    private func checkLaunches() {
      for launch in fixture.launches.dropFirst(seenLaunches) {
        seenLaunches += 1
        waiting.append(launch)
        #expect(!quiet.contains(launch.session), "a session that ended in order starts again")
      }
    }
  }

  @Test("no program starts after an end in order", arguments: 0..<UInt64(60))
  func runs(seed: UInt64) {
    let run = Run(seed: seed)
    for _ in 0..<60 where !run.fixture.isBroken { run.step() }
  }
}
