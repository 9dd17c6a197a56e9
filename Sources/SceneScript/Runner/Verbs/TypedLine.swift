import SceneCommandLine
import ScenePlatform

/// Lines that a script types at a client.
extension ScriptEnvironment {
  /// Types a line, and waits for the answer or for the exit of the client.
  package func type(_ text: String, at name: String) throws(StepFailure) {
    let client = try liveClient(name)
    recordDiscard([text], of: client)
    let number = try client.type(text, until: deadline)
    // An exited client is handled when the environment settles.
    switch try typedAnswer(of: client, to: number) {
    case .refusal(_, let verb, let reason, let message):
      let why = PlainText.escaped(String(message.withoutLineNumber))
      let words = "\(name) refused the line: \(why)"
      // A scene names no verb for an unknown command. A delegate refuses only invalid lines.
      throw verb == nil || history.isDelegate(client)
        ? .usageError(words, reason: reason) : .mismatch(words, reason: reason)
    case .reply, .callback, .event, .state, .other, nil:
      return
    }
  }

  /// The answer of a client; nil if the client has exited.
  private func typedAnswer(of client: ScriptClient, to number: Int64) throws(StepFailure)
    -> ClientOutput?
  {
    while isFaultPending {
      if let answer = client.answer(to: number, until: nextPoll) { return answer }
      if client.hasClosedOutput { return nil }
      if broker?.process.end != nil { return try lastAnswer(of: client, to: number) }
      if SystemClock.monotonic() >= deadline { break }
    }
    if let answer = try answer(of: client, to: number) { return answer }
    guard client.hasClosedOutput else { throw .unrunnable("\(client.name) does not answer") }
    return nil
  }

  /// The client prints the broker's last messages before it reports that it waits.
  private func lastAnswer(of client: ScriptClient, to number: Int64) throws(StepFailure)
    -> ClientOutput?
  {
    while !client.isWaiting, client.nextOutput(until: deadline) != nil {}
    if let answer = client.answer(to: number, until: 0) { return answer }
    guard !client.hasClosedOutput else { return nil }
    throw .mismatch("no reply to \(client.name): the broker has ended", reason: "noBroker")
  }
}

extension String {
  /// Removes the line number that a scene adds, because it is no line of the script.
  fileprivate var withoutLineNumber: Substring {
    guard hasPrefix("line "), let colon = firstIndex(of: ":") else { return self[...] }
    return self[colon...].dropFirst(2)
  }
}
