import SceneBroker
import SceneCommandLine
import SceneJSON
import SceneJournal
import SceneManifest
import SceneModel
import ScenePlatform
import SceneServer
import SceneTestSupport

/// The daemon's own code, without its sockets, clock, disk and threads.
final class SimulatedDaemon {
  let eventLoop: EventLoop
  let journal: SteppedJournal
  /// When an orderly shutdown began, by the monotonic clock.
  private(set) var endingSince: Int64?

  /// Reads the journal and starts to serve.
  init(
    on disk: SimulatedDisk, _ plan: WorldPlan, processes: SimulatedProcesses,
    launcher: SimulatedLauncher, directories: SimulatedDirectories, model: Model, seed: UInt64,
    carried: CarriedState? = nil, at now: Instant
  ) throws(JournalError) {
    var content = JournalledState()
    let writer = try JournalWriter(disk, options: plan.journal, content: &content)
    model.beginLife(with: content.state)
    directories.clear(of: content.discarded)
    model.transcript.note("recovered \(content.state.sessions.count) sessions: \(writer.report)")
    journal = SteppedJournal(writer, model: model, now: now.monotonic)
    var identity = BrokerIdentity()
    identity.instance = String(seed, radix: 16)
    var broker = Broker(
      identity: identity, application: "simulated", manifest: plan.manifest, limits: plan.limits,
      identifiers: IdentifierGenerator(seed: seed), recovered: content.state, at: now)
    if let carried {
      broker.restore(carried)
      model.check(
        broker.carriedState.json.description == carried.json.description,
        "the next daemon carries \(broker.carriedState.json), not \(carried.json)")
      model.lastCarriedEntry = carried.lastEntry
    }
    eventLoop = EventLoop(
      broker: broker, journal: journal, processes: processes,
      identifiers: IdentifierGenerator(seed: ~seed), log: Self.log(model),
      manifest: Self.source(plan, Dice(seed: seed)), directories: directories,
      launcher: launcher, at: now)
  }

  /// A file that has another manifest whenever the daemon reads it again.
  private static func source(_ plan: WorldPlan, _ dice: Dice) -> ManifestSource {
    ManifestSource(name: "simulated") { _ in .success(LoadedManifest(plan.changedManifest(dice))) }
  }

  private static func log(_ model: Model) -> Log {
    Log(level: model.transcript.isKept ? .debug : .error) { line, _ in
      model.transcript.note("\(model.tick)   \(line.dropLast())")
      return true
    }
  }

  /// Runs one iteration in the order of the real daemon. `inputs` handles closed connections first.
  func iterate(
    at now: Instant, _ wires: [Wire], _ transport: TransportFaults,
    readRest: (Connection) -> Void, _ inputs: (EventLoop) -> Void
  ) {
    eventLoop.beginIteration(at: now)
    inputs(eventLoop)
    eventLoop.takeTurns()
    for wire in wires where wire.hasRoomAgain { eventLoop.scheduleOutput(wire.connection) }
    eventLoop.fireTimers()
    eventLoop.performEffects()
    eventLoop.flush(readRest: readRest) { connection, bytes in
      wires.first { $0.connection === connection }?.send(bytes, transport)
        ?? .bytes(bytes.byteCount)
    }
    if eventLoop.broker.isShuttingDown, endingSince == nil { endingSince = now.monotonic }
  }
}
