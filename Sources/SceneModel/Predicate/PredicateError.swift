/// Why and where a predicate cannot be parsed.
package struct PredicateError: Error, Equatable {
  /// The position of the character, from 1.
  package let position: Int
  /// A clause, for example "expected a text in quotes, found AND".
  package let problem: String
}

extension PredicateError: CustomStringConvertible {
  package var description: String { "at character \(position): \(problem)" }
}
