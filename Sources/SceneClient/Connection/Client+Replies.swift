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
  ///   task is not sent.
  @discardableResult
  func reply<Message: RequestMessage>(
    to request: Message, handler: @escaping @Sendable (Message.Reply) -> Void = { _ in }
  ) async throws(SceneError) -> Message.Reply {
    if Task.isCancelled { throw .cancelled(isSent: false) }
    let result = try await result { waiter in
      let handled: Completion = { result in
        if case .success(let reply) = result.reply(to: Message.self) { handler(reply) }
        waiter.completion(result)
      }
      self.request((handled, waiter.token)) { request }
    }
    return try result.reply(to: Message.self).get()
  }

  /// Saves an activity, and waits until it or a newer one is saved.
  func save(
    _ activity: Activity?, of session: SessionIdentifier
  ) async throws(SceneError) -> SaveActivity.Reply {
    try await result { waiter in self.save(of: session, waiter) { activity } }
      .reply(to: SaveActivity.self).get()
  }

  /// Waits for the reply of a request, until the task is cancelled.
  private func result(
    _ send: (Waiter) -> Void
  ) async throws(SceneError) -> Result<BrokerReply, SceneError> {
    try startOnce()
    let token = RequestToken.next()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        send(({ continuation.resume(returning: $0) }, token))
        // A handler that ran before did not find the request.
        if Task.isCancelled { abandon(token) }
      }
    } onCancel: {
      abandon(token)
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
