package import SceneJSON

/// A notification for the application delegate.
package enum DelegateNotification: Equatable, Sendable {
  case sceneConnected(SceneConnected)
  case sceneDisconnected(SceneDisconnected)
  case sceneExited(SceneExited)
  case overran(DelegateOverrun)

  package var method: StaticString {
    switch self {
    case .sceneConnected: "scene/connected"
    case .sceneDisconnected: "scene/disconnected"
    case .sceneExited: "scene/exited"
    case .overran: "application/overran"
    }
  }

  package static let methods: [StaticString] = [
    "scene/connected", "scene/disconnected", "scene/exited", "application/overran",
  ]

  package func writeParams(to writer: inout JSONWriter) {
    switch self {
    case .sceneConnected(let message): message.write(to: &writer)
    case .sceneDisconnected(let message): message.write(to: &writer)
    case .sceneExited(let message): message.write(to: &writer)
    case .overran(let message): message.write(to: &writer)
    }
  }

  /// Nil for an unknown notification.
  package init?(method: JSONValue, params: JSONValue) throws(MemberError) {
    if method.equals("scene/connected") {
      self = .sceneConnected(try SceneConnected(reading: params))
    } else if method.equals("scene/disconnected") {
      self = .sceneDisconnected(try SceneDisconnected(reading: params))
    } else if method.equals("scene/exited") {
      self = .sceneExited(try SceneExited(reading: params))
    } else if method.equals("application/overran") {
      self = .overran(try DelegateOverrun(reading: params))
    } else {
      return nil
    }
  }
}
