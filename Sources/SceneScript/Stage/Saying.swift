import JSON

/// A line of what `scene --json` says.
enum Saying: Equatable, Sendable {
  /// `session` is where it belongs; what is not answered hangs.
  case callback(ToldCallback, session: String, isAnswered: Bool)
  /// An event of a topic that it observes.
  case event(ToldCallback)
  /// To the command of this number, or to the first connect; to a save, which generation it made.
  case reply(number: Int64?, verb: String?, generation: Int64?)
  case refusal(number: Int64?, verb: String?, reason: String, message: String)
  /// How it is with its broker, such as `connected`.
  case state(String)
  case other

  init(_ line: ContiguousArray<UInt8>) {
    let document = JSONDocument()
    guard (try? document.read(line.span)) != nil else {
      self = .other
      return
    }
    let root = document.root
    let (number, verb) = (root["id"]?.integer, root["do"]?.string)
    if let name = root["callback"]?.string {
      // Only what is not answered says so.
      let isAnswered = root["answered"]?.bool != false
      let json = root["answered"] == nil ? root.raw.answered : root.raw
      self = .callback(
        ToldCallback(name: name, json: json), session: root["session"]?.string ?? "",
        isAnswered: isAnswered)
    } else if root["event"]?.string == ToldCallback.event {
      self = .event(ToldCallback(name: ToldCallback.event, json: root.raw))
    } else if let error = root["error"] {
      self = .refusal(
        number: number, verb: verb, reason: error["reason"]?.string ?? "",
        message: error["message"]?.string ?? "")
    } else if let reply = root["reply"] {
      let generation = verb == "activity" ? reply["generation"]?.integer : nil
      self = .reply(number: number, verb: verb, generation: generation)
    } else if let state = root["state"]?.string {
      self = .state(state)
    } else {
      self = .other
    }
  }
}

extension RawJSON {
  /// A callback that says that it is answered, too.
  fileprivate var answered: RawJSON {
    RawJSON(unchecked: bytes.dropLast() + ContiguousArray(#","answered":true}"#.utf8))
  }
}
