/// All errors of a script, sorted by location.
package struct ScriptErrors: Error, Equatable, Sendable, CustomStringConvertible {
  package var errors: [ScriptError]

  package var description: String { errors.map(\.description).joined(separator: "\n") }
}
