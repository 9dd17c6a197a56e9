import SceneClient
import SceneCommandLine
import SceneModel
import ScenePlatform

/// The callbacks of a hosted program. The program starts after `willConnect`, reports its activity
/// in a file, and ends before the reply to `didDisconnect`.
extension SceneController {
  /// Reads the program's file before each callback.
  func prepare(before callback: Callback) {
    guard let programState else { return }
    switch callback.kind {
    case .willConnect:
      guard let message = callback.message as? WillConnect else { break }
      switch programState.continuing {
      case message.session: break
      case nil: prepareProgram(programState, message)
      case .some:
        // The broker connects another session to this process.
        endProgram(programState, mayComeBack: true)
        prepareProgram(programState, message)
      }
    case .stateRestorationActivity: answerFromFile(programState.file)
    case .didDisconnect: break
    default: saveFile()
    }
  }

  private func answerFromFile(_ file: ActivityFile) {
    readLastActivity()
    guard let flaw = file.flaw else { return }
    let path = file.path ?? ""
    tell(.failed(.activity, nil, SceneError(.invalidParams, "\(path): \(flaw)")))
  }

  /// Starts the program after `willConnect`, and ends it before `didDisconnect` is answered.
  /// Returns a refusal if the program cannot start.
  func moveProgram(by callback: Callback) -> CallAnswer? {
    guard let programState else { return nil }
    switch callback.message {
    case let message as WillConnect:
      if programState.takeContinuing() == message.session { return nil }
      return launch(programState).map(refuseScene)
    case let message as DidDisconnect: dismiss(programState, message)
    default: break
    }
    return nil
  }

  private func launch(_ programState: HostedProgramState) -> SystemError? {
    do throws(SystemError) {
      guard let launch = try programState.ready() else { return nil }
      let waiter = BlockingResult<SystemError?>()
      post(.launch(launch, waiter))
      return waiter.wait()
    } catch {
      return error
    }
  }

  private func refuseScene(_ error: SystemError) -> CallAnswer {
    state.withLock { ($0.isConnected, $0.activationState) = (false, .unattached) }
    end(error.isNotFound ? .noCommand : .badCommand, "\(error)")
    return .failed(message: "\(error)")
  }

  /// Ends the program before the reply to this callback. The scene saves the last activity, and the
  /// session's next process does not overlap with the program.
  private func dismiss(_ programState: HostedProgramState, _ message: DidDisconnect) {
    let session = message.session
    if message.reason == .shutdown, !state.withLock({ $0.isLaunched }) {
      // The next broker connects this session again, so the program continues.
      programState.continuing = session
      return saveBeforeDisconnect(session, programState) {}
    }
    client?.request(
      SceneExtend(session: session, seconds: TerminationSchedule.seconds + 2))
    endProgram(programState, mayComeBack: message.reason.mayComeBack)
    switch message.reason {
    case .reclaimed, .shutdown, .clientRequest:
      // This process can end after the reply to the callback.
      let waiter = BlockingResult<Void>()
      saveBeforeDisconnect(session, programState) { waiter.finish(()) }
      waiter.wait()
    case .discarded: state.withLock { $0.end.isDiscarded = true }
    default:
      answerFromFile(programState.file)
      state.withLock { state in
        guard state.work.activity != state.work.kept else { return }
        state.work.unsaved = "the scene has ended (\(message.reason.rawValue))"
      }
    }
  }

  /// The program runs in this process group, and its first process has the same number.
  func noteProgram(_ group: ProcessGroup, _ name: String, of session: SessionIdentifier) {
    programState?.file.directory?.noteProgram(group)
    let process = ProgramProcess(name: name, pid: Int64(group.number))
    state.withLock { $0.process = process }
    noteKept(process)
    sendProcess(of: session)
  }

  /// The program has ended, and runs again later.
  func noteProgramEnd() {
    let session = state.withLock { state in
      state.process = nil
      return state.session
    }
    noteKept(nil)
    if let session { sendProcess(of: session) }
  }

  /// Sends the program's process to the broker, which does not store it, and a report about its
  /// terminal.
  func sendProcess(of session: SessionIdentifier, _ report: String? = nil) {
    guard programState != nil else { return }
    client?.request {
      let (process, windows) = self.state.withLock { ($0.process, $0.kept.windows) }
      var shown = process
      shown?.terminal = windows
      return SceneUpdate(
        session: session, process: .orNull(shown),
        problem: report?.clipped(to: TraceEntry.detailBytes))
    }
  }

  private func endProgram(_ programState: HostedProgramState, mayComeBack: Bool) {
    let waiter = BlockingResult<Void>()
    post(.dismiss(isForGood: !mayComeBack, waiter))
    waiter.wait()
    state.withLock { $0.process = nil }
    noteKept(nil)
    programState.end()
  }

  /// Saves before the reply to this callback, while the scene exists.
  private func saveBeforeDisconnect(
    _ session: SessionIdentifier, _ programState: HostedProgramState,
    finish: @escaping @Sendable () -> Void
  ) {
    answerFromFile(programState.file)
    let (activity, isKept) = state.withLock { ($0.work.activity, $0.work.activity == $0.work.kept) }
    guard !isKept else { return finish() }
    let message = SaveActivity(session: session, activity: activity.value)
    client?.request(message) { [self] result in
      let result = result.map { BrokerReply($0) }
      take(result, of: activity.value)
      note(result)
      finish()
    }
  }

  // MARK: - Saving

  /// Reads the file in the scene's queue, so that no older save overtakes a newer one.
  func checkActivityFile() {
    guard let session = state.withLock({ $0.session }) else { return }
    client?.enqueue(session) { [self] in saveFile() }
  }

  /// The activity that the program has written since the last call. The program can write the
  /// command that continues its session beside the activity.
  private func takeChange(of file: ActivityFile) -> Patch<Activity> {
    let said = file.takeChange()
    guard case .value(let activity) = said else { return said }
    do throws(MemberError) {
      if let resume = try activity.resume {
        state.withLock { $0.work.commandProblem = nil }
        store(resume: resume)
      }
    } catch {
      reportCommand(SceneError(.invalidParams, "\(error)"))
    }
    return said
  }

  private func saveFile() {
    guard let programState else { return }
    let (session, isConnected) = state.withLock { ($0.session, $0.isConnected) }
    guard let session, isConnected else { return }
    let said = takeChange(of: programState.file)
    guard said != .absent else { return }
    save(said.value, of: session) { [self] result in note(result) }
  }

  /// Saves an unsaved activity. Posts `.finishedLastRequest` at the end.
  func saveLast() {
    guard let session = state.withLock({ $0.session }) else { return post(.finishedLastRequest) }
    saveUnsaved(session) { [self] in post(.finishedLastRequest) }
  }

  /// Reads the file in the scene's queue, and saves the activity once, unless the broker has it.
  func saveUnsaved(
    _ session: SessionIdentifier, finish: @escaping @Sendable () -> Void
  ) {
    client?.enqueue(session) { [self] in
      readLastActivity()
      let (activity, isKept) = state.withLock {
        ($0.work.activity, $0.work.activity == $0.work.kept || !$0.isConnected)
      }
      guard !isKept else { return finish() }
      save(activity.value, of: session) { [self] result in
        note(result)
        finish()
      }
    }
  }

  /// Reads the file. Without a client, its activity is unsaved, so the file stays.
  func readLastActivity() {
    guard let file = programState?.file else { return }
    let said = takeChange(of: file)
    if said != .absent { state.withLock { $0.work.activity = said } }
  }

  /// Reports how the program failed, if a broker is there. Posts `.finishedLastRequest` at the end.
  func report(_ exit: ClientExit) {
    let session = state.withLock { $0.isConnected && !$0.link.isWaiting ? $0.session : nil }
    guard let session else { return post(.finishedLastRequest) }
    client?.request(SceneDisconnect(session: session, exit: exit)) {
      [self] _ in post(.finishedLastRequest)
    }
  }

  func note(_ result: Result<BrokerReply, SceneError>) {
    let session = state.withLock { state in
      if case .failure(let error) = result { state.work.unsaved = error.message }
      return state.session
    }
    report(result, in: session)
  }

  /// The message about an unsaved activity; nil if all is saved. The file stays in that case.
  var complaintAboutActivity: String? {
    guard let programState else { return nil }
    let known = state.withLock { $0 }
    guard !known.end.isDiscarded else { return nil }
    let path = programState.file.path ?? ""
    if let flaw = programState.file.flaw { return complaint(aboutFile: path, flaw) }
    guard known.work.unsaved != nil || known.work.activity != known.work.kept else { return nil }
    let absence = "no broker runs"
    let reason = known.link.isWaiting ? absence : known.work.unsaved ?? absence
    return complaint(aboutFile: path, reason.printable)
      + "; the next scene of the session tries again"
  }

  func complaint(aboutFile path: String, _ reason: String) -> String {
    "the last activity of the program is not saved: \(reason); it stays in \(path)"
  }
}

extension DisconnectReason {
  /// Whether this process waits for another scene.
  fileprivate var mayComeBack: Bool {
    self == .reclaimed || self == .shutdown || self == .connectionLost
  }
}

extension Patch {
  fileprivate var value: Value? {
    if case .value(let value) = self { value } else { nil }
  }
}
