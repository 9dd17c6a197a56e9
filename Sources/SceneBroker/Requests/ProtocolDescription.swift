import SceneJSON
package import SceneModel

/// The whole protocol in JSON, for `broker/describe`.
package enum ProtocolDescription {
  package static func json(limits: Limits) -> OpaqueObject {
    let json = RawJSON { writer in
      writer.member("protocol", ProtocolRange.spoken)
      writer.object("methods") { writer in
        for method in RequestMethod.all { write(method, to: &writer) }
      }
      writer.member("callbacks", CallbackKind.allCases.map { String(describing: $0.method) })
      writer.member("notifications", BrokerNotification.methods.map { String(describing: $0) })
      writer.object("states") { writer in
        for state in ActivationState.allCases { writer.member(state.rawValue, state.uiKitValue) }
      }
      writer.object("errors") { writer in
        for reason in ErrorReason.all {
          writer.object(reason.name) { writer in
            writer.member("code", reason.code)
            writer.member("retry", reason.retry.rawValue)
          }
        }
      }
      writer.member("limits", limits)
    }
    return OpaqueObject(unchecked: json)
  }

  private static func write(_ method: RequestMethod, to writer: inout JSONWriter) {
    writer.object(method.description) { writer in
      writer.member("for", method.permission.rawValue)
      writer.object("params") { writer in
        for member in members(of: method.message) {
          writer.member(member.isOptional ? "\(member.name)?" : member.name, member.expectation)
        }
      }
    }
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
