import SceneBroker
import SceneCommandLine
import SceneJSON
import SceneJournal
import SceneModel
import ScenePlatform
import SceneTestSupport
import SceneWire

@testable import SceneServer

/// The environment of a broker, generated from a seed: a clock, a disk, processes, and clients at
/// the other ends of wires.
final class World {
  let seed: UInt64
  let dice: Dice
  let plan: WorldPlan
  let transcript: Transcript
  let model: Model
  let disk: SimulatedDisk
  let transport = TransportFaults()
  var processes: SimulatedProcesses { model.processes }

  var now = Instant(monotonic: 1_000_000_000, wall: 1_700_000_000_000) {
    didSet { model.now = now.monotonic }
  }
  var daemon: SimulatedDaemon?
  var clients: [SimulatedClient] = []
  /// Connections that the broker still has, or that still have data for their client.
  var wires: [Wire] = []
  /// Clients that were killed, and when their connections close.
  var ending: [(client: SimulatedClient, time: Int64)] = []
  private(set) lazy var launcher = SimulatedLauncher(in: self)
  private(set) lazy var directories = SimulatedDirectories(model)
  /// Whether a fault of the disk stays until it has occurred.
  var keepsFault = false
  private var lastWire = 0
  private var lastClient = 0
  private var lastActivity = 0

  init(
    seed: UInt64, bytes: [UInt8] = [], isTranscribed: Bool = false,
    adjusting adjust: (inout WorldPlan) -> Void = { _ in }
  ) {
    self.seed = seed
    dice = Dice(seed: seed, bytes: bytes)
    var plan = WorldPlan(dice)
    adjust(&plan)
    self.plan = plan
    transcript = Transcript(isKept: isTranscribed)
    model = Model(
      transcript: transcript, asksDelegate: plan.manifest.applicationDelegate != .builtIn)
    disk = SimulatedDisk(seed: dice.word(), capacity: plan.diskByteCount)
    model.now = now.monotonic
    processes.deliver = { [unowned self] in deliver($0, to: $1) }
  }

  func note(_ line: @autoclosure () -> String) { transcript.note("\(model.tick) \(line())") }

  // MARK: - Time

  func pass(milliseconds: Int64) {
    now.monotonic += milliseconds * 1_000_000
    now.wall += milliseconds
  }

  /// The time of the next timer, journal step or end of a process.
  var nextWakeUp: Int64? {
    let times =
      [daemon?.eventLoop.nextWakeUp, daemon?.journal.nextStep] + ending.map(\.time)
    return times.compactMap { $0 }.min()
  }

  /// Jumps to the next wake-up; false if there is none.
  func leap() -> Bool {
    guard let time = nextWakeUp else { return false }
    pass(milliseconds: max(0, (time - now.monotonic + 999_999) / 1_000_000))
    note("leaps to \(now.monotonic / 1_000_000) ms")
    endProcesses()
    return true
  }

  // MARK: - The daemon

  func startDaemon(with carried: CarriedState? = nil) {
    guard daemon == nil else { return }
    do throws(JournalError) {
      let started = try SimulatedDaemon(
        on: disk, plan, processes: processes, launcher: launcher, directories: directories,
        model: model, seed: dice.word(), carried: carried, at: now)
      started.eventLoop.endReceiving = { [unowned self, unowned eventLoop = started.eventLoop] in
        endInput(of: $0, eventLoop)
      }
      daemon = started
      note("the daemon starts")
      iterate { $0.start() }
    } catch {
      note("the daemon cannot start: \(error)")
      outlive(error)
    }
  }

  /// A start can fail because the disk is full or fails, but not because of what an earlier daemon
  /// wrote.
  private func outlive(_ error: JournalError) {
    switch error {
    case .noRoom:
      model.saw("start: no room")
      checkExit(error, .tryAgain)
    case .storage where disk.fault != nil || disk.isDown:
      model.saw("start: the disk fails")
      checkExit(error, .inputOutput)
    default: model.complain("the journal cannot be read: \(error)")
    }
    loseProcess(to: disk.isDown && plan.journal.durability == .disk && dice.once(in: 2))
  }

  /// The daemon would exit with this code.
  private func checkExit(_ error: JournalError, _ code: ExitCode) {
    let configuration = ServerConfiguration(
      application: .default, socketPath: "", stateDirectory: "", version: "")
    let exit = ProgramError(error, configuration)
    model.check(exit.code == code, "the daemon ends with \(exit.code): \(exit.message)")
  }

  /// Ends the daemon's process. The page cache stays unless the power is cut. A fault that has not
  /// occurred stays, so that it can occur in a start.
  private func loseProcess(to powerCut: Bool) {
    let fault = disk.faultCount == 0 && keepsFault ? disk.fault : nil
    if powerCut { disk.cutPower() } else { disk.killProcess() }
    disk.fault = fault
  }

  /// Ends the daemon at once.
  func crash(byPowerCut: Bool, keepingChildren: Bool = false) {
    guard let daemon else { return }
    let isPowerCut = byPowerCut && plan.journal.durability == .disk
    directories.noteEnd(
      unmarked: daemon.eventLoop.directories.marks.map(\.session), byPowerCut: isPowerCut)
    if !keepingChildren { launcher.loseChildren() }
    note(isPowerCut ? "the power is cut" : "the daemon is killed")
    model.saw(isPowerCut ? "power cut" : "daemon killed")
    self.daemon = nil
    loseProcess(to: isPowerCut)
    for wire in wires { wire.closeByBroker() }
  }

  /// Writes the remaining records. Returns whether all are on the disk.
  @discardableResult
  func stopJournal(of ended: SimulatedDaemon) -> Bool {
    ended.journal.stop(now: now.monotonic)
    noteSynced(ended)
    let number = ended.eventLoop.broker.recordCount
    if !disk.isDown, ended.journal.status.failure == nil, model.synced < number {
      model.complain("the daemon ended with \(model.synced) of \(number) records synced")
    }
    return model.synced == number
  }

  /// Takes in what a client has sent. It can send nothing more.
  private func endInput(of connection: Connection, _ eventLoop: EventLoop) {
    guard let wire = wires.first(where: { $0.connection === connection }) else { return }
    hand(wire.takeUpstream(.max), on: wire, eventLoop)
    wire.endInput()
  }

  /// Takes in what a client sent before the daemon lost its connection.
  private func readRest(of connection: Connection) {
    guard let daemon, let wire = wires.first(where: { $0.connection === connection })
    else { return }
    hand(wire.takeUpstream(.max), on: wire, daemon.eventLoop)
  }

  /// Ends a daemon that shut down in order.
  private func endDaemon(_ ended: SimulatedDaemon) {
    stopJournal(of: ended)
    model.saw("ended in order")
    launcher.endAll()
    crash(byPowerCut: dice.once(in: 3))
  }

  func noteSynced(_ daemon: SimulatedDaemon) {
    let status = daemon.journal.status
    model.synced = status.durable
    model.saw("storage: \(status.storage)")
    if status.counts.begunLogs > 1 { model.saw("a log was full") }
    if status.counts.compactions > 0 { model.saw("compacted") }
  }

  /// Runs one iteration of the daemon, if there is a daemon.
  func iterate(_ inputs: (EventLoop) -> Void = { _ in }) {
    guard let daemon else { return }
    daemon.iterate(at: now, wires, transport, readRest: readRest) { eventLoop in
      inputs(eventLoop)
      launcher.reportExits(to: eventLoop)
    }
    for wire in wires
    where daemon.eventLoop.connection(wire.connection.identifier.number) == nil {
      wire.closeByBroker()
    }
    check(daemon)
    if let failure = daemon.journal.status.failure {
      note("the daemon ends: \(failure)")
      checkExit(failure, .inputOutput)
      model.saw("ended by an error of the disk")
      crash(byPowerCut: disk.isDown)
    } else if daemon.eventLoop.isDone {
      note("the daemon ends in order")
      endDaemon(daemon)
    }
    wires.removeAll { $0.clientEnd == .closed && $0.isClosedByBroker }
  }

  /// Runs one step of the journal. The disk can fail in the middle of it.
  func stepJournal() {
    guard let daemon else { return }
    daemon.journal.step(now: now.monotonic)
    noteSynced(daemon)
    if disk.isDown { crash(byPowerCut: dice.once(in: 2)) }
  }

  // MARK: - Clients

  func addClient(
    kind: ClientKind, name: String, hosts: [String] = [], behavior: ClientBehavior
  ) -> SimulatedClient {
    lastClient += 1
    let client = SimulatedClient(
      number: lastClient, name: name, kind: kind, hosts: hosts, behavior: behavior,
      process: processes.begin(), dice: dice.fork(), in: self)
    clients.append(client)
    return client
  }

  func connect(_ client: SimulatedClient) {
    guard let daemon, !daemon.eventLoop.isStopping, client.wire == nil, client.isAlive
    else { return }
    iterate { eventLoop in
      lastWire += 1
      let wire = Wire(
        number: lastWire, client: client,
        connection: eventLoop.accept(process: client.process), model: model,
        dice: dice.fork())
      wires.append(wire)
      client.begin(on: wire)
    }
  }

  /// Kills the client. The kernel closes its connection later.
  func kill(_ client: SimulatedClient) {
    guard client.isAlive else { return }
    client.die()
    processes.kill(client.process, tick: model.tick, at: now.monotonic)
    if let wire = client.wire {
      wire.close(keeping: dice.number(0...wire.upstream.count), as: .shut)
    }
    let time = dice.once(in: 8) ? 8_000 : dice.milliseconds(upTo: 2_000)
    ending.append((client, now.monotonic + time * 1_000_000))
  }

  /// Some programs ignore SIGTERM.
  private func deliver(_ signal: String, to process: ClientProcess) {
    model.saw("signalled")
    guard signal == "KILL" || dice.once(in: 2) else { return }
    if let client = clients.first(where: { $0.process == process }) { kill(client) }
  }

  func endProcesses() {
    for (client, time) in ending where time <= now.monotonic {
      note("client \(client.number) is gone")
      processes.end(client.process)
      client.wire?.closeFully()
      client.wire = nil
      clients.removeAll { $0 === client }
      launcher.ended(client)
    }
    ending.removeAll { $0.time <= now.monotonic }
  }

  // MARK: - Contents

  /// A new activity, different from all others. Its bytes must come back unchanged.
  func makeActivity(_ dice: Dice) -> Activity {
    lastActivity += 1
    let odd = dice.pick([
      "", #""exact":9007199254740993 , "#, #""pi":3.14159265358979323846,"#,
      #""text":"\u00e9\uD83D\uDE00 é","#, #""deep":[[[{}]]],"#,
    ])
    let size = dice.pick([(8, 20), (4, 600), (1, 2_100)])
    let pad = String(repeating: "x", count: size)
    let text =
      #"{"activityType":"com.example.note","userInfo":{ \#(odd)"n":\#(lastActivity),"p":"\#(pad)"}}"#
    return Activity(unchecked: RawJSON(unchecked: ContiguousArray(text.utf8)))
  }

  func makeObject(_ dice: Dice) -> OpaqueObject {
    let text = #"{"n" : \#(dice.number(1...9))}"#
    return OpaqueObject(unchecked: RawJSON(unchecked: ContiguousArray(text.utf8)))
  }
}
