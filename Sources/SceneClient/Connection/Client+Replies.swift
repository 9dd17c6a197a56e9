import SceneModel
import ScenePlatform

extension Client {
  /// Starts the client if necessary, sends a request, and waits for its reply.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - handler: runs with the reply, in the order of all replies.
  /// - Returns: The reply.
  /// - Throws: The refusal of the broker, or the error of the client. A request of a cancelled
  ///   task, or after its deadline, is not sent.
  @discardableResult
  func reply<Message: RequestMessage>(
    to request: Message, handler: @escaping @Sendable (Message.Reply) -> Void = { _ in }
  ) async throws(SceneError) -> Message.Reply {
    if Task.isCancelled { throw AbandonReason.cancelled.error(isSent: false) }
    if let deadline = SceneApplication.deadline, deadline <= SystemClock.monotonic() {
      throw AbandonReason.timedOut.error(isSent: false)
    }
    let result = try await result { completion, token in
      let handled: Completion = { result in
        if case .success(let reply) = result.reply(to: Message.self) { handler(reply) }
        completion(result)
      }
      self.request((handled, token)) { request }
    }
    return try result.reply(to: Message.self).get()
  }

  /// Saves an activity, and waits until it or a newer one is saved.
  func save(
    _ activity: Activity?, of session: SessionIdentifier
  ) async throws(SceneError) -> SaveActivity.Reply {
    try await result { self.save(activity, of: session, ($0, $1)) }
      .reply(to: SaveActivity.self).get()
  }

  /// Waits for the reply of a request, until the task is cancelled or its deadline has passed.
  private func result(
    _ send: (@escaping Completion, RequestToken) -> Void
  ) async throws(SceneError) -> Result<BrokerReply, SceneError> {
    try startOnce()
    let token = RequestToken.next()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        send({ continuation.resume(returning: $0) }, token)
        if let deadline = SceneApplication.deadline { setDeadline(deadline, of: token) }
        // A handler that ran before did not find the request.
        if Task.isCancelled { abandon(token, .cancelled) }
      }
    } onCancel: {
      abandon(token, .cancelled)
    }
  }

  /// Connects to the broker, unless the client was started before.
  func startOnce() throws(SceneError) {
    do throws(SystemError) {
      try start()
    } catch {
      throw SceneError(error)
    }
  }
}

extension SceneApplication {
  /// The deadline of the requests of this task, by `SystemClock.monotonic()`.
  @TaskLocal static var deadline: Int64?

  /// Sets a time limit for the requests of the library in `body`, also in its child tasks. A
  /// request at the end of the time fails with ``SceneError/Code/timedOut``. The limit does not
  /// cancel other work.
  ///
  /// ```swift
  /// try await SceneApplication.withTimeout(.seconds(2)) { () async throws(SceneError) in
  ///   try await scene.save(activity)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - duration: the time from now on, for all requests together. An earlier limit of an outer
  ///     call stays.
  ///   - body: the requests.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  public static func withTimeout<Result>(
    _ duration: Duration, _ body: () async throws(SceneError) -> Result
  ) async throws(SceneError) -> Result {
    let end = SystemClock.monotonic() + duration.nanoseconds
    do {
      return try await $deadline.withValue(min(end, deadline ?? .max)) { try await body() }
    } catch let error as SceneError {
      throw error
    } catch {
      preconditionFailure("body throws only SceneError")
    }
  }
}
