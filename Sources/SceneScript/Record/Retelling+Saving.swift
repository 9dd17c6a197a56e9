import SceneModel

extension Retelling {
  /// The line that saves a generation again.
  mutating func save(_ generation: Int64, of session: SessionIdentifier, isAttached: Bool) {
    let label = cast.label(session)
    let typed = recording.typed(session, generation)
    let text = typed?.text ?? "com.example.unknown {\"generation\": \(generation)}"
    if isAttached, let holder = cast.holder(of: session) {
      add(RecordedAct(.line("\(holder.name): activity \(text)")))
    } else {
      add(RecordedAct(.line("save \(label) \(text == "null" ? "--clear" : text)")))
    }
    note(typed?.note)
    if typed == nil {
      note("What \(label) saved as generation \(generation) is not known; this stands for it.")
    }
  }

  // MARK: - What was there before

  /// Makes the sessions that were there before anything was told, as they seem to have been.
  mutating func tellWhatWasBefore(_ entries: [TraceEntry]) {
    var known: Set<SessionIdentifier> = []
    for (index, entry) in entries.enumerated() {
      guard let session = entry.session, known.insert(session).inserted, entry.event != .created
      else { continue }
      note(cast.meet(session, named: entry.name))
      let story = entries[index...].filter { $0.session == session }
      make(session, entry, story, isFirst: known.count == 1)
    }
  }

  private mutating func make(
    _ session: SessionIdentifier, _ entry: TraceEntry, _ story: [TraceEntry], isFirst: Bool
  ) {
    let start = Beginning(entry)
    let process = entry.client?.pid ?? 0
    let isSilent = start == .alive && story.isInBackground || start.isUnattached
    var words = ["client"] + cast.start(process, session)
    if isSilent { words.append("--background") }
    add(
      RecordedAct(
        .line(words.joined(separator: " ")),
        heading: isFirst ? "What was there before it, as far as that is known." : nil,
        isTraced: false))
    let saved = story.first { $0.event == .saved }?.generation.map { $0 - 1 }
    let before = entry.event == .connected ? entry.generation : saved
    if let generation = before ?? recording.activities[session]?.keys.max(), generation > 0 {
      save(generation, of: session, isAttached: true)
    }
    guard let name = cast.holder(of: session)?.name else { return }
    switch start {
    case .alive: attached.insert(session)
    case .lost: end(session, "kill \(name)")
    case .gone: end(session, "\(name): close")
    case .reclaimed: add(RecordedAct(.control("reclaim", [cast.label(session)])))
    }
  }

  private mutating func end(_ session: SessionIdentifier, _ line: String) {
    add(RecordedAct(.line(line)))
    cast.change(session) { $0.isOver = true }
  }
}

/// How a session was before something was told of it.
private enum Beginning: Equatable {
  case alive
  /// Its last client had gone without a word.
  case lost
  case gone
  case reclaimed

  init(_ entry: TraceEntry) {
    guard entry.event == .connected else {
      self = entry.client == nil ? .gone : .alive
      return
    }
    self =
      switch entry.reason.map(ConnectReason.init(rawValue:)) {
      case .resume: .alive
      case .recover: .lost
      case .activation: .reclaimed
      default: .gone
      }
  }

  var isUnattached: Bool { self != .alive }
}

extension [TraceEntry] {
  fileprivate var isInBackground: Bool {
    let first = first { $0.event == .callback }?.callback
    return first == CallbackKind.willEnterForeground.rawValue || self.first?.state == .background
  }
}

extension TraceEntry {
  /// The process that asked for it.
  var asker: Int64? {
    guard let detail, detail.hasPrefix("by ") else { return nil }
    // What else there is to say follows behind a semicolon.
    let name = detail.firstRange(of: "; ").map { detail[..<$0.lowerBound] } ?? detail[...]
    return name.split(separator: " ").last.flatMap { Int64($0) }
  }
}
