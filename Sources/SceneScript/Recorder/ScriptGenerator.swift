import SceneModel

/// Infers the steps of a script from a trace: requests, and the callbacks that they caused.
struct ScriptGenerator {
  var steps: [RecordedStep] = []
  var clients: RecordedClients
  let recording: TraceRecording
  /// The index of the step that causes the callbacks of a session.
  var causes: [SessionIdentifier: Int] = [:]
  /// The callbacks that precede their cause in the trace.
  var earlyCalls: [SessionIdentifier: [RecordedStep.Call]] = [:]
  /// The process that created a session without a scene.
  var creators: [SessionIdentifier: Int64] = [:]
  /// Sessions whose scene was requested to end.
  var leaving: Set<SessionIdentifier> = []
  /// The connected sessions, and the newest generation of each.
  var attached: Set<SessionIdentifier> = []
  var generations: [SessionIdentifier: Int64] = [:]
  /// The index of the last step that posted an event.
  var lastPost: Int?
  /// The observed topics of each client.
  var observed: [String: Set<String>] = [:]
  /// Whether the current broker is shutting down.
  var isStopping = false
  /// The index of the current entry, and of the last connection of each process.
  private var position = 0
  private let lastConnections: [Int64: Int]
  /// The processes that the broker launched.
  let launched: Set<Int64>
  /// Notes and a heading for the next step.
  private var pendingNotes: [RecordedNote] = []
  var pendingTitle: String?

  init(_ recording: TraceRecording, _ log: TraceLog) {
    self.recording = recording
    // A line of the script starts each process, so launches are no steps.
    let entries = log.runs.joined().filter { !$0.isAboutLaunching }
    launched = Set(log.runs.joined().filter(\.isAboutLaunching).compactMap(\.client?.pid))
    let names = entries.compactMap(\.name) + (recording.sessions ?? []).compactMap(\.name)
    clients = RecordedClients(names: Set(names))
    var connections: [Int64: Int] = [:]
    for (index, entry) in entries.enumerated() {
      guard entry.event == .joined || entry.event == .connected else { continue }
      if let client = entry.client { connections[client.pid] = index }
    }
    lastConnections = connections
    let waits = entries.contains { $0.event == .overran }
    add(RecordedStep(.line("broker start" + (waits ? " --clock virtual" : "")), isTraced: false))
    addInitialSessions(entries)
    for (index, run) in log.runs.enumerated() {
      if index > 0 { restartBroker(waits) }
      for entry in run where !entry.isAboutLaunching {
        take(entry)
        position += 1
      }
    }
    for session in recording.sessions ?? [] {
      if let note = clients.rename(session.session, to: session.name) {
        pendingNotes.append(.sentence(note))
      }
    }
    for item in pendingNotes { note(item) }
  }

  // MARK: - Steps

  @discardableResult
  mutating func add(_ step: RecordedStep, causing session: SessionIdentifier? = nil) -> Int {
    var step = step
    step.notes += pendingNotes
    pendingNotes = []
    if step.title == nil { step.heading = pendingTitle }
    pendingTitle = nil
    if let session { step.calls = earlyCalls.removeValue(forKey: session) ?? [] }
    if let last = steps.last, let merged = last.merging(step) {
      steps[steps.count - 1] = merged
    } else {
      steps.append(step)
    }
    if let session { causes[session] = steps.count - 1 }
    return steps.count - 1
  }

  mutating func note(_ text: String?) {
    if let text { note(.sentence(text)) }
  }

  mutating func note(_ note: RecordedNote) {
    guard !steps.isEmpty else { return }
    steps[steps.count - 1].notes.append(note)
  }

  mutating func register(_ session: SessionIdentifier, _ entry: TraceEntry) {
    if let note = clients.register(session, named: entry.name) {
      pendingNotes.append(.sentence(note))
    }
  }

  /// Replaces the broker. Some of its clients reconnect.
  private mutating func restartBroker(_ waits: Bool) {
    if !isStopping {
      add(RecordedStep(.line("broker kill"), heading: "The broker is killed and started again."))
    }
    isStopping = false
    clients.loseBroker()
    for scriptClient in clients.all
    where !scriptClient.isFinished && !reconnectsLater(scriptClient.process) {
      for name in clients.end(scriptClient.process) { add(RecordedStep(.line("kill \(name)"))) }
    }
    let start = add(RecordedStep(.line("broker start" + (waits ? " --clock virtual" : ""))))
    causes = [:]
    for scriptClient in clients.all where scriptClient.hasLostBroker {
      causes[scriptClient.session] = start
    }
  }

  func reconnectsLater(_ process: Int64) -> Bool {
    lastConnections[process, default: -1] >= position
  }

  /// Adds `broker stop`, once for each shutdown.
  mutating func stop() {
    guard !isStopping else { return }
    isStopping = true
    let index = add(RecordedStep(.line("broker stop"), heading: "The broker shuts down."))
    for scriptClient in clients.all where !scriptClient.isFinished {
      causes[scriptClient.session] = index
    }
  }

  // MARK: - Entries

  private mutating func take(_ entry: TraceEntry) {
    guard let session = entry.session else {
      if entry.event == .left, let client = entry.client { leave(client, entry.reason) }
      if entry.event == .posted { post(entry) }
      return
    }
    register(session, entry)
    switch entry.event {
    case .created: creators[session] = entry.by?.pid
    case .connected: connect(session, entry)
    case .aimed: aim(session, entry)
    case .callback: call(session, entry)
    case .acknowledged: markSettled(session, entry)
    case .overran: markTimedOut(session, entry)
    case .saved: save(session, entry)
    case .discarded: discard(session, entry)
    case .disconnected: disconnect(session, entry)
    case .observed: observe(session, entry)
    case .ceased: cease(session, entry)
    case .delivered: deliver(session, entry)
    case .failed where entry.reason == nil:
      markSettled(session, entry)
      note(
        "\(clients.label(session)) answered \(entry.callback ?? "") with an error; the script cannot "
          + "reproduce this.")
    default: break
    }
  }

  private mutating func save(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let generation = entry.generation else { return }
    generations[session] = generation
    let isOwn = entry.by?.pid == nil || entry.by?.pid == clients.holder(of: session)?.process
    save(generation, of: session, isAttached: isOwn && attached.contains(session))
  }
}

extension TraceEntry {
  fileprivate var isAboutLaunching: Bool {
    event == .launched || event == .exited || event == .launchFailed
  }
}
