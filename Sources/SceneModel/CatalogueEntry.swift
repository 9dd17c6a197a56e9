package import JSON

/// What the protocol says of a method.
package struct CatalogueEntry: Sendable {
  package let method: StaticString
  package let permission: Permission
  /// What its parameters are called and take.
  package let params: [MemberDescriber.Member]

  init<Message: RequestMessage>(_ message: Message.Type, for permission: Permission) {
    method = Message.method
    self.permission = permission
    params = MemberDescriber.members(of: Message.self)
  }
}
