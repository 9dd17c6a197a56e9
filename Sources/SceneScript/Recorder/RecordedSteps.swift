import SceneModel

/// The steps of a script in order, and the step that causes the callbacks of each session.
struct RecordedSteps {
  private(set) var all: [RecordedStep] = []
  /// The index of the step that causes the callbacks of a session.
  private var causes: [SessionIdentifier: Int] = [:]
  /// The callbacks that precede their cause in the trace.
  private var earlyCalls: [SessionIdentifier: [RecordedStep.Call]] = [:]
  /// The index of the last step that posted an event.
  private var lastPost: Int?
  /// Notes and a heading for the next step.
  private var pendingNotes: [RecordedNote] = []
  private var pendingTitle: String?

  // MARK: - Steps

  /// Adds a step, or merges it with the last one. Returns its index.
  @discardableResult
  mutating func add(_ step: RecordedStep, causing session: SessionIdentifier? = nil) -> Int {
    var step = step
    step.notes += pendingNotes
    pendingNotes = []
    if step.title == nil { step.heading = pendingTitle }
    pendingTitle = nil
    if let session { step.calls = earlyCalls.removeValue(forKey: session) ?? [] }
    if let last = all.last, let merged = last.merging(step) {
      all[all.count - 1] = merged
    } else {
      all.append(step)
    }
    if let session { causes[session] = all.count - 1 }
    return all.count - 1
  }

  @discardableResult
  mutating func addLine(_ line: String) -> Int { add(RecordedStep(.line(line))) }

  /// Adds the line that posts an event; `text` is nil for an event that is unknown or cannot be
  /// typed.
  mutating func addPost(_ words: String, _ text: String?, _ topic: String) {
    lastPost = addLine(words + (text ?? "com.example.unknown"))
    if text == nil {
      note(
        "The event posted to \(topic) is not known or cannot be typed; a placeholder stands for it."
      )
    }
  }

  /// Sets the heading of the next step.
  mutating func begin(_ title: String?) { pendingTitle = title }

  /// Adds a note to the last step.
  mutating func note(_ text: String?) {
    if let text { note(.sentence(text)) }
  }

  mutating func note(_ note: RecordedNote) {
    guard !all.isEmpty else { return }
    all[all.count - 1].notes.append(note)
  }

  /// Adds a note to the next step.
  mutating func noteAhead(_ text: String?) {
    if let text { pendingNotes.append(.sentence(text)) }
  }

  /// Adds the notes for the next step to the last one.
  mutating func finish() {
    for item in pendingNotes { note(item) }
    pendingNotes = []
  }

  // MARK: - Causes

  func cause(of session: SessionIdentifier) -> RecordedStep? { causes[session].map { all[$0] } }

  mutating func setCause(_ step: Int, of session: SessionIdentifier) { causes[session] = step }

  mutating func removeCause(of session: SessionIdentifier) { causes[session] = nil }

  mutating func removeAllCauses() { causes = [:] }

  /// The index of the step whose callback to this session has no answer yet.
  func stepInProgress(of session: SessionIdentifier) -> Int? {
    causes[session].flatMap { cause in
      all[cause].calls.contains { $0.session == session && !$0.isSettled } ? cause : nil
    }
  }

  /// A script ends each line before the next one, so the callbacks of two overlapping requests
  /// differ.
  mutating func noteOverlap(with earlier: Int, _ label: String) {
    all[earlier].isTraced = false
    all[all.count - 1].isTraced = false
    note(
      "`\(all[all.count - 1].line)` came while `\(all[earlier].line)` was under way. The script "
        + "runs them one after the other, so it does not compare the callbacks of \(label).")
  }

  /// Adds the unknown activity to the step that activated the scene.
  mutating func continueActivity(in session: SessionIdentifier, _ label: String) {
    guard let cause = causes[session], all[cause].addContinuedActivity() else {
      return note("\(label) continued an activity, but no earlier line causes this.")
    }
    all[cause].note(
      "The activity that \(label) continued is not known; a placeholder stands for it.")
  }

  // MARK: - Callbacks

  /// Adds a callback to the step that causes it.
  mutating func addCall(_ call: RecordedStep.Call) {
    if let cause = causes[call.session] { all[cause].calls.append(call) }
  }

  /// Keeps a callback for the next step that concerns its session.
  mutating func addEarlyCall(_ call: RecordedStep.Call) {
    earlyCalls[call.session, default: []].append(call)
  }

  func hasEarlyCalls(of session: SessionIdentifier) -> Bool {
    earlyCalls[session]?.isEmpty == false
  }

  /// Adds an event. The later one of two steps causes it: the post, or the step that moved the
  /// scene.
  mutating func addDelivery(_ call: RecordedStep.Call) {
    guard let cause = [lastPost, causes[call.session]].compactMap({ $0 }).max() else { return }
    all[cause].calls.append(call)
  }

  /// Marks the last call of a callback as answered or timed out.
  mutating func settle(_ callback: String?, of session: SessionIdentifier) {
    if let cause = causes[session] { all[cause].settle(callback, of: session) }
  }

  /// Lets the client ignore a callback, and advances the clock. Returns the callback; nil if the
  /// script cannot reproduce this.
  mutating func timeOut(
    _ callback: String?, of session: SessionIdentifier, _ scriptClient: RecordedClients.Client
  ) -> CallbackKind? {
    guard let cause = causes[session], let kind = all[cause].timeOut(callback, of: session) else {
      return nil
    }
    if case .line = all[cause].action {
      note("\(scriptClient.name) did not answer \(kind); the script cannot reproduce this.")
      return nil
    }
    all[cause].isUnanswered = true
    if !scriptClient.hangingCallbacks.contains(kind) {
      all[cause].preparations.append("hang \(scriptClient.name) \(kind)")
      all[cause].note("The trace does not show whether \(scriptClient.name) hung or was stopped.")
    }
    add(RecordedStep(RecordedStep.advance), causing: session)
    return kind
  }
}
