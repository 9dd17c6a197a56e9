import CommandLine
import SceneControl
import SceneModel
import ScenePlatform
import SceneScript

extension Errand {
  func record() throws(ProgramError) -> ExitCode {
    if printsJSON {
      let line = advice().line("trace --json")
      throw usageFailure("record has no JSON output; use: \(line)")
    }
    var recording = try beginRecording()
    if invocation.has("follow") {
      try follow(&recording)
    } else {
      try takeDown(&recording)
      recording.sessions = try ask { (broker) throws(ControlError) in
        try broker.sessions(until: patience())
      }
    }
    try write(recording.script, to: invocation.argument("FILE") ?? "-")
    return .success
  }

  private func beginRecording() throws(ProgramError) -> TraceRecording {
    let name = try ask { (broker) throws(ControlError) in
      try broker.broker(until: patience()).application.name
    }
    try observeTrace(after: nil)
    return TraceRecording(application: name)
  }

  // MARK: - Until Ctrl-C

  /// How often to look whether it is to end. What a broker does that lives for less than the time
  /// between two looks for one is missed.
  private static let lookAgain: Int64 = 100_000_000

  private func follow(_ recording: inout TraceRecording) throws(ProgramError) {
    let signals = try endingSignals()
    console.complain("scenectl: recording; press Ctrl-C to end and to write the script")
    while true {
      do throws(ProgramError) {
        try takeDown(&recording)
        while try !isToEnd(signals, within: 0) {
          let deadline = SystemClock.monotonic() + Self.lookAgain
          let told = try ask { (broker) throws(ControlError) in
            try broker.nextNotification(until: deadline)
          }
          if let told { try takeDown(&recording, told) }
        }
        _ = try ask { (broker) throws(ControlError) in try broker.request(Ping()) }
        try takeDown(&recording)
        recording.sessions = try ask { (broker) throws(ControlError) in
          try broker.sessions(until: patience())
        }
        return
      } catch {
        guard error.code == .noBroker else { throw error }
        // What it told before it ended is there still.
        try? takeDown(&recording)
        forgetBroker()
        guard try awaitBroker(signals) else { return }
      }
    }
  }

  private func endingSignals() throws(ProgramError) -> SignalSource {
    do throws(SystemError) {
      return try processControl.endingSignals()
    } catch {
      throw ProgramError(error)
    }
  }

  private func isToEnd(
    _ signals: SignalSource, within nanoseconds: Int64
  ) throws(ProgramError) -> Bool {
    do throws(SystemError) {
      return try signals.wait(nanoseconds: nanoseconds)
    } catch {
      throw ProgramError(error)
    }
  }

  /// Returns when another broker tells what happens; false if the recording is to end before.
  private func awaitBroker(_ signals: SignalSource) throws(ProgramError) -> Bool {
    while true {
      // A last look is had even then: it may have come just now.
      let isLast = try isToEnd(signals, within: Self.lookForBroker)
      do throws(ProgramError) {
        try observeTrace(after: nil)
        return true
      } catch {
        guard error.code == .noBroker else { throw error }
        forgetBroker()
        if isLast { return false }
      }
    }
  }

  // MARK: - What is told

  /// Takes in what the broker has told up to now, with another thing before that.
  private func takeDown(
    _ recording: inout TraceRecording, _ first: ControlNotification? = nil
  ) throws(ProgramError) {
    let own = Int64(ProcessIdentity.currentPID)
    var entries: [TraceEntry] = []
    try ask { (broker) throws(ControlError) in
      for notification in [first].compactMap({ $0 }) + (try broker.takeNotifications()) {
        switch try notification.read() {
        // That we come and ask is no part of it.
        case .trace(let entry): if entry.client?.pid != own { entries.append(entry) }
        case .posted(let event): recording.note(event)
        case .sessionChanged, .sessionDiscarded, .phaseChanged, .memoryWarning,
          .significantTimeChange, .delegate, nil:
          continue
        }
      }
    }
    // What one has that was there before is asked for when it is first told of.
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
    if !topics.isEmpty { try takeDown(&recording) }
  }

  /// Has the broker tell what is kept of what was posted.
  private func askForEvents(of topic: String) throws(ProgramError) {
    try ask { (broker) throws(ControlError) in
      let requests = [
        broker.post(EventObserve(topic: topic, last: 1_000_000)), broker.post(Ping()),
        broker.post(EventCease(topic: topic)),
      ]
      for request in requests { _ = try broker.result(of: request, until: patience()) }
    }
  }

  /// What is kept of what a session has saved; nothing of one that is gone.
  private func history(of session: SessionIdentifier) throws(ProgramError) -> [Generation] {
    try ask { (broker) throws(ControlError) in
      do throws(ControlError) {
        return try broker.request(SessionHistory(session: session), until: patience()).generations
      } catch .refused {
        return []
      }
    }
  }
}
