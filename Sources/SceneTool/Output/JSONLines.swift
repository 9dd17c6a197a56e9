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
        writer.member("message", error.message)
        writer.member("retry", error.retry.rawValue)
      }
      write(command, identifier, to: &writer)
    case .unanswered(let reason):
      write(state: "unanswered", nil, nil, to: &writer)
      if let reason {
        writer.member("message", reason)
      }
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
      if isClassic {
        writer.member("classic", notice.classicName)
      }
    case .resumed(let session): write(state: "resumed", session, nil, to: &writer)
    case .idle(let session, let reason, let isUnknown):
      write(state: "idle", session, reason, to: &writer)
      if isUnknown { writeUnknown(to: &writer) }
    case .exchanged, .postponed: break
    case .ended(let ending): write(ending, to: &writer)
    }
  }

  private func write(_ ending: SceneTermination, to writer: inout JSONWriter) {
    write(state: "ended", ending.session, ending.reason, to: &writer)
    if let callback = ending.callback {
      writer.member("unanswered", callback.rawValue)
    }
    if ending.isUnknown { writeUnknown(to: &writer) }
    if ending.isDiscarded {
      writer.member("discarded", true)
    }
  }

  private func writeUnknown(to writer: inout JSONWriter) {
    writer.member("unknown", true)
  }

  private func write(
    _ callback: Callback, _ answer: CallAnswer?, _ isClassic: Bool, to writer: inout JSONWriter
  ) {
    writer.member("callback", callback.kind.rawValue)
    if isClassic {
      writer.member("classic", callback.kind.classicName)
    }
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
    if let command {
      writer.member("do", command.name)
    }
    if let identifier {
      writer.member("id", identifier)
    }
  }

  private func write(
    state: String, _ session: SessionIdentifier?, _ reason: DisconnectReason?,
    to writer: inout JSONWriter
  ) {
    writer.member("state", state)
    if let session {
      writer.name("session")
      session.write(to: &writer)
    }
    if let reason {
      writer.name("reason")
      reason.write(to: &writer)
    }
  }
}
