import SceneBroker
import SceneJSON
import SceneModel

/// The members of messages in the notation of the tables: `?` marks an optional member.
enum Description {
  static func members<Structure: JSONStructure>(of type: Structure.Type) -> [String] {
    MemberDescriber.members(of: type).map { $0.isOptional ? "\($0.name)?" : $0.name }
  }

  static func parameters(of message: any RequestMessage.Type) -> [String] {
    structure(message)
  }

  /// The members of the reply to a request.
  static func results(of message: any RequestMessage.Type) throws -> [String] {
    func describe<Message: RequestMessage>(_ type: Message.Type) throws -> [String] {
      if let reply = Message.Reply.self as? any JSONStructure.Type { return structure(reply) }
      return try names(in: ProtocolDescription.json(limits: Limits()))
    }
    return try describe(message)
  }

  private static func structure(_ type: any JSONStructure.Type) -> [String] {
    func describe<Structure: JSONStructure>(_ type: Structure.Type) -> [String] {
      members(of: type)
    }
    return describe(type)
  }

  static func members(of callback: CallbackKind) -> [String] { structure(callback.message) }

  static func answer(to callback: CallbackKind) -> [String] {
    switch callback {
    case .didFinishLaunching: members(of: DidFinishLaunching.Answer.self)
    case .configurationForConnecting: members(of: ConfigurationForConnecting.Answer.self)
    default: []
    }
  }

  /// The names of an object's members, in their order.
  static func names(in object: OpaqueObject) throws -> [String] {
    let document = JSONDocument()
    try document.read(object.json.bytes)
    return document.root.members.compactMap { name, _ in name.string }
  }
}

extension Permission {
  /// The words of the tables.
  var words: String {
    switch self {
    case .anyone: "anyone"
    case .changers: "scenes and controls"
    case .controls: "controls"
    }
  }
}
