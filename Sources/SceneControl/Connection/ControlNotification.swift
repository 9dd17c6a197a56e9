package import SceneJSON
package import SceneModel

/// A notification of a broker, byte for byte.
package struct ControlNotification: Equatable, Sendable {
  package var method: String
  package var params: RawJSON

  /// The notification as a value; nil for one that this version does not know.
  package func read() throws(ControlError) -> BrokerNotification? {
    let document = JSONDocument()
    do {
      try document.read(params.bytes.span)
      let method = try JSONDocument.string(self.method)
      return try BrokerNotification(method: method.root, params: document.root)
    } catch {
      throw .garbled("invalid notification \(method): \(error)")
    }
  }
}

extension JSONDocument {
  /// A document with this string.
  fileprivate static func string(_ text: String) throws(JSONError) -> JSONDocument {
    var writer = JSONWriter()
    writer.string(text)
    let document = JSONDocument()
    try document.read(writer.bytes.span)
    return document
  }
}
