import SceneJSON
import SceneModel

/// How a command reads its argument: from the text behind its name, and from the members of an
/// object.
struct CommandSyntax<Argument: Sendable>: Sendable {
  let typed: @Sendable (_ text: String, _ name: String) throws(CommandError) -> Argument
  let sent: @Sendable (_ root: JSONValue, _ name: String) throws(CommandError) -> Argument
}

struct NoArgument: Equatable, Sendable {}

extension CommandSyntax where Argument == NoArgument {
  static var none: Self {
    Self { text, name throws(CommandError) in
      guard text.isEmpty else { throw CommandError(message: "\(name) takes no argument") }
      return NoArgument()
    } sent: { _, _ in
      NoArgument()
    }
  }
}

extension CommandSyntax where Argument == String? {
  /// A text; `null` is nil.
  static func text(_ member: StaticString) -> Self {
    Self { text, name throws(CommandError) in
      guard !text.isEmpty else {
        throw CommandError(message: "usage: \(name) TEXT, or \(name) null to remove it")
      }
      return text == "null" ? nil : text
    } sent: { root, _ throws(CommandError) in
      guard root[member] != nil else {
        throw CommandError(
          message: "\(member): missing; expected a string, or null to remove it")
      }
      return try root.optionalString(member)
    }
  }
}

extension CommandSyntax where Argument == String {
  static var topic: Self {
    Self { text, name throws(CommandError) in
      try topic(text, for: name)
    } sent: { root, name throws(CommandError) in
      try topic(root.optionalString("topic") ?? "", for: name)
    }
  }

  fileprivate static func topic(
    _ topic: String, for name: String
  ) throws(CommandError) -> String {
    guard !topic.isEmpty else { throw CommandError(message: "\(name): TOPIC is missing") }
    if let problem = TopicName.problem(with: topic) {
      throw CommandError(message: "topic: \(problem)")
    }
    return topic
  }
}

extension CommandSyntax {
  /// An optional word, which `parse` reads.
  static func word<Value>(
    _ member: StaticString, _ parse: @escaping @Sendable (String) throws(CommandError) -> Value
  ) -> Self where Argument == Value? {
    Self { text, _ throws(CommandError) in
      text.isEmpty ? nil : try parse(text)
    } sent: { root, _ throws(CommandError) in
      try root.optionalString(member).map(parse)
    }
  }
}

extension CallbackKind {
  /// The callback of a scene with this name.
  @Sendable static func named(_ name: String) throws(CommandError) -> CallbackKind {
    guard let kind = ofScenes.first(where: { $0.rawValue == name }) else {
      let names = ofScenes.map(\.rawValue).joined(separator: ", ")
      throw CommandError(
        message: "unknown callback \(name.printable); the callbacks are \(names)")
    }
    return kind
  }
}

extension CommandSyntax where Argument == Activity? {
  /// `TYPE JSON`, `TYPE` or `null`.
  static var activity: Self {
    Self { text, _ throws(CommandError) in
      let usage = PromptCommand.activity.usageWithExample
      guard !text.isEmpty else {
        throw CommandError(message: "usage: \(usage), or activity null to clear")
      }
      do throws(MemberError) {
        return try TypedActivity(text).activity
      } catch {
        throw CommandError(message: "\(error.description.printable); usage: \(usage)")
      }
    } sent: { root, _ throws(CommandError) in
      guard let whole = root["activity"] else {
        return try member(Activity(given: members(of: root)))
      }
      return whole.isNull ? nil : try member(Activity(readingGiven: whole), "activity")
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
      if root["userInfo"] == nil { writer.member("userInfo", .emptyObject) }
    }
  }
}

extension CommandSyntax where Argument == ActivationConditionTexts? {
  /// `prefers PREDICATE`, `can PREDICATE` or `null`.
  static var conditions: Self {
    Self { text, name throws(CommandError) in
      if text == "null" { return nil }
      let (word, predicate) = text.firstWord
      let value: Patch<String> = predicate == "null" ? .null : .value(predicate)
      switch word {
      case "prefers" where !predicate.isEmpty:
        return ActivationConditionTexts(prefersToActivate: value)
      case "can" where !predicate.isEmpty: return ActivationConditionTexts(canActivate: value)
      default:
        throw CommandError(
          message:
            "usage: conditions prefers PREDICATE, conditions can PREDICATE, or conditions null, "
            + "as in: \(PromptCommand.conditions.example)")
      }
    } sent: { root, _ throws(CommandError) in
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
  }
}

extension CommandSyntax where Argument == EventPost {
  /// `TOPIC [KIND] [JSON]`.
  static var event: Self {
    Self { text, name throws(CommandError) in
      let (topic, rest) = text.firstWord
      let (kind, payload) = rest.first?.beginsJSON == true ? ("", rest) : rest.firstWord
      var message = EventPost(topic: topic, kind: kind.isEmpty ? nil : kind)
      do throws(CommandError) {
        _ = try CommandSyntax<String>.topic(topic, for: name)
        if !payload.isEmpty { message.payload = try self.payload(payload) }
      } catch {
        throw CommandError(
          message: "\(error.message); usage: \(PromptCommand.post.usageWithExample)")
      }
      return message
    } sent: { root, name throws(CommandError) in
      var message = EventPost()
      var reader = MemberReader(object: root)
      try member(message.visitMembers(&reader))
      _ = try CommandSyntax<String>.topic(message.topic, for: name)
      return message
    }
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
}

/// The value of a member. Its error becomes the error of the command.
private func member<Value>(
  _ value: @autoclosure () throws(MemberError) -> Value, _ name: StaticString? = nil
) throws(CommandError) -> Value {
  do throws(MemberError) {
    return try value()
  } catch {
    throw CommandError(message: (name.map(error.inside) ?? error).description)
  }
}

extension JSONValue {
  func optionalString(_ name: StaticString) throws(CommandError) -> String? {
    guard let value = self[name], !value.isNull else { return nil }
    guard let string = value.string else {
      throw CommandError(message: "\(name): expected a string")
    }
    return string
  }
}
