import CommandLine
import ScenePlatform

/// What a person would type at a client.
extension Stage {
  /// Returns when it is answered, or has ended the client.
  package func type(_ text: String, at name: String) throws(StepFailure) {
    let player = try livePlayer(name)
    noteDiscard([text], of: player)
    let number = try player.type(text, until: deadline)
    // One that has ended is waited for like everybody.
    switch try typedAnswer(of: player, to: number) {
    case .refusal(_, let verb, let reason, let message):
      let words = "\(name) says: \(PlainText.escaped(String(message.withoutLineNumber)))"
      // A scene answers what is no command without saying which it was; a delegate refuses nothing else.
      throw verb == nil || chronicle.isDelegate(player)
        ? .misuse(words, reason: reason) : .no(words, reason: reason)
    case .reply, .callback, .event, .state, .other, nil:
      return
    }
  }

  /// The client's answer; nil if it has ended. A broker that dies where it was told to may owe it.
  private func typedAnswer(of player: Player, to number: Int64) throws(StepFailure) -> Saying? {
    while isDoomed {
      if let answer = player.answer(to: number, until: nextLook) { return answer }
      if player.isSilent { return nil }
      if broker?.process.end != nil { return try lastAnswer(of: player, to: number) }
      if SystemClock.monotonic() >= deadline { break }
    }
    if let answer = try answer(of: player, to: number) { return answer }
    guard player.isSilent else { throw .broken("\(player.name) does not answer") }
    return nil
  }

  /// What the broker said before it died is told before the client says that it waits.
  private func lastAnswer(of player: Player, to number: Int64) throws(StepFailure) -> Saying? {
    while !player.isWaiting, player.hear(until: deadline) != nil {}
    if let answer = player.answer(to: number, until: 0) { return answer }
    guard !player.isSilent else { return nil }
    throw .no("\(player.name) is not answered; the broker is gone", reason: "noBroker")
  }
}

extension String {
  /// A scene counts the lines it is given, which are not those of the script.
  fileprivate var withoutLineNumber: Substring {
    guard hasPrefix("line "), let colon = firstIndex(of: ":") else { return self[...] }
    return self[colon...].dropFirst(2)
  }
}
