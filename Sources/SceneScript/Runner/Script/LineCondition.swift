/// A condition before a line, such as `[linux]` or `[!env:CI]`. The line runs only if the condition
/// holds.
package struct LineCondition: Equatable, Sendable {
  /// `linux`, `darwin`, or `env:NAME` for a variable that is set and not empty.
  private let fact: String
  private let isNegated: Bool

  private static let variablePrefix = "env:"

  /// Parses the text between the brackets; nil if it is no condition.
  init?(_ text: String) {
    isNegated = text.hasPrefix("!")
    fact = isNegated ? String(text.dropFirst()) : text
    let isVariable = fact.hasPrefix(Self.variablePrefix) && fact != Self.variablePrefix
    guard isVariable || fact == "linux" || fact == "darwin" else { return nil }
  }

  package func holds(in environment: [String: String]) -> Bool {
    let isSo =
      switch fact {
      case "linux": Self.isLinux
      case "darwin": !Self.isLinux
      default: !environment[String(fact.dropFirst(Self.variablePrefix.count)), default: ""].isEmpty
      }
    return isSo != isNegated
  }

  private static var isLinux: Bool {
    #if os(Linux)
      true
    #else
      false
    #endif
  }
}
