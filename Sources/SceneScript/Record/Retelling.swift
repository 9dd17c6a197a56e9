import SceneModel

/// Finds out from what brokers told who did what, and which callbacks came of it.
struct Retelling {
  private(set) var acts: [RecordedAct] = []
  var cast = RecordedCast()
  let recording: Recording
  /// The act that has a session's callbacks come.
  private var causes: [SessionIdentifier: Int] = [:]
  /// Those that came before the act they come of was told.
  private var early: [SessionIdentifier: [RecordedAct.Call]] = [:]
  /// Who asked for a session that nobody has had yet.
  private var makers: [SessionIdentifier: Int64] = [:]
  /// Sessions whose scene somebody has told to go.
  private var leaving: Set<SessionIdentifier> = []
  /// Those that a process has, and the newest generation of each.
  var attached: Set<SessionIdentifier> = []
  private var generations: [SessionIdentifier: Int64] = [:]
  /// Whether this broker has begun to end in order.
  private var isStopping = false
  /// How many entries were looked at, and in which a process is told of as being there for the last
  /// time.
  private var position = 0
  private let lastSigns: [Int64: Int]

  init(_ recording: Recording, _ story: TraceStory) {
    self.recording = recording
    let entries = story.lives.joined()
    var signs: [Int64: Int] = [:]
    for (index, entry) in entries.enumerated() {
      guard entry.event == .joined || entry.event == .connected else { continue }
      if let client = entry.client { signs[client.pid] = index }
    }
    lastSigns = signs
    let waits = entries.contains { $0.event == .overran }
    add(RecordedAct(.line("broker start" + (waits ? " --clock virtual" : "")), isTraced: false))
    tellWhatWasBefore(Array(entries))
    for (index, life) in story.lives.enumerated() {
      if index > 0 { changeBroker(waits) }
      for entry in life {
        take(entry)
        position += 1
      }
    }
  }

  // MARK: - Acts

  @discardableResult
  mutating func add(_ act: RecordedAct, causing session: SessionIdentifier? = nil) -> Int {
    var act = act
    if let session { act.calls = early.removeValue(forKey: session) ?? [] }
    if let last = acts.last, let merged = last.merging(act) {
      acts[acts.count - 1] = merged
    } else {
      acts.append(act)
    }
    if let session { causes[session] = acts.count - 1 }
    return acts.count - 1
  }

  mutating func note(_ note: String?) {
    guard let note, !acts.isEmpty else { return }
    acts[acts.count - 1].notes.append(note)
  }

  /// One broker ends and another begins; of whoever was with it some come back.
  private mutating func changeBroker(_ waits: Bool) {
    if !isStopping {
      add(RecordedAct(.line("broker kill"), heading: "The broker is killed, and another started."))
    }
    isStopping = false
    cast.loseBroker()
    for player in cast.players where !player.isOver && !isSeenAgain(player.process) {
      for name in cast.end(player.process) { add(RecordedAct(.line("kill \(name)"))) }
    }
    let start = add(RecordedAct(.line("broker start" + (waits ? " --clock virtual" : ""))))
    causes = [:]
    for player in cast.players where player.isAstray { causes[player.session] = start }
  }

  private func isSeenAgain(_ process: Int64) -> Bool { lastSigns[process, default: -1] >= position }

  /// Ends the broker in order, if that has not begun.
  private mutating func stop() {
    guard !isStopping else { return }
    isStopping = true
    let index = add(RecordedAct(.line("broker stop"), heading: "The broker ends in order."))
    for player in cast.players where !player.isOver { causes[player.session] = index }
  }

  // MARK: - Entries

  private mutating func take(_ entry: TraceEntry) {
    guard let session = entry.session else {
      if entry.event == .left, let client = entry.client { leave(client, entry.reason) }
      return
    }
    note(cast.meet(session, named: entry.name))
    switch entry.event {
    case .created: makers[session] = entry.asker
    case .connected: connect(session, entry)
    case .aimed: aim(session, entry)
    case .callback: call(session, entry)
    case .acknowledged: settle(session, entry)
    case .overran: overrun(session, entry)
    case .saved: save(session, entry)
    case .discarded: discard(session, entry)
    case .disconnected: disconnect(session, entry)
    case .failed where entry.reason == nil:
      settle(session, entry)
      note(
        "\(cast.label(session)) answered \(entry.callback ?? "") with an error; here it does not.")
    default: break
    }
  }

  private mutating func connect(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let client = entry.client else { return }
    attached.insert(session)
    generations[session] = entry.generation
    let maker = makers.removeValue(forKey: session)
    let label = cast.label(session)
    if let player = cast.holder(of: session), player.isAstray, player.process == client.pid {
      return cast.give(session, to: player)
    }
    if entry.reason == ConnectReason.resume.rawValue { return }
    if let asker = entry.asker, let host = cast.host(client.pid, for: session) {
      cast.give(session, to: host)
      let act =
        switch asker {
        case client.pid:
          RecordedAct.Deed.typed(host.name, "activate", control: "activate", session: label)
        case maker: RecordedAct.Deed.line("new \(label)")
        default: RecordedAct.Deed.control("activate", [label])
        }
      add(RecordedAct(act, asker: asker), causing: session)
      return
    }
    if client.name == Stage.cutName {
      add(RecordedAct(.line("cut \(label)")))
      causes[session] = nil
      return
    }
    let isTakenOver = early[session]?.isEmpty == false
    let former = cast.holder(of: session)
    var words = ["client"] + cast.start(client.pid, session)
    if entry.state == .background { words.append("--background") }
    if isTakenOver { words.append("--take-over") }
    if isTakenOver, let former { cast.replace(former) }
    let heading = isTakenOver ? "Another client takes over \(label)." : nil
    add(RecordedAct(.line(words.joined(separator: " ")), heading: heading), causing: session)
    if client.name != "scene" {
      note("\(client.name) had \(label); here it is scene, which does only what it is told to.")
    }
  }

  private mutating func aim(_ session: SessionIdentifier, _ entry: TraceEntry) {
    if entry.reason == DisconnectReason.discarded.rawValue { return }
    if entry.reason == DisconnectReason.shutdown.rawValue { return stop() }
    let label = cast.label(session)
    guard let state = entry.state, let asker = entry.asker else {
      causes[session] = nil
      return note("The broker sent \(label) elsewhere by itself, which a script cannot make it do.")
    }
    let isReclaimed = entry.reason == DisconnectReason.reclaimed.rawValue
    let verb =
      switch state {
      case .unattached: isReclaimed ? "reclaim" : "close"
      case .background: "background"
      case .foregroundInactive: "interrupt"
      case .foregroundActive: "activate"
      }
    if state == .unattached { leaving.insert(session) }
    let holder = cast.holder(of: session)
    if let holder, holder.process == asker, verb != "interrupt", verb != "reclaim" {
      let deed = RecordedAct.Deed.typed(holder.name, verb, control: verb, session: label)
      add(RecordedAct(deed), causing: session)
    } else {
      add(RecordedAct(.control(verb, [label]), asker: asker), causing: session)
    }
  }

  private mutating func save(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let generation = entry.generation else { return }
    generations[session] = generation
    let isOwn = entry.asker == nil || entry.asker == cast.holder(of: session)?.process
    save(generation, of: session, isAttached: isOwn && attached.contains(session))
  }

  private mutating func discard(_ session: SessionIdentifier, _ entry: TraceEntry) {
    let label = cast.label(session)
    leaving.insert(session)
    guard let asker = entry.asker else {
      causes[session] = nil
      return note("The broker discarded \(label) by itself, which a script cannot make it do.")
    }
    let holder = cast.holder(of: session)
    if let holder, holder.process == asker {
      add(
        RecordedAct(.typed(holder.name, "discard", control: "discard", session: label)),
        causing: session)
    } else {
      add(RecordedAct(.control("discard", [label]), asker: asker), causing: session)
    }
  }

  // MARK: - Callbacks

  private mutating func call(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let player = cast.holder(of: session),
      let callback = entry.callback.flatMap(CallbackKind.init(rawValue:))
    else { return }
    var call = RecordedAct.Call(player: player.name, session: session, callback: callback)
    // This one tells of an end that has come, whatever is answered.
    call.isSettled = callback == .didDisconnect
    call.conditions = entry.reason.map { ["reason=\($0)"] } ?? []
    if callback == .willConnect, let condition = lastCondition(of: session) {
      call.conditions.append(condition)
    }
    if entry.reason == DisconnectReason.replaced.rawValue {
      early[session, default: []].append(call)
    } else if let cause = causes[session] {
      acts[cause].calls.append(call)
    }
  }

  /// What is saved last up to here.
  private func lastCondition(of session: SessionIdentifier) -> String? {
    generations[session].flatMap { recording.condition(session, $0) }
  }

  /// The call that an entry is about, and the act that it came of.
  private func place(
    _ session: SessionIdentifier, _ entry: TraceEntry
  ) -> (cause: Int, call: Int)? {
    guard let cause = causes[session] else { return nil }
    let call = acts[cause].calls.lastIndex {
      $0.session == session && $0.callback.rawValue == entry.callback
    }
    return call.map { (cause, $0) }
  }

  private mutating func settle(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let (cause, call) = place(session, entry) else { return }
    acts[cause].calls[call].isSettled = true
  }

  private mutating func overrun(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let (cause, call) = place(session, entry), let player = cast.holder(of: session) else {
      return
    }
    settle(session, entry)
    acts[cause].calls[call].isAnswered = false
    let kind = acts[cause].calls[call].callback
    if case .line = acts[cause].deed {
      return note("\(player.name) did not answer \(kind), which it cannot be told beforehand here.")
    }
    acts[cause].isUnanswered = true
    if !player.hung.contains(kind) {
      acts[cause].preparations.append("hang \(player.name) \(kind)")
      acts[cause].notes.append("Whether \(player.name) hung or was stopped is not known.")
      cast.change(session) { $0.hung.insert(kind) }
    }
    add(RecordedAct(RecordedAct.advance), causing: session)
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
      if !isExpected, let holder = cast.holder(of: session) {
        add(RecordedAct(.line("\(holder.name): close"), isTraced: false))
        note("\(holder.name) gave its scene up without being called; here it is closed.")
      }
      cast.change(session) { $0.isOver = true }
    case .replaced: break
    case .discarded, .watchdog: cast.change(session) { $0.isOver = true }
    default:
      note(
        "\(cast.label(session)) was cut off (\(reason.rawValue)), which no line of a script does.")
      lose(client)
    }
  }

  private mutating func leave(_ client: ClientReference, _ reason: String?) {
    if reason == DisconnectReason.shutdown.rawValue { return stop() }
    let isKnown = cast.players.contains { $0.process == client.pid }
    if !isKnown, client.name == "scene", !isSeenAgain(client.pid) {
      note(
        "\(client.name) \(client.pid) came and left without a scene; what it asked is not known.")
    }
    lose(client)
  }

  /// A process is gone, unless it has only lost its connection.
  private mutating func lose(_ client: ClientReference) {
    guard !isStopping else { return }
    if isSeenAgain(client.pid) {
      let isKnown = cast.players.contains { $0.process == client.pid && !$0.isOver }
      return note(
        isKnown ? "\(client.name) \(client.pid) lost its connection, which no line does." : nil)
    }
    for name in cast.end(client.pid) {
      add(RecordedAct(.line("kill \(name)"), heading: "\(name) is killed."))
    }
  }
}
