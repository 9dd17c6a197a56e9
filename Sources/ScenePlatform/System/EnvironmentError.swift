/// A variable whose value is not UTF-8.
package struct EnvironmentError: Error, Equatable, Sendable, CustomStringConvertible {
  package var variable: String

  package var description: String {
    "the variable \(variable) is not UTF-8; set a new value, or unset the variable"
  }
}
