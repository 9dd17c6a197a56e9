/// An invalid line of a recorded trace.
package struct DamagedLine: Error, Equatable, CustomStringConvertible {
  /// Counted from 1.
  package let number: Int
  package let problem: String

  package var description: String { "line \(number): \(problem)" }
}
