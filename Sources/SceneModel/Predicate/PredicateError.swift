/// Why a predicate cannot be understood, and where.
package struct PredicateError: Error, Equatable {
  /// Which character it is, counted from 1.
  package let position: Int
  /// A clause, for example "expected a text in quotes, found AND".
  package let problem: String
}

extension PredicateError: CustomStringConvertible {
  package var description: String { "at character \(position): \(problem)" }
}
