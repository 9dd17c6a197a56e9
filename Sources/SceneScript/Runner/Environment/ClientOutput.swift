import SceneJSON

/// One line of the output of `scene --json`.
enum ClientOutput: Equatable, Sendable {
  /// A callback without an answer comes from a client that hangs.
  case callback(ObservedCallback, session: String, isAnswered: Bool)
  case event(ObservedCallback)
  /// The reply to the line with this number, or to the first connect if the number is nil. A save
  /// has a generation.
  case reply(number: Int64?, verb: String?, generation: Int64?)
  case refusal(number: Int64?, verb: String?, reason: String, message: String)
  /// The state of the connection to the broker, such as `connected`.
  case state(String)
  case other

  init(_ line: ContiguousArray<UInt8>) {
    guard let document = JSONDocument(reading: line) else {
      self = .other
      return
    }
    let root = document.root
    let (number, verb) = (root["id"]?.integer, root["do"]?.string)
    if let name = root["callback"]?.string {
      // The client prints `answered` only if the value is false.
      let isAnswered = root["answered"]?.bool != false
      let json = root["answered"] == nil ? root.raw.answered : root.raw
      self = .callback(
        ObservedCallback(name: name, json: json), session: root["session"]?.string ?? "",
        isAnswered: isAnswered)
    } else if root["event"]?.string == ObservedCallback.event {
      self = .event(ObservedCallback(name: ObservedCallback.event, json: root.raw))
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
  /// The callback with `"answered":true`, which a condition of a script can test.
  fileprivate var answered: RawJSON {
    RawJSON(unchecked: bytes.dropLast() + ContiguousArray(#","answered":true}"#.utf8))
  }
}
