import SceneClient
import SceneJSON
import SceneModel
import ScenePlatform

/// Stores the command of a hosted program with the session.
extension SceneController {
  /// The broker has this program. Replaces it, unless it is the command of this process.
  func store(over known: SessionProgram?, of session: SessionIdentifier) {
    guard state.withLock({ $0.storesProgram }) else { return }
    let wanted = programState?.stored
    let isStored =
      if let wanted, let known {
        known.withoutResume == wanted.withoutResume
      } else { wanted == nil }
    state.withLock { $0.program = isStored ? known : wanted }
    if !isStored { update(session) }
  }

  /// Notes the stored command, which the command of this process replaces. On a terminal, it is
  /// reported before the program starts.
  func noteReplaced(_ session: SessionSummary) {
    guard let known = session.program, let wanted = programState?.stored,
      StandardStream.error.isTerminal,
      known.arguments != wanted.arguments || known.environment != wanted.environment
        || known.retry != nil && known.retry != wanted.retry
        || known.onHangup != nil && known.onHangup != wanted.onHangup
        || known.onActivate != nil && known.onActivate != wanted.onActivate
    else { return }
    let title = session.title == known.title ? nil : session.title
    let message = advice.replacement(of: known, title, by: wanted, in: wanted.directory)
    state.withLock { $0.notice = message }
  }

  /// The command that continues the session; nil if it is the command that starts the session.
  var resumeCommand: [String]? { state.withLock { $0.program?.resume } }

  /// Stores the command that continues the session, if it is a new one.
  func store(resume: [String]) {
    let session = state.withLock { state -> SessionIdentifier? in
      guard state.program != nil, state.program?.resume != resume else { return nil }
      state.program?.resume = resume
      return state.session
    }
    if let session { update(session) }
  }

  private func update(_ session: SessionIdentifier) {
    guard let program = state.withLock({ $0.program }) else { return }
    client?.request(SceneUpdate(session: session, program: .value(program))) {
      [self] result in
      guard case .failure(let error) = result else { return }
      client?.enqueue(session) { [self] in reportCommand(error) }
    }
  }

  /// Reports once that the command which continues the session is not stored.
  func reportCommand(_ error: SceneError) {
    let problem = "the command that continues the session is not stored: \(error.message)"
    let isNew = state.withLock { exchange(&$0.work.commandProblem, with: problem) != problem }
    guard isNew else { return }
    tell(.failed(.activity, nil, SceneError(error.code, problem)))
    guard let session = state.withLock({ $0.session }) else { return }
    let report = SceneUpdate(
      session: session, problem: problem.clipped(to: TraceEntry.detailBytes))
    client?.request(report) { _ in }
  }
}

extension SessionProgram {
  /// The program without the command that continues it, which the program itself can set.
  fileprivate var withoutResume: SessionProgram {
    var program = self
    program.resume = nil
    return program
  }
}

extension Activity {
  /// The command beside the activity that continues the session.
  var resume: [String]? {
    get throws(MemberError) {
      let document = JSONDocument()
      guard (try? document.read(json.bytes.span)) != nil, let value = document.root["resume"],
        !value.isNull
      else { return nil }
      guard let words = try? [String](reading: value), words.first?.isEmpty == false else {
        throw MemberError(
          path: "resume", problem: "expected the words of a command, an array of strings")
      }
      return words
    }
  }
}
