/// The name of an application, fit to be part of a path: 1 to 64 letters, digits, `.`, `_` and `-`
/// of ASCII, the first neither `.` nor `-`.
package struct ApplicationName: Hashable, Sendable, CustomStringConvertible {
  package let rawValue: String

  package static let `default` = ApplicationName(trusted: "default")

  package init(_ name: String) throws(ApplicationNameError) {
    let bytes = name.utf8
    guard bytes.count <= 64, let first = bytes.first else {
      throw ApplicationNameError(name: name, reason: .length)
    }
    for byte in bytes where !ApplicationName.allows(byte) {
      throw ApplicationNameError(name: name, reason: .character)
    }
    if first == UInt8(ascii: ".") || first == UInt8(ascii: "-") {
      throw ApplicationNameError(name: name, reason: .start)
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

/// Why a text cannot be the name of an application.
package struct ApplicationNameError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Reason: Equatable, Sendable {
    case length, character, start
  }

  package var name: String
  package var reason: Reason

  package init(name: String, reason: Reason) {
    self.name = name
    self.reason = reason
  }

  package var description: String {
    let rule =
      switch reason {
      case .length: "it must have 1 to 64 characters"
      case .character: "only letters, digits, '.', '_' and '-' may stand in it"
      case .start: "it must not begin with '.' or '-'"
      }
    return "application name \"\(name)\": \(rule)"
  }
}
