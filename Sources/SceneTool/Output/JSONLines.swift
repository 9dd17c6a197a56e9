import SceneClient
import SceneJSON
import SceneModel

/// One JSON object for each line, for scripts. Carried JSON keeps its bytes.
struct JSONLines: OutputFormatter {
  func lines(for event: SceneEvent) -> [String] {
    switch event {
    // The callback and the reply contain the same information.
    case .exchanged, .postponed: return []
    default: break
    }
    var writer = JSONWriter()
    writer.beginObject()
    write(event, to: &writer)
    writer.endObject()
    return [String(decoding: writer.bytes, as: UTF8.self)]
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
      writer.name("reply")
      Empty().write(to: &writer)
      write(.hang, identifier, to: &writer)
    case .explained(let about, let identifier):
      writer.name("reply")
      writer.beginObject()
      writer.name("commands")
      writer.beginArray()
      for command in PromptCommand.json(about: about) {
        writer.raw(RawJSON(unchecked: ContiguousArray(command.utf8)))
      }
      writer.endArray()
      writer.endObject()
      write(.help, identifier, to: &writer)
    case .failed(let command, let identifier, let error):
      writer.name("error")
      write(error, to: &writer)
      write(command, identifier, to: &writer)
    case .unanswered(let reason):
      write(state: "unanswered", nil, nil, to: &writer)
      if let reason {
        writer.name("message")
        writer.string(reason)
      }
    case .waiting: write(state: "waiting", nil, nil, to: &writer)
    case .connected: write(state: "connected", nil, nil, to: &writer)
    case .posted(let event):
      writer.name("event")
      writer.string("posted")
      event.writeMembers(to: &writer)
    case .gap(let topic):
      writer.name("event")
      writer.string("gap")
      writer.name("topic")
      writer.string(topic)
    case .noticed(let notice, let isClassic):
      writer.name("notice")
      writer.string(notice.rawValue)
      if isClassic {
        writer.name("classic")
        writer.string(notice.classicName)
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
      writer.name("unanswered")
      writer.string(callback.rawValue)
    }
    if ending.isUnknown { writeUnknown(to: &writer) }
    if ending.isDiscarded {
      writer.name("discarded")
      writer.bool(true)
    }
  }

  private func writeUnknown(to writer: inout JSONWriter) {
    writer.name("unknown")
    writer.bool(true)
  }

  private func write(
    _ callback: Callback, _ answer: CallAnswer?, _ isClassic: Bool, to writer: inout JSONWriter
  ) {
    writer.name("callback")
    writer.string(callback.kind.rawValue)
    if isClassic {
      writer.name("classic")
      writer.string(callback.kind.classicName)
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
      writer.name("answered")
      writer.bool(false)
    case .activity(.value(let activity)):
      writer.name("answer")
      activity.write(to: &writer)
    case .done, .activity(.absent), .activity(.null), .failed: break
    }
  }

  private func write(
    _ command: PromptCommand?, _ identifier: RawJSON?, to writer: inout JSONWriter
  ) {
    if let command {
      writer.name("do")
      writer.string(command.name)
    }
    if let identifier {
      writer.name("id")
      writer.raw(identifier)
    }
  }

  private func write(_ error: SceneError, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("reason")
    writer.string(error.name)
    writer.name("message")
    writer.string(error.message)
    writer.name("retry")
    writer.string(error.retry.rawValue)
    writer.endObject()
  }

  private func write(
    state: StaticString, _ session: SessionIdentifier?, _ reason: DisconnectReason?,
    to writer: inout JSONWriter
  ) {
    writer.name("state")
    writer.string(state)
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
