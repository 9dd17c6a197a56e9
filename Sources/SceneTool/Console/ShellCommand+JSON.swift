import SceneJSON
import SceneModel

/// Commands in JSON.
extension ShellCommand {
  /// The JSON syntax of all commands.
  private static let allInJSON = [
    #"{"do":"activity","activityType":"com.example.note","userInfo":{"line":42}}"#,
    #"{"do":"activity","activity":null}"#,
    #"{"do":"title","title":"Packing"}"#,
    #"{"do":"title","title":null}"#,
    #"{"do":"subtitle","subtitle":"3 of 12 packed"}"#,
    #"{"do":"snapshot","snapshot":"3 of 12 packed"}"#,
    #"{"do":"data"}"#,
    #"{"do":"conditions","prefersToActivate":"self == \"note/packing\"","canActivate":null}"#,
    #"{"do":"conditions","activationConditions":null}"#,
    #"{"do":"post","topic":"NewMessage","kind":"added","payload":{"text":"hello"}}"#,
    #"{"do":"observe","topic":"NewMessage"}"#,
    #"{"do":"cease","topic":"NewMessage"}"#,
    #"{"do":"background"}"#,
    #"{"do":"activate"}"#,
    #"{"do":"close"}"#,
    #"{"do":"discard"}"#,
    #"{"do":"hang","callback":"didEnterBackground"}"#,
    #"{"do":"crash"}"#,
    #"{"do":"status","id":7}"#,
    #"{"do":"help"}"#,
    #"{"do":"help","about":"title"}"#,
    #"{"typed":"title Packing","id":8}"#,
  ]

  /// The JSON syntax of one verb, or of all verbs.
  static func inJSON(_ verb: Verb?) -> [String] {
    guard let verb else { return allInJSON }
    return allInJSON.filter { $0.hasPrefix(#"{"do":"\#(verb.rawValue)""#) }
  }

  /// Parses a line of JSON; nil for an empty line.
  ///
  /// `{"do": VERB, "id"?: anything, …}` with `activityType` and `userInfo` or `activity`, `title`,
  /// `subtitle`, `snapshot`, `topic`, `kind` and `payload`, `callback`, `about`; or `{"typed":
  /// LINE, "id"?: anything}` with a typed command.
  static func read(json line: String) throws(CommandError) -> GivenCommand? {
    guard line.contains(where: { !$0.isWhitespace }) else { return nil }
    let document = JSONDocument()
    do throws(JSONError) {
      try document.read(line.utf8)
    } catch {
      throw CommandError(message: "not JSON: \(error)")
    }
    let root = document.root
    let identifier = root["id"]?.raw
    do throws(CommandError) {
      return GivenCommand(command: try command(root), identifier: identifier)
    } catch {
      throw CommandError(message: error.message, identifier: identifier)
    }
  }

  private static func command(_ root: JSONValue) throws(CommandError) -> ShellCommand {
    if let line = try optionalString("typed", in: root) {
      guard let command = try read(line: line) else {
        throw CommandError(message: "typed: expected a command, found nothing")
      }
      return command
    }
    guard let word = root["do"]?.string else {
      throw CommandError(message: "do: missing; expected a command, such as \"status\"")
    }
    let verb = try verb(word)
    switch verb {
    case .activity: return .activity(try activity(in: root))
    case .title: return .title(try shown("title", in: root))
    case .subtitle: return .subtitle(try shown("subtitle", in: root))
    case .snapshot: return .snapshot(try shown("snapshot", in: root))
    case .conditions: return .conditions(try conditions(in: root))
    case .post: return .post(try event(in: root))
    case .observe: return .observe(try topic(optionalString("topic", in: root) ?? "", for: verb))
    case .cease: return .cease(try topic(optionalString("topic", in: root) ?? "", for: verb))
    case .hang:
      guard let name = try optionalString("callback", in: root) else { return .hang(nil) }
      return .hang(try callback(name))
    case .help: return .help(try optionalString("about", in: root).map(Self.verb))
    case .data, .background, .activate, .close, .discard, .crash, .status, .connect:
      return plain(verb)
    }
  }

  private static func activity(in root: JSONValue) throws(CommandError) -> Activity? {
    guard let whole = root["activity"] else {
      return try member(Activity(given: members(of: root)))
    }
    return whole.isNull ? nil : try member(Activity(readingGiven: whole), "activity")
  }

  /// The value of a member. Its error becomes the error of the command.
  static func member<Value>(
    _ value: @autoclosure () throws(MemberError) -> Value, _ name: StaticString? = nil
  ) throws(CommandError) -> Value {
    do throws(MemberError) {
      return try value()
    } catch {
      throw CommandError(message: (name.map(error.inside) ?? error).description)
    }
  }

  /// The members of the activity, beside the members of the command.
  private static func members(of root: JSONValue) -> (inout JSONWriter) -> Void {
    { writer in
      for member in root.members {
        let name = member.name.string ?? ""
        guard name != "do", name != "id" else { continue }
        writer.name(name)
        writer.raw(member.value)
      }
      if root["userInfo"] == nil {
        writer.name("userInfo")
        writer.raw(RawJSON.emptyObject)
      }
    }
  }

  private static func shown(
    _ name: StaticString, in root: JSONValue
  ) throws(CommandError) -> String? {
    guard root[name] != nil else {
      throw CommandError(message: "\(name): missing; expected a string, or null to remove it")
    }
    return try optionalString(name, in: root)
  }

  private static func conditions(
    in root: JSONValue
  ) throws(CommandError) -> ActivationConditionTexts? {
    if root["activationConditions"]?.isNull == true { return nil }
    var conditions = ActivationConditionTexts()
    var reader = MemberReader(object: root)
    try member(conditions.visitMembers(&reader))
    guard conditions != ActivationConditionTexts() else {
      throw CommandError(
        message:
          "conditions: expected canActivate or prefersToActivate, or activationConditions: null"
      )
    }
    return conditions
  }

  static func optionalString(
    _ name: StaticString, in root: JSONValue
  ) throws(CommandError) -> String? {
    guard let value = root[name], !value.isNull else { return nil }
    guard let string = value.string else {
      throw CommandError(message: "\(name): expected a string")
    }
    return string
  }
}
