import SceneCommandLine
import SceneControl
import SceneJSON
import SceneModel
import ScenePlatform
import SceneWire

extension CommandContext {
  /// Sends a request for each session, and returns after all replies. Prints an error for each
  /// session that failed.
  func perform<Message: RequestMessage>(
    on sessions: [SessionSummary], _ message: (SessionIdentifier) -> Message,
    checking: (SessionSummary, RawJSON) throws -> ProgramError? = { _, _ in nil }
  ) throws -> ExitCode {
    let broker = try broker
    let requests = sessions.map { broker.post(message($0.session)) }
    let unanswered = try invocation.has("no-wait") ? openRequestsAfterPing(requests) : []
    var code = ExitCode.success
    for (session, request) in zip(sessions, requests) where !unanswered.contains(request) {
      do {
        let json = try replyWithRetry(
          to: request, message(session.session), about: session.label, as: session.sceneWords)
        if let failure = try checking(session, json) { throw failure }
        if printsJSON { console.print(json) }
      } catch {
        let failure = explained(failure(for: error), session)
        console.printError(failure, asJSON: printsJSON)
        if code == .success { code = failure.code }
      }
    }
    return code
  }

  /// Adds the likely cause to an error: the watchdog disconnected the scene, or its process is
  /// stopped.
  private func explained(_ failure: ProgramError, _ session: SessionSummary) -> ProgramError {
    guard let client = session.client else { return failure }
    var failure = failure
    if failure.reply != nil, let end = try? lastDisconnect(of: session), end.reason == .watchdog {
      failure.message = "\(session.label): \(end.explanation)\n\(failure.message)"
    }
    if let pid = Int32(exactly: client.pid), pid > 1, ProcessActivity(of: pid)?.state == .stopped {
      failure.message +=
        "\n\(PlainText.escaped(client.processLabel)) is stopped, as by Ctrl-Z; "
        + "continue the process with: kill -CONT \(pid)"
    }
    return failure
  }

  /// The end of the session's last scene; nil if the session has a scene.
  func lastDisconnect(of session: SessionSummary) throws -> DisconnectOutcome? {
    try broker.find(session.session, until: replyDeadline())?.details.summary.disconnect
  }

  /// The requests without a reply after the broker has accepted or refused all of them. The broker
  /// handles requests in order, so a reply to a later ping shows this.
  private func openRequestsAfterPing(_ requests: [Int64]) throws -> [Int64] {
    let broker = try broker
    _ = try broker.request(Ping(), until: replyDeadline())
    return requests.filter { !broker.isAnswered($0) }
  }

  /// The reply to a request that can be sent again; nil with `--no-wait` after the broker has
  /// accepted the request. `session` is the argument of `scene` in hints.
  func replyUnlessAccepted(
    to request: some RequestMessage, about label: String, as session: String = "NAME"
  ) throws -> RawJSON? {
    let number = try broker.post(request)
    if invocation.has("no-wait"), try !openRequestsAfterPing([number]).isEmpty { return nil }
    return try replyWithRetry(to: number, request, about: label, as: session)
  }

  /// The reply to a request. If the broker asks for an immediate retry, the request is sent again a
  /// few times.
  func replyWithRetry(
    to number: Int64, _ request: some RequestMessage, about label: String,
    as session: String = "NAME"
  ) throws -> RawJSON {
    // A refusal of `initialize` is not one of this request.
    _ = try broker.greeting(until: replyDeadline())
    var number = number
    var pause: Int64 = 10_000_000
    while true {
      do {
        return try awaitedReply(to: number, label)
      } catch ControlError.refused(let refusal) {
        guard refusal.retry == .now, pause < Self.longestPause else {
          let advised = refusal.session.flatMap(summary(of:))
          throw ProgramError(
            refusal, about: label,
            suggestions: suggestions(for: advised?.sceneWords ?? session, reopening: advised))
        }
      }
      try broker.pause(nanoseconds: pause)
      number = try broker.post(request)
      pause *= 2
    }
  }

  /// The sum of all pauses is about this time.
  private static var longestPause: Int64 { 1_000_000_000 }

  /// Nil if the session is unknown.
  private func summary(of session: String) -> SessionSummary? {
    (try? findSessions([session]))?.first?.details.summary
  }

  /// The result of a request about a session; the request can be sent again.
  func result(of request: some RequestMessage, about session: FoundSession) throws -> RawJSON {
    try replyWithRetry(
      to: broker.post(request), request, about: session.details.summary.label)
  }

  /// The reply to a request that is not sent again.
  func awaitedReply(to request: Int64, _ label: String) throws -> RawJSON {
    // A broker that does not reply to initialize is not busy with this request.
    _ = try broker.greeting(until: replyDeadline())
    if let json = try awaitedReply(to: request, until: diagnosisTime) { return json }
    var diagnosis = waitDiagnosis(until: replyDeadline())
    if let diagnosis, isLongWait { console.printError("scenectl: \(label): \(diagnosis)") }
    if let json = try awaitedReply(to: request, until: deadline) { return json }
    // The reason can have changed.
    if diagnosis != nil {
      diagnosis = waitDiagnosis(until: SystemClock.monotonic() + Self.diagnosisDelay)
    }
    let timeout = timeoutText ?? ""
    let rest = diagnosis ?? "the broker continues the request; see: \(suggestions().line("trace"))"
    throw ProgramError(.timedOut, "\(label): timed out after \(timeout): \(rest)")
  }

  /// Nil at the deadline.
  private func awaitedReply(to request: Int64, until deadline: Int64?) throws -> RawJSON? {
    do {
      return try broker.result(of: request, until: deadline)
    } catch ControlError.timedOut {
      return nil
    }
  }

  /// The reply to a request whose error is a list: each line of the error is an item.
  func replyListingErrors(to request: Int64, _ label: String) throws -> RawJSON {
    do {
      return try awaitedReply(to: request, label)
    } catch ControlError.refused(let refusal) {
      throw ProgramError(refusal, listing: true, suggestions: suggestions())
    }
  }

  /// Sends a request that must not be sent again, and waits for the reply.
  func send(_ message: some RequestMessage, as label: String) throws -> ExitCode {
    succeed(try awaitedReply(to: broker.post(message), label))
  }

  /// Sends a request that the broker answers when it is done, and waits for the reply.
  func send(_ message: some RequestMessage) throws -> ExitCode {
    succeed(try broker.result(of: broker.post(message), until: deadline))
  }

  /// Ends a verb that prints nothing but, with `--json`, the reply of the broker.
  func succeed(_ json: RawJSON) -> ExitCode {
    if printsJSON { console.print(json) }
    return .success
  }
}
