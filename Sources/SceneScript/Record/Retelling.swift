import SceneModel

/// Finds out from what brokers told who did what, and which callbacks came of it.
struct Retelling {
  var acts: [RecordedAct] = []
  var cast: RecordedCast
  let recording: Recording
  /// The act that has a session's callbacks come.
  var causes: [SessionIdentifier: Int] = [:]
  /// Those that came before the act they come of was told.
  var early: [SessionIdentifier: [RecordedAct.Call]] = [:]
  /// Who asked for a session that nobody has had yet.
  var makers: [SessionIdentifier: Int64] = [:]
  /// Sessions whose scene somebody has told to go.
  var leaving: Set<SessionIdentifier> = []
  /// Those that a process has, and the newest generation of each.
  var attached: Set<SessionIdentifier> = []
  var generations: [SessionIdentifier: Int64] = [:]
  /// The act that posted the newest event.
  var lastPost: Int?
  /// What each client observes.
  var observed: [String: Set<String>] = [:]
  /// Whether this broker has begun to end in order.
  var isStopping = false
  /// How many entries were looked at, and in which a process is told of as being there for the last
  /// time.
  private var position = 0
  private let lastSigns: [Int64: Int]
  /// Processes that the broker had started.
  let launched: Set<Int64>
  /// What is to be told with the next act, and the title of the section that it begins unless it has
  /// one of its own.
  private var notesToCome: [RecordedNote] = []
  var titleToCome: String?

  init(_ recording: Recording, _ story: TraceStory) {
    self.recording = recording
    // A script starts everybody itself.
    let entries = story.lives.joined().filter { !$0.isAboutLaunching }
    launched = Set(story.lives.joined().filter(\.isAboutLaunching).compactMap(\.client?.pid))
    let names = entries.compactMap(\.name) + (recording.sessions ?? []).compactMap(\.name)
    cast = RecordedCast(besides: Set(names))
    var signs: [Int64: Int] = [:]
    for (index, entry) in entries.enumerated() {
      guard entry.event == .joined || entry.event == .connected else { continue }
      if let client = entry.client { signs[client.pid] = index }
    }
    lastSigns = signs
    let waits = entries.contains { $0.event == .overran }
    add(RecordedAct(.line("broker start" + (waits ? " --clock virtual" : "")), isTraced: false))
    tellWhatWasBefore(entries)
    for (index, life) in story.lives.enumerated() {
      if index > 0 { changeBroker(waits) }
      for entry in life where !entry.isAboutLaunching {
        take(entry)
        position += 1
      }
    }
    for item in notesToCome { note(item) }
  }

  // MARK: - Acts

  @discardableResult
  mutating func add(_ act: RecordedAct, causing session: SessionIdentifier? = nil) -> Int {
    var act = act
    act.notes += notesToCome
    notesToCome = []
    if act.title == nil { act.heading = titleToCome }
    titleToCome = nil
    if let session { act.calls = early.removeValue(forKey: session) ?? [] }
    if let last = acts.last, let merged = last.merging(act) {
      acts[acts.count - 1] = merged
    } else {
      acts.append(act)
    }
    if let session { causes[session] = acts.count - 1 }
    return acts.count - 1
  }

  mutating func note(_ text: String?) {
    if let text { note(.sentence(text)) }
  }

  mutating func note(_ note: RecordedNote) {
    guard !acts.isEmpty else { return }
    acts[acts.count - 1].notes.append(note)
  }

  /// The session is one of the script's from here on.
  mutating func meet(_ session: SessionIdentifier, _ entry: TraceEntry) {
    if let note = cast.meet(session, named: entry.name) { notesToCome.append(.sentence(note)) }
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

  func isSeenAgain(_ process: Int64) -> Bool { lastSigns[process, default: -1] >= position }

  /// Ends the broker in order, if that has not begun.
  mutating func stop() {
    guard !isStopping else { return }
    isStopping = true
    let index = add(RecordedAct(.line("broker stop"), heading: "The broker ends in order."))
    for player in cast.players where !player.isOver { causes[player.session] = index }
  }

  // MARK: - Entries

  private mutating func take(_ entry: TraceEntry) {
    guard let session = entry.session else {
      if entry.event == .left, let client = entry.client { leave(client, entry.reason) }
      if entry.event == .posted { post(entry) }
      return
    }
    meet(session, entry)
    switch entry.event {
    case .created: makers[session] = entry.by?.pid
    case .connected: connect(session, entry)
    case .aimed: aim(session, entry)
    case .callback: call(session, entry)
    case .acknowledged: settle(session, entry)
    case .overran: overrun(session, entry)
    case .saved: save(session, entry)
    case .discarded: discard(session, entry)
    case .disconnected: disconnect(session, entry)
    case .observed: observe(session, entry)
    case .ceased: cease(session, entry)
    case .delivered: deliver(session, entry)
    case .failed where entry.reason == nil:
      settle(session, entry)
      note(
        "\(cast.label(session)) answered \(entry.callback ?? "") with an error; here it does not.")
    default: break
    }
  }

  private mutating func save(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let generation = entry.generation else { return }
    generations[session] = generation
    let isOwn = entry.by?.pid == nil || entry.by?.pid == cast.holder(of: session)?.process
    save(generation, of: session, isAttached: isOwn && attached.contains(session))
  }
}

extension TraceEntry {
  fileprivate var isAboutLaunching: Bool {
    event == .launched || event == .exited || event == .launchFailed
  }
}
