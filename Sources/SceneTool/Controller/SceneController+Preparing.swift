import SceneClient
import SceneCommandLine
import SceneModel
import ScenePlatform

/// Prepares a run of the program, and recovers the activity of an earlier one.
extension SceneController {
  func prepareProgram(_ programState: HostedProgramState, _ message: WillConnect) {
    let session = message.session
    let notice = state.withLock { $0.notice.take() }
    if let notice { screen.complain("scene: \(notice.printable)") }
    // The file of the last run may contain an unsaved activity, too.
    programState.file.end()
    // The broker makes the directory.
    let dataPath = reply(to: DataDirectory(session: session))?.path
    // The saved activities, the newest last.
    let history = reply(to: SessionHistory(session: session))?.generations
    let abandoned = ActivityDirectory.abandoned(
      in: ActivityLocation.all(of: session, dataPath: dataPath))
    for leftover in abandoned.compactMap(\.leftover) { end(leftover) }
    let left = history.flatMap { generations in
      RecoveredActivity.find(in: abandoned, after: generations.last) { path, flaw in
        screen.complain(
          "scene: an earlier run of the program left an activity that cannot be saved: \(flaw); "
            + "correct or remove \(path), or save a newer activity")
      }
    }
    let restored = message.sceneSession.stateRestorationActivity
    let first = state.withLock { state in
      state.work.left = left
      return state.work.first
    }
    let activity =
      first ?? message.options.userActivities.first ?? (left.map(\.activity) ?? restored)
    programState.begin(
      session, with: activity, generation: history.map { $0.last?.number ?? 0 },
      dataPath: dataPath, resume: message.sceneSession.program?.resume,
      retry: message.sceneSession.configuration.retry, lastEnd: message.lastEnd?.word,
      environment: message.environment ?? LoginEnvironment())
  }

  /// The new program may need what the processes of the last run still have, such as a port.
  private func end(_ leftover: LeftoverProgram) {
    // Most processes end soon after the program.
    leftover.processes.awaitEnds(nanoseconds: 200_000_000)
    let processes = leftover.processes
    guard !processes.isEmpty else { return }
    let names = processes.map { process in
      let command = ProcessIdentity.command(of: process.pid)?.clipped(to: 60) ?? "a process"
      return "\(PlainText.escaped(command)) (\(process.pid))"
    }
    screen.complain(
      "scene: the last scene was killed; ending what its program left: "
        + names.joined(separator: ", "))
    leftover.end()
  }

  /// Waits for the reply to a request; nil if the broker refuses it.
  private func reply<Message: RequestMessage>(to message: Message) -> Message.Reply? {
    let waiter = BlockingResult<Message.Reply?>()
    client?.request(message) { waiter.finish(try? $0.get()) }
    return waiter.wait()
  }

  func saveRecovered(_ left: RecoveredActivity, of session: SessionIdentifier) {
    client?.save(left.activity, of: session) { [self] result in
      take(result, of: left.activity)
      if case .success = result { left.remove() }
      note(result)
    }
  }
}
