package import SceneJSON
package import SceneModel

/// A notification of a broker, byte for byte.
package struct ControlNotification: Equatable, Sendable {
  package let method: String
  package let params: RawJSON
  /// The notification as a value; nil for one that this version does not know.
  package let content: BrokerNotification?
  /// Of a notification that the connection makes itself; nil for one of a broker.
  package private(set) var interruption: Interruption?

  package enum Interruption: Equatable, Sendable {
    /// Another broker goes on. The program reads again what it shows.
    case reconnected
    /// Events of the topic before this position may be missing.
    case gap(String, EventPosition)
  }

  init(_ interruption: Interruption) {
    (method, params, content) = ("", .emptyObject, nil)
    self.interruption = interruption
  }

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
