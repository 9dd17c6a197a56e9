/// A location in a script.
package struct ScriptLocation: Hashable, Sendable, CustomStringConvertible {
  package var file: String
  /// Counted from 1.
  package var line: Int
  /// Counted in Unicode scalars from 1.
  package var column = 1

  package var description: String { "\(file):\(line):\(column)" }
}
