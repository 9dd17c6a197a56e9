import SceneClient
import SceneJSON
import Synchronization

/// The value of a window, which is the name of its session.
enum WindowValue {
  /// The name for a value: the text itself, or JSON. A name can contain no `=`, which becomes
  /// `%3D`.
  static func name(of value: some Codable) throws(SceneError) -> String {
    let text =
      if let text = value as? String { text } else { try RawJSON(encoding: value).description }
    return text.replacing("%25", with: "%2525").replacing("%3D", with: "%253D")
      .replacing("=", with: "%3D")
  }

  /// The value for a name; nil for a session without a name, and for a name of another type.
  static func value<Value: Codable>(_ type: Value.Type, named name: String?) -> Value? {
    let text = name?.replacing("%3D", with: "=").replacing("%25", with: "%")
    guard let text, type != String.self else { return text as? Value }
    return try? RawJSON(validating: text.utf8).decode(type)
  }

  private static let kinds = Mutex<[ObjectIdentifier: String]>([:])

  /// Notes which kind of window shows the values of a type.
  static func register(_ scenes: [SceneDeclarations.Declaration]) {
    kinds.withLock { kinds in
      for scene in scenes.reversed() {
        if let type = scene.valueType { kinds[type] = scene.configuration.name }
      }
    }
  }

  /// The first kind of window that shows the values of a type.
  static func kind(for type: Any.Type) throws(SceneError) -> String {
    guard let kind = kinds.withLock({ $0[ObjectIdentifier(type)] }) else {
      throw SceneError(
        .noConfiguration, "no WindowGroup shows values of \(type); declare one with `for:`")
    }
    return kind
  }
}
