import SceneClient
import SceneJSON
import SceneModel
import Synchronization

/// The value of a window, which is the name of its session.
enum WindowValue {
  private static let kinds = Mutex<[(type: ObjectIdentifier, name: String)]>([])

  /// Notes which kinds of windows show the values of which types.
  static func register(_ scenes: [SceneDeclarations.Declaration]) {
    kinds.withLock { kinds in
      kinds = scenes.compactMap { scene in
        scene.valueType.map { ($0, scene.configuration.name) }
      }
    }
  }

  /// The name for a value of a kind: the text itself, or JSON. Different values of different kinds
  /// have different names: each kind with values but the first one begins its names with its `id`
  /// and a slash.
  static func name(of value: some Codable, in kind: String) throws(SceneError) -> String {
    let text =
      if let text = value as? String { text } else { try RawJSON(encoding: value).description }
    let name = escaped(text)
    let names = kinds.withLock { $0.map(\.name) }
    let needsPrefix =
      names.first == kind ? names.contains { begins(name, with: prefix($0)) } : names.contains(kind)
    return needsPrefix ? prefix(kind) + name : name
  }

  /// The value for a name; nil for a session without a name, and for a name of another type.
  static func value<Value: Codable>(
    _ type: Value.Type, named name: String?, in kind: String
  ) -> Value? {
    guard let name else { return nil }
    let prefix = prefix(kind)
    let count = begins(name, with: prefix) ? prefix.unicodeScalars.count : 0
    let text = unescaped(name.unicodeScalars.dropFirst(count))
    guard type != String.self else { return text as? Value }
    return try? RawJSON(validating: text.utf8).decode(type)
  }

  private static func prefix(_ kind: String) -> String {
    escaped(kind).replacing("/", with: "%2F") + "/"
  }

  /// An accent after the slash is a character of its own.
  private static func begins(_ name: String, with prefix: String) -> Bool {
    name.unicodeScalars.starts(with: prefix.unicodeScalars)
  }

  // MARK: - Characters that a name cannot contain or begin with

  /// No name is empty, so `%` stands for an empty text, and `%25` for this text.
  private static let empty = "%"

  private static func escaped(_ text: String) -> String {
    if text.isEmpty { return empty }
    if text == empty { return "%25" }
    func escape(_ scalar: Unicode.Scalar) -> String {
      "%" + String(scalar.value + 256, radix: 16, uppercase: true).dropFirst()
    }
    let scalars = Array(text.unicodeScalars)
    let name = scalars.indices.map { index in
      let scalar = scalars[index]
      let isKept =
        scalar == "%" ? Self.escape(at: index, of: scalars) == nil : !isEscaped(scalar)
      return isKept ? String(scalar) : escape(scalar)
    }.joined()
    guard let first = scalars.first, first.isASCII, SessionName.problem(with: name) != nil else {
      return name
    }
    return escape(first) + String(name.unicodeScalars.dropFirst())
  }

  private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "%" || scalar == "=" || scalar.properties.generalCategory == .control
  }

  /// The character of an escape, such as `%3D`; nil if none begins at the index.
  private static func escape(at index: Int, of scalars: [Unicode.Scalar]) -> Unicode.Scalar? {
    let digits = String(String.UnicodeScalarView(scalars[(index + 1)...].prefix(2)))
    guard scalars[index] == "%", digits.utf8.count == 2, let code = UInt8(digits, radix: 16),
      index == 0 || isEscaped(Unicode.Scalar(code))
    else { return nil }
    return Unicode.Scalar(code)
  }

  private static func unescaped(_ name: some Sequence<Unicode.Scalar>) -> String {
    let scalars = Array(name)
    if scalars == Array(empty.unicodeScalars) { return "" }
    var text = String.UnicodeScalarView()
    var index = 0
    while index < scalars.count {
      let meant = escape(at: index, of: scalars)
      text.append(meant ?? scalars[index])
      index += meant == nil ? 1 : 3
    }
    return String(text)
  }

  /// The first kind of window that shows the values of a type.
  static func kind(for type: Any.Type) throws(SceneError) -> String {
    guard let kind = kinds.withLock({ $0.first { $0.type == ObjectIdentifier(type) }?.name }) else {
      throw SceneError(
        .noConfiguration, "no WindowGroup shows values of \(type); declare one with `for:`")
    }
    return kind
  }
}
