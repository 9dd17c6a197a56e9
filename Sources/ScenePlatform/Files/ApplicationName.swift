/// The name of an application, which can be part of a path. The name has 1 to 64 characters: ASCII
/// letters, digits, `.`, `_` and `-`. The first character is neither `.` nor `-`.
package struct ApplicationName: Hashable, Sendable, CustomStringConvertible {
  package let rawValue: String

  package static let `default` = ApplicationName(trusted: "default")

  /// The name without an option.
  package static var standard: String { Environment["SCENE_APPLICATION"] ?? `default`.rawValue }

  /// Nil selects the standard application.
  package init(_ name: String?) throws(EnvironmentError) {
    let name = name ?? Self.standard
    let bytes = name.utf8
    guard bytes.count <= 64, let first = bytes.first else {
      throw .applicationName(name, .length)
    }
    for byte in bytes where !ApplicationName.allows(byte) {
      throw .applicationName(name, .character)
    }
    if first == UInt8(ascii: ".") || first == UInt8(ascii: "-") {
      throw .applicationName(name, .start)
    }
    rawValue = name
  }

  private init(trusted name: String) {
    rawValue = name
  }

  private static func allows(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "-"):
      true
    default:
      false
    }
  }

  package var description: String { rawValue }
}
