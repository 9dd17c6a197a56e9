import SceneJSON
package import SceneModel

/// The whole protocol in JSON, for `broker/describe`.
package enum ProtocolDescription {
  package static func json(limits: Limits) -> OpaqueObject {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("protocol")
    ProtocolRange.spoken.write(to: &writer)
    writer.name("methods")
    writer.beginObject()
    for method in RequestMethod.all { write(method, to: &writer) }
    writer.endObject()
    writer.name("callbacks")
    CallbackKind.allCases.map { String(describing: $0.method) }.write(to: &writer)
    writer.name("notifications")
    BrokerNotification.methods.map { String(describing: $0) }.write(to: &writer)
    writer.name("states")
    writer.beginObject()
    for state in ActivationState.allCases {
      writer.name(state.rawValue)
      writer.integer(state.uiKitValue)
    }
    writer.endObject()
    writer.name("errors")
    writer.beginObject()
    for reason in ErrorReason.all {
      writer.name(reason.name)
      writer.beginObject()
      writer.name("code")
      writer.integer(reason.code)
      writer.name("retry")
      writer.string(reason.retry.rawValue)
      writer.endObject()
    }
    writer.endObject()
    writer.name("limits")
    limits.write(to: &writer)
    writer.endObject()
    return OpaqueObject(unchecked: RawJSON(unchecked: writer.bytes))
  }

  private static func write(_ method: RequestMethod, to writer: inout JSONWriter) {
    writer.name(method.description)
    writer.beginObject()
    writer.name("for")
    writer.string(method.permission.rawValue)
    writer.name("params")
    writer.beginObject()
    for member in members(of: method.message) {
      writer.name(member.isOptional ? "\(member.name)?" : member.name)
      writer.string(member.expectation)
    }
    writer.endObject()
    writer.endObject()
  }

  private static func members(
    of message: any RequestMessage.Type
  ) -> [MemberDescriber.Member] {
    func describe<Message: RequestMessage>(_ type: Message.Type) -> [MemberDescriber.Member] {
      MemberDescriber.members(of: type)
    }
    return describe(message)
  }
}
