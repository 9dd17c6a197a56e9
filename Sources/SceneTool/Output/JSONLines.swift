import SceneClient
import SceneJSON
import SceneModel

/// One JSON object for each line, for scripts. Carried JSON keeps its bytes.
struct JSONLines: OutputFormatter {
  func lines(for event: SceneEvent) -> [String] {
    switch event {
    // The callback and the reply contain the same information.
    case .exchanged, .postponed: []
    default: [JSONWriter.object { write(event, to: &$0) }.description]
    }
  }

  private func write(_ event: SceneEvent, to writer: inout JSONWriter) {
    switch event {
    case .callback(let callback, let answer, let isClassic):
      write(callback, answer, isClassic, to: &writer)
    case .replied(let command, let identifier, let reply):
      writer.name("reply")
      reply.content.write(to: &writer)
      write(command, identifier, to: &writer)
    case .hanging(_, let identifier):
      writer.member("reply", .emptyObject)
      write(.hang, identifier, to: &writer)
    case .explained(let about, let identifier):
      let commands = "[\(PromptCommand.json(about: about).joined(separator: ","))]"
      writer.name("reply")
      writer.object { $0.member("commands", RawJSON(unchecked: ContiguousArray(commands.utf8))) }
      write(.help, identifier, to: &writer)
    case .failed(let command, let identifier, let error):
      writer.name("error")
      writer.object { writer in
        writer.member("reason", error.name)
        writer.member("message", message(of: error, command))
        writer.member("retry", error.retry.rawValue)
      }
      write(command, identifier, to: &writer)
    case .unanswered(let reason):
      write(state: "unanswered", nil, nil, to: &writer)
      writer.member("message", ifPresent: reason)
    case .waiting: write(state: "waiting", nil, nil, to: &writer)
    case .connected: write(state: "connected", nil, nil, to: &writer)
    case .posted(let event):
      writer.member("event", "posted")
      event.writeMembers(to: &writer)
    case .gap(let topic):
      writer.member("event", "gap")
      writer.member("topic", topic)
    case .noticed(let notice, let isClassic):
      writer.member("notice", notice.rawValue)
      writer.member("classic", ifPresent: isClassic ? notice.classicName : nil)
    case .resumed(let session): write(state: "resumed", session, nil, to: &writer)
    case .idle(let session, let reason, let isUnknown):
      write(state: "idle", session, reason, to: &writer)
      writer.member("unknown", ifPresent: isUnknown ? true : nil)
    case .exchanged, .postponed: break
    case .ended(let ending): write(ending, to: &writer)
    }
  }

  /// The message with the members of the command, which has the conditions without an object.
  private func message(of error: SceneError, _ command: PromptCommand?) -> String {
    guard command?.name == PromptCommand.conditions.name else { return error.message }
    return error.message.replacing("activationConditions.", with: "")
  }

  private func write(_ ending: SceneTermination, to writer: inout JSONWriter) {
    write(state: "ended", ending.session, ending.reason, to: &writer)
    writer.member("unanswered", ifPresent: ending.callback?.rawValue)
    writer.member("unknown", ifPresent: ending.isUnknown ? true : nil)
    writer.member("discarded", ifPresent: ending.isDiscarded ? true : nil)
    writer.member("host", ifPresent: ending.host)
  }

  private func write(
    _ callback: Callback, _ answer: CallAnswer?, _ isClassic: Bool, to writer: inout JSONWriter
  ) {
    writer.member("callback", callback.kind.rawValue)
    writer.member("classic", ifPresent: isClassic ? callback.kind.classicName : nil)
    if var message = callback.message as? WillConnect {
      // The values are only for the environment of the program.
      message.environment = nil
      message.writeMembers(to: &writer)
    } else {
      callback.message.writeMembers(to: &writer)
    }
    switch answer {
    case nil:
      writer.member("answered", false)
    case .activity(.value(let activity)):
      writer.name("answer")
      activity.write(to: &writer)
    default: break
    }
  }

  private func write(
    _ command: PromptCommand?, _ identifier: RawJSON?, to writer: inout JSONWriter
  ) {
    writer.member("do", ifPresent: command?.name)
    if let identifier { writer.member("id", identifier) }
  }

  private func write(
    state: String, _ session: SessionIdentifier?, _ reason: DisconnectReason?,
    to writer: inout JSONWriter
  ) {
    writer.member("state", state)
    writer.member("session", ifPresent: session)
    writer.member("reason", ifPresent: reason)
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: String, ifPresent value: (some JSONCodable)?) {
    guard let value else { return }
    self.name(name)
    value.write(to: &self)
  }
}
