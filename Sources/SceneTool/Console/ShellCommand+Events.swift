import SceneCommandLine
import SceneJSON
import SceneModel

/// The syntax of commands about topics.
extension ShellCommand {
  /// `TOPIC [KIND] [JSON]`.
  static func typedEvent(_ text: String) throws(CommandError) -> EventPost {
    let (topic, rest) = text.firstWord
    let (kind, payload) = rest.first?.beginsJSON == true ? ("", rest) : rest.firstWord
    var message = EventPost(topic: topic, kind: kind.isEmpty ? nil : kind)
    do throws(CommandError) {
      message.topic = try self.topic(topic, for: .post)
      if !payload.isEmpty { message.payload = try self.payload(payload) }
    } catch {
      throw CommandError(message: "\(error.message); usage: \(postUsage)")
    }
    return message
  }

  private static func payload(_ text: String) throws(CommandError) -> OpaqueObject {
    let document = JSONDocument()
    do {
      try document.read(text.utf8)
      return try OpaqueObject(reading: document.root)
    } catch {
      throw CommandError(message: "payload: \(error)".printable)
    }
  }

  static func topic(
    _ name: String, for verb: Verb
  ) throws(CommandError) -> String {
    guard !name.isEmpty else {
      throw CommandError(message: "\(verb.rawValue): TOPIC is missing")
    }
    if let problem = TopicName.problem(with: name) {
      throw CommandError(message: "topic: \(problem)")
    }
    return name
  }

  private static let postUsage =
    #"post TOPIC [KIND] [JSON], as in: post NewMessage added {"text": "hello"}"#

  static func event(in root: JSONValue) throws(CommandError) -> EventPost {
    var message = EventPost()
    var reader = MemberReader(object: root)
    try member(message.visitMembers(&reader))
    message.topic = try topic(message.topic, for: .post)
    return message
  }
}
