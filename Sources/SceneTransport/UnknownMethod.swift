package import SceneJSON
package import SceneModel
package import SceneWire

extension JSONValue {
  /// The name of an unknown method, short enough for a message.
  package var methodName: String { (string ?? "").clipped(to: 100) }
}

extension FrameWriter {
  /// Answers a request whose method this client does not have.
  package mutating func methodNotFound(_ identifier: RequestIdentifier, _ message: String) {
    failure(identifier, code: ErrorReason.methodNotFound.code, message: message)
  }
}
