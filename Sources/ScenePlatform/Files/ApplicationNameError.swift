/// The rule that an application name violates.
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
      case .length: "the name must have 1 to 64 characters"
      case .character: "only letters, digits, '.', '_' and '-' are allowed"
      case .start: "the name must not begin with '.' or '-'"
      }
    return "application name \"\(name)\": \(rule)"
  }
}
