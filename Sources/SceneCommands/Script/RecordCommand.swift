import SceneCommandLine
import SceneControl
import SceneModel
import ScenePlatform
import SceneScript

extension Verb {
  static let record = Verb("record", traits: [.handlesInterrupts], run: CommandContext.record) {
    name in
    Command(
      name, "Write a script that repeats the recent actions.",
      details: """
        The script starts, moves, kills and replaces the same scenes, and expects the same \
        callbacks. `scenectl test` runs it. The input is the trace that the broker keeps: the last \
        10,000 entries since its start.

        The verb replaces a FILE that has content only with --force.

        With --follow the verb records until Ctrl-C, across restarts of the broker, and then \
        writes the script.

        The trace does not contain everything. The script lacks titles, refused requests and the \
        advances of a virtual clock. Comments at the beginning of a section name each known \
        difference. If scened had options, add them to the line `broker start`.
        """,
      arguments: [
        .optional("FILE", "the script to write (default: standard output, or `-`)", .file)
      ],
      options: [
        .flag("follow", short: "f", "record until Ctrl-C, across restarts of the broker"),
        .flag("force", "replace a FILE that has content"),
      ],
      examples: [
        "scenectl record story.scene": "Writes the actions since the broker started.",
        "scenectl record --follow story.scene": "Also records the actions until Ctrl-C.",
        "scenectl test story.scene": "Repeats the actions.",
      ])
  }
}

extension CommandContext {
  fileprivate func record() throws(ProgramError) -> ExitCode {
    if printsJSON {
      let line = suggestions().line("trace --json")
      throw usageFailure("record has no JSON output; use: \(line)")
    }
    let path = invocation.argument("FILE") ?? "-"
    try checkTarget(path)
    var recording = try beginRecording()
    if invocation.has("follow") {
      try follow(&recording)
    } else {
      try record(&recording)
      recording.sessions = try ask { (broker) throws(ControlError) in
        try broker.sessions(until: replyDeadline())
      }
    }
    try write(recording.script, to: path)
    return .success
  }

  /// A file with content may be a script that was edited by hand.
  private func checkTarget(_ path: String) throws(ProgramError) {
    guard path != "-", !invocation.has("force"), let status = try? FileStatus(of: path),
      status.kind == .regular, status.size > 0
    else { return }
    throw usageFailure(
      "\(PlainText.word(path)) exists; choose another file, or replace this one with --force")
  }

  private func beginRecording() throws(ProgramError) -> TraceRecording {
    let name = try ask { (broker) throws(ControlError) in
      try broker.broker(until: replyDeadline()).application.name
    }
    try observeTrace(after: nil, deliveries: true)
    return TraceRecording(application: name)
  }

  /// The time between two checks for a signal. The recording misses a broker that lives for less
  /// than this time.
  private static let signalCheckInterval: Int64 = 100_000_000

  private func follow(_ recording: inout TraceRecording) throws(ProgramError) {
    let signals = try endingSignals()
    console.printError("scenectl: recording; press Ctrl-C to end and to write the script")
    while true {
      do throws(ProgramError) {
        try record(&recording)
        while try !hasEndingSignal(signals, within: 0) {
          let deadline = SystemClock.monotonic() + Self.signalCheckInterval
          let notification = try ask { (broker) throws(ControlError) in
            try broker.nextNotification(until: deadline)
          }
          if let notification { try record(&recording, notification) }
        }
        _ = try ask { (broker) throws(ControlError) in try broker.request(Ping()) }
        try record(&recording)
        recording.sessions = try ask { (broker) throws(ControlError) in
          try broker.sessions(until: replyDeadline())
        }
        return
      } catch {
        guard error.code == .noBroker else { throw error }
        // Messages from before the end of the broker can still be unread.
        try? record(&recording)
        closeConnection()
        guard try awaitBroker(signals) else { return }
      }
    }
  }

  private func endingSignals() throws(ProgramError) -> SignalSource {
    try systemCall(processControl.signals(Signal.ending))
  }

  private func hasEndingSignal(
    _ signals: SignalSource, within nanoseconds: Int64
  ) throws(ProgramError) -> Bool {
    try systemCall(signals.wait(nanoseconds: nanoseconds))
  }

  /// Waits for another broker; false if a signal ends the recording first.
  private func awaitBroker(_ signals: SignalSource) throws(ProgramError) -> Bool {
    while true {
      // The last check follows the signal, because the broker can have started just now.
      let isLast = try hasEndingSignal(signals, within: Self.connectInterval)
      do throws(ProgramError) {
        try observeTrace(after: nil, deliveries: true)
        return true
      } catch {
        guard error.code == .noBroker else { throw error }
        closeConnection()
        if isLast { return false }
      }
    }
  }

  /// Records a notification and all that have arrived after it.
  private func record(
    _ recording: inout TraceRecording, _ first: ControlNotification? = nil
  ) throws(ProgramError) {
    let own = Int64(ProcessIdentity.currentPID)
    var entries: [TraceEntry] = []
    try ask { (broker) throws(ControlError) in
      for notification in [first].compactMap({ $0 }) + (try broker.takeNotifications()) {
        switch try notification.read() {
        // The entries of this process are not part of the recording.
        case .trace(let entry): if entry.client?.pid != own { entries.append(entry) }
        case .posted(let event): recording.note(event)
        case .sessionChanged, .sessionDiscarded, .phaseChanged, .memoryWarning,
          .significantTimeChange, .activated, .delegate, nil:
          continue
        }
      }
    }
    // The first entry of a session causes a query for its earlier activities.
    let known = Set(recording.entries.compactMap(\.session))
    recording.entries += entries
    let changed = entries.filter { entry in
      entry.event == .saved || entry.event == .connected
        || entry.session.map { !known.contains($0) } == true
    }
    for session in Set(changed.compactMap(\.session)) {
      recording.note(try history(of: session))
    }
    let topics = Set(entries.filter { $0.event == .posted }.compactMap(\.topic))
    for topic in topics.sorted() { try askForEvents(of: topic) }
    if !topics.isEmpty { try record(&recording) }
  }

  /// Makes the broker send the stored events of a topic.
  private func askForEvents(of topic: String) throws(ProgramError) {
    try ask { (broker) throws(ControlError) in
      let requests = [
        broker.post(EventObserve(topic: topic, last: 1_000_000)), broker.post(Ping()),
        broker.post(EventCease(topic: topic)),
      ]
      for request in requests { _ = try broker.result(of: request, until: replyDeadline()) }
    }
  }

  /// The stored generations of a session; none if the session no longer exists.
  private func history(of session: SessionIdentifier) throws(ProgramError) -> [Generation] {
    try ask { (broker) throws(ControlError) in
      do throws(ControlError) {
        return try broker.request(SessionHistory(session: session), until: replyDeadline())
          .generations
      } catch .refused {
        return []
      }
    }
  }
}
