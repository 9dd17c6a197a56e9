package import SceneJSON
package import SceneModel

/// A notification of a broker, byte for byte.
package struct ControlNotification: Equatable, Sendable {
  package let method: String
  package let params: RawJSON
  /// The notification as a value; nil for one that this version does not know.
  package let content: BrokerNotification?

  init(method: JSONValue, params: RawJSON) throws(ControlError) {
    self.method = method.string ?? ""
    self.params = params
    let document = try ControlConnection.document(params)
    do throws(MemberError) {
      content = try BrokerNotification(method: method, params: document.root)
    } catch {
      throw .garbled("invalid notification \(self.method): \(error)")
    }
  }
}
