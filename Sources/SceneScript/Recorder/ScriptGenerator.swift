import SceneModel

/// Infers the steps of a script from a trace: requests, and the callbacks that they caused.
struct ScriptGenerator {
  private(set) var steps = RecordedSteps()
  private(set) var clients: RecordedClients
  private let recording: TraceRecording
  private var connections: RecordedConnections
  /// The process that created a session without a scene.
  private var creators: [SessionIdentifier: Int64] = [:]
  /// Sessions whose scene was requested to end.
  private var leaving: Set<SessionIdentifier> = []
  /// The connected sessions, and the newest generation of each.
  private var attached: Set<SessionIdentifier> = []
  private var generations: [SessionIdentifier: Int64] = [:]
  private var topics = RecordedTopics()
  /// Whether the current broker is shutting down.
  private var isStopping = false

  init(_ recording: TraceRecording, _ log: TraceLog) {
    self.recording = recording
    let entries = log.runs.joined().filter { !$0.isAboutLaunching }
    connections = RecordedConnections(Array(log.runs.joined()))
    let names = entries.compactMap(\.name) + (recording.sessions ?? []).compactMap(\.name)
    clients = RecordedClients(names: Set(names))
    let waits = entries.contains { $0.event == .overran }
    steps.add(RecordedStep(.line(Self.startLine(waits)), isTraced: false))
    addInitialSessions(entries)
    for (index, run) in log.runs.enumerated() {
      if index > 0 { restartBroker(waits) }
      for entry in run where !entry.isAboutLaunching {
        take(entry)
        connections.advance()
      }
    }
    for session in recording.sessions ?? [] {
      steps.noteAhead(clients.rename(session.session, to: session.name))
    }
    steps.finish()
  }

  private mutating func take(_ entry: TraceEntry) {
    guard let session = entry.session else {
      if entry.event == .left, let client = entry.client { leave(client, entry.reason) }
      if entry.event == .posted { post(entry) }
      return
    }
    steps.noteAhead(clients.register(session, named: entry.name))
    switch entry.event {
    case .created: creators[session] = entry.by?.pid
    case .connected: connect(session, entry)
    case .aimed: setTarget(of: session, entry)
    case .callback: call(session, entry)
    case .acknowledged: steps.settle(entry.callback, of: session)
    case .overran: timeOut(session, entry)
    case .saved: save(session, entry)
    case .discarded: discard(session, entry)
    case .disconnected: disconnect(session, entry)
    case .observed: observe(session, entry)
    case .ceased: cease(session, entry)
    case .delivered: deliver(session, entry)
    case .failed where entry.reason == nil:
      steps.settle(entry.callback, of: session)
      steps.note(
        "\(clients.label(session)) answered \(entry.callback ?? "") with an error; the script cannot "
          + "reproduce this.")
    default: break
    }
  }

  // MARK: - The broker

  private static func startLine(_ waits: Bool) -> String {
    "broker start" + (waits ? " --clock virtual" : "")
  }

  /// Replaces the broker. Some of its clients reconnect.
  private mutating func restartBroker(_ waits: Bool) {
    if !isStopping {
      steps.add(
        RecordedStep(.line("broker kill"), heading: "The broker is killed and started again."))
    }
    isStopping = false
    clients.loseBroker()
    for scriptClient in clients.all
    where !scriptClient.isFinished && !connections.reconnects(scriptClient.process) {
      for name in clients.end(scriptClient.process) {
        steps.addLine("kill \(name)")
      }
    }
    let start = steps.addLine(Self.startLine(waits))
    steps.removeAllCauses()
    for scriptClient in clients.all where scriptClient.hasLostBroker {
      steps.setCause(start, of: scriptClient.session)
    }
  }

  /// Adds `broker stop`, once for each shutdown.
  private mutating func stop() {
    guard !isStopping else { return }
    isStopping = true
    let index = steps.add(RecordedStep(.line("broker stop"), heading: "The broker shuts down."))
    for scriptClient in clients.all where !scriptClient.isFinished {
      steps.setCause(index, of: scriptClient.session)
    }
  }

  // MARK: - The sessions before the recording

  /// Adds steps that create these sessions in their likely state.
  private mutating func addInitialSessions(_ entries: [TraceEntry]) {
    for initial in InitialSession.all(in: entries, recording) { add(initial) }
    // The initial sessions and the recording get one section each.
    steps.begin(steps.all.count > 1 ? "The recording." : nil)
  }

  private mutating func add(_ initial: InitialSession) {
    let session = initial.session
    steps.noteAhead(clients.register(session, named: initial.name))
    var words = ["client"] + clients.start(initial.process, session)
    if !initial.state.isForeground { words.append("--background") }
    if steps.all.count == 1 {
      steps.begin("The state before the recording, as far as it is known.")
    }
    steps.add(RecordedStep(.line(words.joined(separator: " ")), isTraced: false))
    if initial.generation > 0 { save(initial.generation, of: session, isAttached: true) }
    guard let name = clients.holder(of: session)?.name else { return }
    switch initial.state {
    case .active, .background: attached.insert(session)
    case .interrupted:
      attached.insert(session)
      steps.add(RecordedStep(.control("interrupt", [clients.label(session)]), isTraced: false))
    case .killed: endInitialSession(session, "kill \(name)")
    case .closed: endInitialSession(session, "\(name): close")
    case .reclaimed:
      steps.add(RecordedStep(.control("reclaim", [clients.label(session)]), isTraced: false))
    }
  }

  private mutating func endInitialSession(_ session: SessionIdentifier, _ line: String) {
    steps.addLine(line)
    clients.change(session) { $0.isFinished = true }
  }

  // MARK: - Connections and moves

  private mutating func connect(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let client = entry.client else { return }
    attached.insert(session)
    // A withheld activity is not restored.
    generations[session] = entry.withheld == nil ? entry.generation : 0
    let creator = creators.removeValue(forKey: session)
    let label = clients.label(session)
    // A client that waits for an activation does not get its old scene from the next broker.
    let isReconnecting = entry.by?.pid != nil
    if let scriptClient = clients.holder(of: session), scriptClient.hasLostBroker,
      scriptClient.process == client.pid, !isReconnecting
    {
      return clients.connect(session, to: scriptClient)
    }
    if entry.reason == ConnectReason.resume.rawValue { return }
    if let requester = entry.by?.pid, let host = clients.host(client.pid, for: session) {
      clients.connect(session, to: host)
      let step =
        switch requester {
        case client.pid:
          RecordedStep.Action.typedText(host.name, "activate", control: "activate", session: label)
        case _ where requester == creator || entry.reason == ConnectReason.launch.rawValue:
          RecordedStep.Action.line("new \(label)")
        case _ where entry.reason == ConnectReason.refresh.rawValue:
          RecordedStep.Action.control("refresh --open", [label])
        default: RecordedStep.Action.control("activate", [label])
        }
      return addRequest(RecordedStep(step, requester: requester), of: session, entry)
    }
    if client.name == ScriptEnvironment.cutName {
      steps.addLine("cut \(label)")
      return steps.removeCause(of: session)
    }
    addClient(client, session, entry)
  }

  /// Adds the line that starts a client.
  private mutating func addClient(
    _ client: ClientReference, _ session: SessionIdentifier, _ entry: TraceEntry
  ) {
    let label = clients.label(session)
    let isTakenOver = steps.hasEarlyCalls(of: session)
    let former = clients.holder(of: session)
    var words = ["client"] + clients.start(client.pid, session)
    if entry.state == .background { words.append("--background") }
    if isTakenOver { words.append("--take-over") }
    if isTakenOver, let former { clients.replace(former) }
    let heading = isTakenOver ? "Another client takes over \(label)." : nil
    steps.add(
      RecordedStep(.line(words.joined(separator: " ")), heading: heading), causing: session)
    if connections.isLaunched(client.pid) {
      steps.note("The broker launched \(client.name) for \(label); a line of the script starts it.")
    }
    if client.name != "scene" {
      steps.note(
        "\(client.name) had \(label); the script uses scene, which does only what the script types."
      )
    }
  }

  private mutating func setTarget(of session: SessionIdentifier, _ entry: TraceEntry) {
    if entry.reason == DisconnectReason.discarded.rawValue { return }
    if entry.reason == DisconnectReason.shutdown.rawValue { return stop() }
    let label = clients.label(session)
    guard let state = entry.state, let requester = entry.by?.pid else {
      steps.removeCause(of: session)
      return steps.note("The broker moved \(label) by itself; the script cannot reproduce this.")
    }
    if entry.reason == ConnectReason.refresh.rawValue {
      return addRequest(
        RecordedStep(.control("refresh", [label]), requester: requester), of: session, entry)
    }
    let verb = entry.verb(to: state)
    if state == .unattached { leaving.insert(session) }
    let overlapping = steps.stepInProgress(of: session)
    addRequest(
      RecordedStep(action(verb, session, requester), requester: requester), of: session, entry)
    if let overlapping { steps.noteOverlap(with: overlapping, label) }
  }

  /// The action of a process: a typed line for its own scene, else a verb of `scenectl`.
  private func action(
    _ verb: String, _ session: SessionIdentifier, _ requester: Int64
  ) -> RecordedStep.Action {
    let label = clients.label(session)
    guard let holder = clients.holder(of: session), holder.process == requester,
      ["activate", "background", "close", "discard"].contains(verb)
    else { return .control(verb, [label]) }
    return .typedText(holder.name, verb, control: verb, session: label)
  }

  /// Adds a step. The trace does not contain opened content, so the script activates the scene
  /// instead.
  private mutating func addRequest(
    _ step: RecordedStep, of session: SessionIdentifier, _ entry: TraceEntry
  ) {
    var step = step
    if entry.opensContent, let reason = entry.reason {
      step.opensContent = true
      step.note(
        "\(clients.label(session)) opened unknown content (\(reason)); the script only activates "
          + "the session.")
    }
    steps.add(step, causing: session)
  }

  private mutating func discard(_ session: SessionIdentifier, _ entry: TraceEntry) {
    let label = clients.label(session)
    leaving.insert(session)
    clients.discard(session)
    guard let requester = entry.by?.pid else {
      steps.removeCause(of: session)
      return steps.note(
        "The broker discarded \(label) by itself; the script cannot reproduce this.")
    }
    let action = action("discard", session, requester)
    steps.add(RecordedStep(action, requester: requester), causing: session)
  }

  // MARK: - Callbacks

  private mutating func call(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let scriptClient = clients.holder(of: session),
      let callback = entry.callback.flatMap(CallbackKind.init(rawValue:)),
      !entry.isOmitted(callback, afterOpening: steps.cause(of: session)?.opensContent ?? false)
    else { return }
    let isLaunched = connections.isLaunched(scriptClient.process)
    var call = RecordedStep.Call(callback, entry, session, scriptClient.name, isLaunched)
    // The activity that was saved last.
    if callback == .willConnect, let generation = generations[session],
      let condition = recording.condition(session, generation)
    {
      call.conditions.append(condition)
    }
    if callback == .willContinueUserActivity {
      steps.continueActivity(in: session, clients.label(session))
    }
    if entry.reason == DisconnectReason.replaced.rawValue {
      steps.addEarlyCall(call)
    } else {
      steps.addCall(call)
    }
  }

  private mutating func timeOut(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let scriptClient = clients.holder(of: session),
      let kind = steps.timeOut(entry.callback, of: session, scriptClient)
    else { return }
    clients.change(session) { $0.hangingCallbacks.insert(kind) }
  }

  // MARK: - Saves and events

  private mutating func save(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let generation = entry.generation else { return }
    generations[session] = generation
    let isOwn = entry.by?.pid == nil || entry.by?.pid == clients.holder(of: session)?.process
    save(generation, of: session, isAttached: isOwn && attached.contains(session))
  }

  /// Adds the line that saves a generation.
  private mutating func save(
    _ generation: Int64, of session: SessionIdentifier, isAttached: Bool
  ) {
    let label = clients.label(session)
    let typedText = recording.typedText(session, generation)
    let text = typedText?.text ?? "com.example.unknown {\"generation\": \(generation)}"
    if isAttached, let holder = clients.holder(of: session) {
      steps.addLine("\(holder.name): activity \(text)")
    } else {
      steps.addLine("save \(label) \(text == "null" ? "--clear" : text)")
    }
    steps.note(typedText?.note)
    if typedText == nil { steps.note(.unknownGeneration(session: label, generation)) }
  }

  private mutating func post(_ entry: TraceEntry) {
    guard let topic = entry.topic, let position = entry.position else { return }
    let typedText = recording.typedText(topic, position)
    let scriptClient = clients.all.last { $0.process == entry.client?.pid && !$0.isFinished }
    steps.addPost((scriptClient.map { $0.name + ": " } ?? "") + "post ", typedText, topic)
  }

  private mutating func observe(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let name = clients.holder(of: session)?.name, let topic = entry.topic else { return }
    if topics.observe(entry, by: name) { steps.addLine("\(name): observe \(topic)") }
  }

  private mutating func cease(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let name = clients.holder(of: session)?.name, let topic = entry.topic else { return }
    if topics.cease(topic, by: name) { steps.addLine("\(name): cease \(topic)") }
  }

  private mutating func deliver(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let name = clients.holder(of: session)?.name,
      let call = topics.delivery(entry, to: session, name)
    else { return }
    steps.addDelivery(call)
  }

  // MARK: - Ends

  private mutating func disconnect(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let reason = entry.reason.map(DisconnectReason.init(rawValue:)), let client = entry.client
    else { return }
    attached.remove(session)
    let isExpected = leaving.remove(session) != nil
    switch reason {
    case .connectionLost: lose(client)
    case .shutdown: stop()
    case .reclaimed: break
    case .clientRequest:
      if !isExpected, let holder = clients.holder(of: session) {
        steps.add(RecordedStep(.line("\(holder.name): close"), isTraced: false))
        steps.note(
          "\(holder.name) disconnected its scene by itself; the script closes the scene.")
      }
      clients.change(session) { $0.isFinished = true }
    case .replaced: break
    case .discarded, .watchdog: clients.change(session) { $0.isFinished = true }
    default:
      steps.note(
        "The broker disconnected \(clients.label(session)) (\(reason.rawValue)); the script cannot "
          + "reproduce this.")
      lose(client)
    }
  }

  private mutating func leave(_ client: ClientReference, _ reason: String?) {
    if reason == DisconnectReason.shutdown.rawValue { return stop() }
    let isKnown = clients.all.contains { $0.process == client.pid }
    if !isKnown, client.name == "scene", !connections.reconnects(client.pid) {
      steps.note(.withoutScene(client: client.name, process: client.pid))
    }
    lose(client)
  }

  /// Ends a process, unless it reconnects later.
  private mutating func lose(_ client: ClientReference) {
    guard !isStopping else { return }
    if connections.reconnects(client.pid) {
      let isKnown = clients.all.contains { $0.process == client.pid && !$0.isFinished }
      return steps.note(
        isKnown
          ? "\(client.name) \(client.pid) lost its connection; the script cannot reproduce this."
          : nil)
    }
    for name in clients.end(client.pid) {
      steps.add(RecordedStep(.line("kill \(name)"), heading: "\(name) is killed."))
    }
  }
}
