package import SceneJSON

/// Variables of the user's login, which programs need and which change with each login. The values
/// stay in the memory of the broker: no record, no log and no reply has them.
package struct LoginEnvironment: Equatable, Sendable {
  /// Nil for a variable that is not set.
  package private(set) var values: [String: String?]

  package init(_ values: [String: String?] = [:]) { self.values = values }

  /// The variables without a list in the manifest or in `namesVariable`.
  package static let standardNames = [
    "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "SSH_AUTH_SOCK", "SSH_CONNECTION", "WAYLAND_DISPLAY",
    "XAUTHORITY", "XDG_CURRENT_DESKTOP",
  ]
  /// The variable with the names of the variables that a client sends.
  package static let namesVariable = "SCENE_ENVIRONMENT"

  /// The most variables.
  package static let countLimit = 64
  private static let nameByteLimit = 256
  private static let byteLimit = 16 << 10

  package var isEmpty: Bool { values.isEmpty }

  /// Whether a variable of this name can be sent.
  package static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= nameByteLimit && !name.hasPrefix("SCENE_")
      && !name.utf8.contains { $0 == UInt8(ascii: "=") || $0 == 0 }
  }

  /// The first mistake; nil if programs can get the variables.
  package var problem: String? {
    if let name = values.keys.sorted().first(where: { !Self.isName($0) }) {
      return "\"\(name.clipped(to: 100))\" is not the name of a variable that a client can send"
    }
    let texts = values.values.compactMap(\.self)
    if texts.contains(where: { $0.utf8.contains(0) }) { return "a value contains a zero byte" }
    let byteCount = (texts + values.keys).reduce(0) { $0 + $1.utf8.count }
    guard values.count <= Self.countLimit, byteCount <= Self.byteLimit else {
      return "more than \(Self.countLimit) variables or \(Self.byteLimit) bytes"
    }
    return nil
  }

  /// These variables with newer ones in their place.
  package func merging(_ newer: LoginEnvironment) -> LoginEnvironment {
    LoginEnvironment(values.merging(newer.values) { $1 })
  }
}

extension LoginEnvironment: JSONCodable {
  package static var expectation: String { "an object with strings and null" }

  package init(reading value: JSONValue) throws(MemberError) {
    guard value.kind == .object else { throw .expected(Self.self, found: value) }
    if let name = value.firstDuplicateName {
      throw MemberError(path: name, problem: "given twice")
    }
    self.init()
    for (name, value) in value.members {
      let name = name.string ?? ""
      guard value.isNull || value.kind == .string else {
        throw MemberError(path: name, problem: "expected a string or null")
      }
      values[name] = .some(value.string)
    }
  }

  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      for (name, value) in values.sorted(by: { $0.key < $1.key }) {
        writer.member(name, orNull: value)
      }
    }
  }
}
